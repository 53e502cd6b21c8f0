"""Special functions equal those of SciPy on every device; formulas are compared with SciPy and exact values too."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from scipy import special as scipy_special

import burn_array
from burn_array.errors import DTypeError, NotSupportedError, ShapeError
from burn_array.special._formulas import FORMULAS
from burn_array.special._lookup import _lifted

Numbers = np.ndarray[Any, Any]
Host = Callable[[Any], Numbers]

AXIS = ("log_softmax", "logsumexp", "softmax")
COMMON = [0.0, 1.0, 2.0, 3.0, 0.5, np.inf, np.nan, 1e-8, 1e-3, 30.0, 80.0]
RNG = np.random.default_rng(0)
POSITIVE = np.concatenate([COMMON, RNG.random(20), 10 * RNG.random(20), 60 * RNG.random(10)])
REAL = np.concatenate([POSITIVE, -POSITIVE])
UNIT = np.concatenate([[0.0, 1.0, 0.5, 1e-10, 0.9999, np.nan], RNG.random(30)])
FEW = POSITIVE[::4]
COUNTS = np.arange(9)
FINITE = np.concatenate([[1.0, 2.0, 0.5, 30.0], RNG.random(10), 20 * RNG.random(10)])

OPERANDS: dict[str, tuple[Any, ...]] = {
    "bdtr": (1.0 * COUNTS, COUNTS + 1, UNIT[::4]),
    "bdtrc": (1.0 * COUNTS, COUNTS + 1, UNIT[::4]),
    "bdtri": (1.0 * COUNTS[:5], COUNTS[:5] + 6, UNIT[::4]),
    "betainc": (FEW, FEW, UNIT[::3]),
    "betaincc": (FEW, FEW, UNIT[::3]),
    "betaincinv": (FEW, FEW, UNIT[::6]),
    "betaln": (POSITIVE, POSITIVE),
    "binom": (POSITIVE, POSITIVE),
    "boxcox": (POSITIVE, REAL),
    "boxcox1p": (POSITIVE, REAL),
    "chdtr": (POSITIVE, POSITIVE),
    "chdtrc": (POSITIVE, POSITIVE),
    "chdtri": (POSITIVE, UNIT),
    "ellipe": (UNIT,),
    "ellipk": (UNIT,),
    "ellipkm1": (UNIT,),
    "erfcinv": (2 * UNIT,),
    "erfinv": (2 * UNIT - 1,),
    "expn": (COUNTS, POSITIVE),
    "fdtr": (FEW, FEW, FEW),
    "fdtrc": (FEW, FEW, FEW),
    "fdtri": (FINITE[::3], FINITE[::3], UNIT[::4]),
    "gammainc": (POSITIVE, POSITIVE),
    "gammaincc": (POSITIVE, POSITIVE),
    "gammainccinv": (POSITIVE, UNIT),
    "gammaincinv": (POSITIVE, UNIT),
    "gdtr": (FEW, FEW, FEW),
    "gdtrc": (FEW, FEW, FEW),
    "huber": (REAL, REAL),
    "hyp1f1": (FEW, FEW, FEW),
    "inv_boxcox": (REAL, REAL),
    "inv_boxcox1p": (REAL, REAL),
    "k0": (POSITIVE,),
    "k0e": (POSITIVE,),
    "k1": (POSITIVE,),
    "k1e": (POSITIVE,),
    "kl_div": (REAL, REAL),
    "logit": (UNIT,),
    "lpmv": (COUNTS[:3], FEW, UNIT),
    "multigammaln": (FINITE[FINITE > 2], 2),
    "nbdtr": (COUNTS, COUNTS + 1, UNIT[::4]),
    "nbdtrc": (COUNTS, COUNTS + 1, UNIT[::4]),
    "nbdtri": (COUNTS, COUNTS + 1, UNIT[::4]),
    "ndtri": (UNIT,),
    "pdtr": (1.0 * COUNTS, POSITIVE),
    "pdtrc": (1.0 * COUNTS, POSITIVE),
    "pdtri": (COUNTS, UNIT),
    "poch": (POSITIVE, POSITIVE),
    "polygamma": (COUNTS[:5], REAL),
    "pseudo_huber": (REAL, REAL),
    "radian": (FEW, FEW, FEW),
    "rel_entr": (REAL, REAL),
    "stdtr": (POSITIVE, REAL),
    "stdtrit": (FINITE, UNIT),
    "xlog1py": (REAL, REAL),
    "xlogy": (REAL, REAL),
    "y0": (POSITIVE,),
    "y1": (POSITIVE,),
    "yn": (COUNTS[:4], POSITIVE),
    "zeta": (1 + POSITIVE, POSITIVE),
}
NAMES = [name for name in burn_array.special.__all__ if name not in AXIS]


def operands(name: str, dtype: str) -> list[Any]:
    """Return the operands of a function, floats in ``dtype``, in shapes that combine every value with every other."""
    given = OPERANDS.get(name, (REAL,))
    arrays = [one for one in given if isinstance(one, np.ndarray)]
    shaped: list[Any] = []
    for one in given:
        if isinstance(one, np.ndarray):
            typed = one.astype(dtype) if one.dtype.kind == "f" else one
            one = typed.reshape(-1, *(1,) * (len(arrays) - 1 - len(shaped)))
        shaped.append(one)
    return shaped


def reference(name: str, args: list[Any]) -> Numbers:
    """Return the result of SciPy in double precision."""
    double = [one.astype(float) if getattr(one, "dtype", None) == np.float32 else one for one in args]
    with np.errstate(all="ignore"):
        return np.asarray(getattr(scipy_special, name)(*double))


# Operands for which a formula differs from SciPy on purpose. SciPy gives 0 for the sine of an infinite angle, but not
# for the sinc of an integer; it loses digits in cotdg and stdtr near zero, in binom for a tiny n, in inv_boxcox1p for
# a tiny parameter and in kl_div for close operands; it gives NaN for most infinite z in poch, and computes the zeta
# function below one.
APART: dict[str, Callable[..., Any]] = {
    "betaln": lambda a, b: np.isinf(a) & np.isinf(b),
    "binom": lambda n, k: (n > 0) & (n < 1e-7),
    "cosdg": np.isinf,
    "cotdg": lambda x: np.isinf(x) | (np.abs(x) < 1e-6),
    "inv_boxcox1p": lambda y, lmbda: np.abs(lmbda * y) < 1e-20,
    "kl_div": lambda x, y: np.abs(x - y) < 0.02 * np.abs(y),
    "poch": lambda z, m: np.isinf(z),
    "pseudo_huber": lambda delta, r: np.isinf(r / np.where(delta == 0, 1, delta)) | (np.abs(delta) < 1e-20),
    "sinc": lambda x: x == np.round(x),
    "sindg": np.isinf,
    "stdtr": lambda df, t: (np.abs(t) < 1e-3) | (np.abs(df) < 1e-7),
    "tandg": np.isinf,
    "zetac": lambda x: ~(x > 1),
}


# Operands for which a library's own function differs from SciPy: it gives the limit where SciPy gives NaN, or rounds
# a zero differently.
OWN_APART: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(("i0", "i1", "j0", "j1", "y0", "y1"), np.isinf),
    "sinc": APART["sinc"],
    "yn": lambda n, x: np.isinf(x),
}


BY_INCOMPLETE_GAMMA = ("chdtr", "chdtrc", "gammainc", "gammaincc", "gdtr", "gdtrc", "pdtr", "pdtrc")


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.needs("64 bits")
def test_equals_scipy(
    xp: ModuleType,
    device: burn_array.Device,
    host: Host,
    own_special: Callable[[str], bool],
    if_there: Callable[[str], AbstractContextManager[Any]],
    name: str,
    dtype: str,
) -> None:
    """The host calls SciPy, so results are equal in each precision; other devices are compared with double precision.

    In single precision some functions of SciPy have three correct digits only.
    """
    args = operands(name, dtype)
    lifted = [xp.asarray(one) if isinstance(one, np.ndarray) else one for one in args]
    out = None
    with np.errstate(all="ignore"):
        expected = np.asarray(getattr(scipy_special, name)(*args))
        with if_there(name):
            out = host(getattr(xp.special, name)(*lifted))
    if out is None:
        return
    assert out.dtype == (dtype if name == "multigammaln" else expected.dtype)  # SciPy gives float64 for it
    apart: Any = False
    if not device.is_host:
        table = OWN_APART if own_special(name) else APART
        with np.errstate(all="ignore"):
            expected = reference(name, args).astype(out.dtype)
            apart = table[name](*args) if name in table else False
    compared = ~np.broadcast_to(apart, out.shape)
    rtol, atol = (2e-12 if device.is_host else 5e-11), 1e-300
    if dtype == "float32":
        with_roots = ("digamma", "logit", "psi", *(() if device.is_host else ("sinc",)))
        rtol, atol = 2e-5, 1e-7 if name in with_roots else 1e-37
    elif name in BY_INCOMPLETE_GAMMA and device.library == "torch" and not device.is_host:
        rtol, atol = 1e-8, 1e-16  # PyTorch's function is not more precise
    np.testing.assert_allclose(out[compared], expected[compared], rtol=rtol, atol=atol)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("name", [name for name in FORMULAS if name not in AXIS])
def test_formula_equals_scipy(name: str, dtype: str) -> None:
    args = operands(name, dtype)
    formula = _lifted(FORMULAS[name], burn_array.device("numpy"))
    with np.errstate(all="ignore"):
        out = np.asarray(formula(*args))
        expected = reference(name, args).astype(out.dtype)
        apart = np.broadcast_to(APART[name](*args) if name in APART else False, out.shape)
    assert out.dtype == np.result_type(*(one for one in args if isinstance(one, np.ndarray)), np.float32)
    rtol, atol = (1e-5, 1e-37) if out.dtype == np.float32 else (5e-11, 1e-300)
    np.testing.assert_allclose(out[~apart], expected[~apart], rtol=rtol, atol=atol)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["gammainc", "gammaincc", "gammaln", "j0", "j1", "y0", "y1", "zeta"])
def test_functions_of_pytorch_that_replace_scipy(name: str) -> None:
    """PyTorch's incomplete gamma functions have a small absolute error, hence a large relative one for a tiny ``a``."""
    torch = pytest.importorskip("torch")
    from burn_array.adapters.torch.special import SpecialExtension

    args = operands(name, "float64")
    out = SpecialExtension.special_rough[name](*map(torch.from_numpy, args)).numpy()
    rtol, atol = (1e-8, 1e-16) if name.startswith("gammainc") else (2e-12, 1e-300)
    np.testing.assert_allclose(out, reference(name, args), rtol=rtol, atol=atol)


@pytest.mark.parametrize(
    "name", ["erf", "erfc", "erfcx", "digamma", "expit", "i0", "sinc", "xlogy", "xlog1py"]
)
@pytest.mark.needs("64 bits")
def test_complex_operands_give_complex_results_or_an_error(
    xp: ModuleType, device: burn_array.Device, name: str
) -> None:
    """A function that cannot use SciPy, or that SciPy defines for real numbers alone, raises an error instead."""
    numbers = [np.asarray([0.5 + 0.25j, 2 - 1j])] * (2 if name.startswith("xlog") else 1)
    try:
        found = getattr(xp.special, name)(*map(xp.asarray, numbers))
    except (DTypeError, NotSupportedError):
        assert name in ("expit", "i0") or not device.is_host
        return
    wanted = getattr(scipy_special, name)(*numbers)
    np.testing.assert_allclose(np.asarray(found.to_device("numpy")), wanted, rtol=1e-12)


# Exact values, from mpmath 1.3 with 30 digits.
EXACT = [
    ("stdtr", (1.0, 1e-8), 0.50000000318309886184),
    ("stdtr", (30.0, -4.5), 4.7596796960562345e-5),
    ("betainc", (3.0, 0.25, 0.5), 0.021144016618722915),
    ("erfc", (10.0,), 2.0884875837625447570e-45),
    ("gammaincc", (2.5, 40.0), 8.3918251148316101e-16),
    ("log_ndtr", (-30.0,), -454.32124395634319),
    ("log_expit", (-800.0,), -800.0),
    ("logit", (0.5 + 2**-30,), 3.7252902984619140625e-9),
    ("binom", (1e-8, 1.0), 1e-8),
    ("binom", (-2.5, 3.0), -6.5625),
    ("poch", (-4.0, 3.0), -24.0),
    ("spence", (3.0,), -1.4367463668836809472),
    ("exp1", (2.0,), 0.048900510708061119567),
    ("expi", (-0.5,), -0.55977359477616081175),
    ("expi", (30.0,), 368973209407.27419471),
    ("expn", (3, 0.5), 0.2216043642751784573693),
]


def test_the_exact_values_are_those_of_mpmath() -> None:
    import mpmath

    with mpmath.workdps(30):
        computed = [
            0.5 + mpmath.atan(mpmath.mpf("1e-8")) / mpmath.pi,
            mpmath.betainc(15, "0.5", 0, 30 / (30 + mpmath.mpf("20.25")), regularized=True) / 2,
            mpmath.betainc(3, "0.25", 0, "0.5", regularized=True),
            mpmath.erfc(10),
            mpmath.gammainc("2.5", 40, regularized=True),
            mpmath.log(mpmath.erfc(30 / mpmath.sqrt(2)) / 2),
            -mpmath.log1p(mpmath.exp(800)),
            mpmath.log((1 + mpmath.mpf(2) ** -29) / (1 - mpmath.mpf(2) ** -29)),
            mpmath.binomial(mpmath.mpf(1e-8), 1),
            mpmath.binomial(mpmath.mpf(-2.5), 3),
            mpmath.rf(-4, 3),
            mpmath.polylog(2, -2),
            mpmath.e1(2),
            mpmath.ei(mpmath.mpf(-0.5)),
            mpmath.ei(30),
            mpmath.expint(3, 0.5),
        ]
    for (name, _, value), exact in zip(EXACT, computed, strict=True):
        assert float(exact) == pytest.approx(value, rel=1e-15), name


@pytest.mark.parametrize(("name", "args", "value"), EXACT, ids=[f"{name}{args}" for name, args, _ in EXACT])
@pytest.mark.needs("64 bits")
def test_formula_or_library_is_exact(
    xp: ModuleType, name: str, args: tuple[float, ...], value: float
) -> None:
    if name == "stdtr":
        out = _lifted(FORMULAS[name], burn_array.device("numpy"))(*map(np.asarray, args))
    else:
        out = getattr(xp.special, name)(*map(xp.asarray, args))
    assert float(out) == pytest.approx(value, rel=1e-13)


@pytest.mark.parametrize("settings", [{}, {"axis": 0}, {"axis": -1}, {"axis": (0, 1)}])
@pytest.mark.parametrize("name", AXIS)
@pytest.mark.needs("64 bits")
def test_functions_along_an_axis(xp: ModuleType, host: Host, name: str, settings: dict[str, Any]) -> None:
    x = np.random.default_rng(1).standard_normal((3, 4)) * 300
    x[1, 2] = -np.inf
    out = getattr(xp.special, name)(xp.asarray(x), **settings)
    np.testing.assert_allclose(host(out), getattr(scipy_special, name)(x, **settings), rtol=1e-13)
    assert getattr(xp.special, name)(xp.asarray(x, dtype=xp.float32), **settings).dtype == xp.float32


def test_logsumexp_of_infinities(xp: ModuleType, host: Host) -> None:
    x = xp.asarray([[np.inf, 1.0], [-np.inf, -np.inf]])
    with np.errstate(divide="ignore"):
        assert host(xp.special.logsumexp(x, axis=1, keepdims=True)).tolist() == [[np.inf], [-np.inf]]


@pytest.mark.parametrize(
    ("dtype", "expected"),
    [
        ("bool", "float64"),
        ("int8", "float64"),
        ("uint16", "float64"),
        ("int32", "float64"),
        ("uint64", "float64"),
        ("float16", "float16"),
        ("float32", "float32"),
    ],
)
def test_dtypes(xp: ModuleType, host: Host, dtype: str, expected: str) -> None:
    x = xp.asarray([0, 1], dtype=dtype)
    for name in ("erf", "gammaln", "expit", "entr", "cbrt", "log_expit"):
        out = getattr(xp.special, name)(x)
        assert out.dtype == expected, name
        tolerance = {"float16": 1e-3, "float32": 1e-6, "float64": 1e-14}[expected]
        np.testing.assert_allclose(
            host(out), getattr(scipy_special, name)(np.asarray([0.0, 1.0])), rtol=tolerance
        )


def test_python_numbers_are_weak(xp: ModuleType) -> None:
    x = xp.asarray([1.0, 2.0], dtype=xp.float32)
    assert xp.special.xlogy(x, 2.0).dtype == xp.float32
    assert xp.special.gammainc(2, x).dtype == xp.float32
    assert xp.special.polygamma(1, x).dtype == xp.float32
    assert xp.special.betainc(0.5, 2, x / 3).dtype == xp.float32


def test_complex_numbers(host: Host) -> None:
    z = burn_array.asarray([0.5 + 1j, -1.5 + 0.25j], device="numpy")
    for name in ("gamma", "loggamma", "erf", "psi"):
        np.testing.assert_allclose(
            host(getattr(burn_array.special, name)(z)), getattr(scipy_special, name)(host(z))
        )


def test_results_stay_on_the_device(
    device: burn_array.Device, if_there: Callable[[str], AbstractContextManager[Any]]
) -> None:
    x = burn_array.asarray([0.25, 0.5], device=device)
    for name in ("erf", "betainc", "softmax", "stdtrit", "gammaln"):
        args = [x] * {"betainc": 3, "stdtrit": 2}.get(name, 1)
        with if_there(name):
            assert getattr(burn_array.special, name)(*args).device == device


@pytest.mark.needs("64 bits")
def test_errors_name_function_and_operands(xp: ModuleType) -> None:
    with pytest.raises(TypeError, match=r"special\.erf"):
        xp.special.erf(1.0)
    with pytest.raises(ShapeError, match=r"special\.xlogy\(float64\[2\], float64\[3\]\)"):
        xp.special.xlogy(xp.ones(2), xp.ones(3))


WITHOUT_SCIPY = """
import json, sys
sys.modules["scipy"] = sys.modules["scipy.special"] = None
import burn_array as xp
x = xp.asarray([0.25, 0.5], device=sys.argv[1])
try:
    xp.special.lpmv(1, x, x)
except NotImplementedError as error:
    reason = str(error)
print(json.dumps([xp.special.expit(x).tolist(), xp.special.xlogy(x, x).tolist(), reason]))
"""


@pytest.mark.parametrize("where", ["numpy", "torch:cpu"])
def test_scipy_is_not_needed_where_there_is_another_way(where: str, run_python: Callable[..., str]) -> None:
    expit, xlogy, reason = json.loads(run_python(WITHOUT_SCIPY, where))
    np.testing.assert_allclose(expit, scipy_special.expit([0.25, 0.5]), rtol=1e-15)
    np.testing.assert_allclose(xlogy, scipy_special.xlogy([0.25, 0.5], [0.25, 0.5]), rtol=1e-15)
    assert "special.lpmv is not available" in reason
    assert "pip install scipy" in reason


def test_a_missing_function_raises() -> None:
    with pytest.raises(NotSupportedError, match=r"special\.nothing"):
        burn_array.special.find("special.nothing", burn_array.device("numpy"))


def test_every_function_that_scipy_delegates_exists() -> None:
    from scipy.special import _support_alternative_backends as delegated

    assert set(delegated.__all__) <= set(burn_array.special.__all__)


@pytest.mark.parametrize("name", burn_array.special.__all__)
def test_every_function_is_documented(name: str) -> None:
    function = getattr(burn_array.special, name)
    assert function.__name__ == name
    first = function.__doc__.split("\n")[0]
    assert first.startswith("Return ")
    assert first.endswith(".")

"""Special functions that work element by element; those along an axis are recorded as the formulas they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..values import SCALARS, Spec
from . import Rule, rule_for_each
from .elementwise import broadcast
from .probing import is_array

ELEMENTWISE = """
bdtr bdtrc bdtri betainc betaincc betaincinv betaln binom boxcox boxcox1p cbrt chdtr chdtrc chdtri cosdg cosm1
cotdg digamma ellipe ellipk ellipkm1 entr erf erfc erfcinv erfcx erfinv exp1 exp10 exp2 expi expit expn exprel
fdtr fdtrc fdtri gamma gammainc gammaincc gammainccinv gammaincinv gammaln gammasgn gdtr gdtrc huber hyp1f1 i0
i0e i1 i1e inv_boxcox inv_boxcox1p j0 j1 k0 k0e k1 k1e kl_div log_expit log_ndtr loggamma logit lpmv
multigammaln nbdtr nbdtrc nbdtri ndtr ndtri pdtr pdtrc pdtri poch polygamma pseudo_huber psi radian rel_entr
rgamma sinc sindg softplus spence stdtr stdtrit tandg xlog1py xlogy y0 y1 yn zeta zetac
"""


def floating(operands: tuple[Any, ...]) -> Any:
    """Return the floating-point dtype in which a special function of these operands is computed."""
    dtypes = [x.dtype for x in operands if is_array(x)]
    found = dtypes[0]
    for dtype in dtypes[1:]:
        found = np.promote_types(found, dtype)
    if any(type(x) is complex for x in operands if type(x) in SCALARS):
        found = np.promote_types(found, "complex64")
    return found if found.kind in "fcV" else np.dtype("float64")


@rule_for_each(" ".join(f"special.{name}" for name in ELEMENTWISE.split()))
def _elementwise(name: str) -> Rule:
    return lambda *operands: Spec(broadcast(*operands), floating(operands))

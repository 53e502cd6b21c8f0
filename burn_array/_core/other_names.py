"""What functions of NumPy and PyTorch are called here, for the errors about names that the namespace lacks."""

from __future__ import annotations

RENAMED: dict[str, str] = {
    # creation
    "array": "asarray", "asanyarray": "asarray", "ascontiguousarray": "asarray", "asfortranarray": "asarray",
    "as_tensor": "asarray", "tensor": "asarray", "scalar_tensor": "asarray", "from_numpy": "asarray",
    "frombuffer": "asarray", "identity": "eye", "ndarray": "Array", "Tensor": "Array",
    # elements
    "absolute": "abs", "fabs": "abs", "arccos": "acos", "arccosh": "acosh", "arcsin": "asin",
    "arcsinh": "asinh", "arctan": "atan", "arctan2": "atan2", "arctanh": "atanh", "power": "pow",
    "float_power": "pow", "conjugate": "conj", "neg": "negative", "mul": "multiply", "div": "divide",
    "true_divide": "divide", "sub": "subtract", "mod": "remainder", "fix": "trunc", "rint": "round",
    "around": "round", "invert": "bitwise_invert", "bitwise_not": "bitwise_invert",
    "left_shift": "bitwise_left_shift", "right_shift": "bitwise_right_shift", "eq": "equal", "ne": "not_equal",
    "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal", "clamp": "clip", "sgn": "sign",
    # joining and shapes
    "concatenate": "concat", "cat": "concat", "hstack": "concat", "vstack": "concat", "dstack": "concat",
    "row_stack": "concat", "column_stack": "concat", "append": "concat", "transpose": "permute_dims",
    "permute": "permute_dims", "movedim": "moveaxis", "rollaxis": "moveaxis", "unsqueeze": "expand_dims",
    "unbind": "unstack", "repeat_interleave": "repeat", "fliplr": "flip", "flipud": "flip",
    "broadcast_tensors": "broadcast_arrays", "expand": "broadcast_to", "atleast_1d": "expand_dims",
    # products
    "dot": "matmul", "mm": "matmul", "bmm": "matmul", "mv": "matmul", "inner": "vecdot", "vdot": "vecdot",
    "t": "matrix_transpose", "outer": "linalg.outer", "cross": "linalg.cross",
    "diagonal": "linalg.diagonal", "diagflat": "diag", "det": "linalg.det", "inverse": "linalg.inv",
    "pinverse": "linalg.pinv", "solve": "linalg.solve", "svd": "linalg.svd", "qr": "linalg.qr",
    "cholesky": "linalg.cholesky", "slogdet": "linalg.slogdet", "matrix_power": "linalg.matrix_power",
    "matrix_rank": "linalg.matrix_rank", "norm": "linalg.vector_norm",
    # statistics, searching and sets
    "cumsum": "cumulative_sum", "cumprod": "cumulative_prod", "amax": "max", "amin": "min", "average": "mean",
    "unique": "unique_values", "in1d": "isin", "argwhere": "nonzero", "flatnonzero": "nonzero",
    "bucketize": "searchsorted", "digitize": "searchsorted", "take_along_dim": "take_along_axis",
    "gather": "take_along_axis", "index_select": "take", "msort": "sort", "promote_types": "result_type",
    "common_type": "result_type",
    # other modules
    "rand": "random.uniform", "randn": "random.normal", "randint": "random.integers",
    "randperm": "random.permutation", "manual_seed": "random.seed", "bernoulli": "random.bernoulli",
    "sigmoid": "special.expit", "softmax": "special.softmax", "log_softmax": "special.log_softmax",
    "logsumexp": "special.logsumexp", "erf": "special.erf", "erfc": "special.erfc", "erfinv": "special.erfinv",
    "lgamma": "special.gammaln", "digamma": "special.digamma", "polygamma": "special.polygamma",
    "logit": "special.logit", "xlogy": "special.xlogy", "kl_div": "special.kl_div", "i0": "special.i0",
    "exp2": "special.exp2", "cbrt": "special.cbrt", "sinc": "special.sinc",
    # dtypes
    "bool_": "bool", "half": "float16", "single": "float32", "float": "float64", "double": "float64",
    "csingle": "complex64", "cfloat": "complex64", "cdouble": "complex128", "byte": "int8", "ubyte": "uint8",
    "short": "int16", "int": "int64", "long": "int64", "int_": "int64", "intp": "int64", "uint": "uint64",
    "issubdtype": "isdtype",
}  # fmt: skip
"""Names of NumPy and PyTorch, and the name here of the function that does the same or takes its place."""

WRITTEN: dict[str, str] = {
    "asarray_chkfinite": "xp.asarray(x) and xp.all(xp.isfinite(x))",
    "copy": "xp.asarray(x, copy=True)",
    "clone": "xp.asarray(x, copy=True)",
    "ravel": "xp.reshape(x, (-1,))",
    "flatten": "xp.reshape(x, (-1,))",
    "swapaxes": "x.swapaxes(i, j)",
    "swapdims": "x.swapaxes(i, j)",
    "fmax": "xp.where(xp.isnan(x), y, xp.where(xp.isnan(y), x, xp.maximum(x, y)))",
    "fmin": "xp.where(xp.isnan(x), y, xp.where(xp.isnan(y), x, xp.minimum(x, y)))",
    "logspace": "base ** xp.linspace(start, stop, num)",
    "fmod": "x - y * xp.trunc(x / y)",
    "heaviside": "xp.where(x == 0, y, xp.astype(x > 0, x.dtype))",
    "deg2rad": "x * (xp.pi / 180)",
    "radians": "x * (xp.pi / 180)",
    "rad2deg": "x * (180 / xp.pi)",
    "degrees": "x * (180 / xp.pi)",
    "angle": "xp.atan2(xp.imag(x), xp.real(x))",
    "relu": "xp.maximum(x, 0)",
    "rsqrt": "1 / xp.sqrt(x)",
    "nan_to_num": "xp.where(xp.isnan(x), 0, x)",
    "isclose": "xp.abs(x - y) <= tolerance",
    "allclose": "xp.all(xp.abs(x - y) <= tolerance)",
    "array_equal": "x.shape == y.shape and xp.all(x == y)",
    "ptp": "xp.max(x) - xp.min(x)",
    "nansum": "xp.sum(xp.where(xp.isnan(x), 0, x))",
    "nanmax": "xp.max(xp.where(xp.isnan(x), -xp.inf, x))",
    "nanmin": "xp.min(xp.where(xp.isnan(x), xp.inf, x))",
    "divmod": "x // y and x % y",
    "dtype": "x.dtype, or xp.float32 and the like",
    "shape": "x.shape",
    "ndim": "x.ndim",
    "size": "x.size",
    "numel": "x.size",
    "stop_gradient": "xp.autodiff.stop_gradient",
    "no_grad": "x.detach() for constants",
    "to_dlpack": "x.__dlpack__()",
}
"""Names of NumPy and PyTorch without a counterpart here, and what to write instead."""


def advice(name: str) -> str:
    """Return the end of a sentence that says what to write for a name of NumPy or PyTorch; it is empty for others."""
    if name in RENAMED:
        return f"; here it is xp.{RENAMED[name]}"
    return f"; write {WRITTEN[name]}" if name in WRITTEN else ""

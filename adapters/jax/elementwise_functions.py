"""Element-wise functions on JAX."""

from __future__ import annotations

import operator
from typing import Any

import jax.numpy as jnp
import numpy as np

from burn_array.adapter import composed
from burn_array.errors import DTypeError

from ..common import elementwise_functions as common
from .promoting import as_float, in_one_dtype, promoted


def _of_floats(function: Any) -> Any:
    return staticmethod(lambda x: function(as_float(x)))


def _arithmetic(function: Any) -> Any:
    return promoted(function)


class ElementwiseFunctions:
    """The page *elementwise functions* of the standard."""

    add = promoted(jnp.add)
    atan2 = common.as_floats(jnp, promoted(jnp.atan2).__func__)
    bitwise_and = promoted(jnp.bitwise_and)
    bitwise_left_shift = promoted(jnp.bitwise_left_shift)
    bitwise_or = promoted(jnp.bitwise_or)
    bitwise_right_shift = promoted(jnp.bitwise_right_shift)
    bitwise_xor = promoted(jnp.bitwise_xor)
    clip = composed(common.clip)
    copysign = common.as_floats(jnp, promoted(jnp.copysign).__func__)
    divide = promoted(jnp.divide)
    equal = common.compared(jnp, promoted(jnp.equal).__func__, operator.eq)
    floor_divide = promoted(jnp.floor_divide)
    greater = common.ordered_compared(jnp, promoted(jnp.greater).__func__, operator.gt)
    greater_equal = common.ordered_compared(jnp, promoted(jnp.greater_equal).__func__, operator.ge)
    hypot = common.as_floats(jnp, promoted(jnp.hypot).__func__)
    less = common.ordered_compared(jnp, promoted(jnp.less).__func__, operator.lt)
    less_equal = common.ordered_compared(jnp, promoted(jnp.less_equal).__func__, operator.le)
    logaddexp = common.as_floats(jnp, promoted(jnp.logaddexp).__func__)
    logical_and = common.logical(jnp.logical_and)
    logical_or = common.logical(jnp.logical_or)
    logical_xor = common.logical(jnp.logical_xor)
    maximum = staticmethod(common.ordered(promoted(jnp.maximum).__func__))
    minimum = staticmethod(common.ordered(promoted(jnp.minimum).__func__))
    multiply = promoted(jnp.multiply)
    nextafter = common.as_floats(jnp, promoted(jnp.nextafter).__func__)
    not_equal = common.compared(jnp, promoted(jnp.not_equal).__func__, operator.ne)
    pow = promoted(jnp.power)
    remainder = promoted(jnp.remainder)
    subtract = promoted(jnp.subtract)

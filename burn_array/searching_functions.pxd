from burn_array._core.dispatch cimport extreme, reduction, ternary, wrap
from burn_array._core.operands cimport unwrap

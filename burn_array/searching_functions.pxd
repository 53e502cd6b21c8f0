from burn_array._dispatch cimport extreme, reduction, tag, ternary
from burn_array._operands cimport place

from burn_array._core.dispatch cimport binary, wrap, unary

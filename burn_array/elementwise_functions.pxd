from burn_array._dispatch cimport binary, tag, unary

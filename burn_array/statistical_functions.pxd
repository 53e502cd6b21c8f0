from burn_array._core.dispatch cimport extreme, reduction, reduction_in

from burn_array._dispatch cimport extreme, reduction, reduction_in

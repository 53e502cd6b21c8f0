"""Programs as graphs: recorded by ``trace`` and ``capture``, replayed on any device, saved in files, exported to ONNX.

``burn_array.program_functions`` has the functions that users call.
"""

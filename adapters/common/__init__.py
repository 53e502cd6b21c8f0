"""What several adapters share: functions written over the namespace of a library that resembles NumPy."""

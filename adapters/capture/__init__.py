"""The adapter of the device ``capture``, on which calls are recorded."""

from .adapter import CaptureAdapter as CaptureAdapter

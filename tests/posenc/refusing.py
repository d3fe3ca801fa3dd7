"""What no number may be, and the check that it is refused by name and costs nothing."""

import tracemalloc

import numpy as np
import pytest
from posenc.errors import ParameterError

NOTHING = 64 * 1024  # bytes: messages and small objects
NO_NUMBERS = [None, "7", b"7", [8], np.array([4, 4]), 1j, object(), True]
ZERO = 0
NO_SIZES = [*NO_NUMBERS, ZERO, -1, -512, 10**30, 10**5000, 1.5, 8.0, float("nan"), float("inf")]
NO_REALS = [*NO_NUMBERS, -1.0, float("nan"), float("inf"), -float("inf"), 10**400]


def refused(call, *names):
    """Check that a call raises ParameterError for one of the names, and allocates nothing."""
    tracemalloc.start()
    try:
        with pytest.raises(ParameterError) as caught:
            call()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < NOTHING
    argument, text = caught.value.argument, str(caught.value)
    assert any(argument == name or argument.startswith(f"{name}[") for name in names), text
    assert text.startswith(f"{argument}=")
    assert len(caught.value.expected) > 5

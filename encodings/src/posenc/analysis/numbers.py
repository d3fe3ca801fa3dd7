"""Checks of the arguments of analysis, by name, before anything is computed."""

import numpy as np
import numpy.typing as npt

from posenc.errors import ParameterError

Numbers = npt.NDArray[np.float64]


def require_frequencies(inv_freq: object) -> Numbers:
    """Return radians per token, (P,), float64, P >= 1. Raises ParameterError."""
    array = require_numbers("inv_freq", inv_freq, ndim=1)
    if not array.size:
        raise ParameterError("inv_freq", array, "must hold at least one pair")
    return array


def require_choice(name: str, value: object, choices: tuple[str, ...]) -> None:
    """Raise ParameterError, naming `name`, for anything but one of these words."""
    if not isinstance(value, str) or value not in choices:
        raise ParameterError(name, value, f"must be one of {', '.join(choices)}")


def require_numbers(name: str, value: object, *, ndim: int | None = None) -> Numbers:
    """Return an array of finite float64. Raises ParameterError naming `name`."""
    try:
        array = np.asarray(value)
        numbers = np.issubdtype(array.dtype, np.integer) or np.issubdtype(array.dtype, np.floating)
    except (ValueError, TypeError, RuntimeError):  # a ragged list; a tensor that wants gradients
        numbers = False
    if not numbers:
        raise ParameterError(name, value, "must be an array of real numbers, as numpy reads them")
    if ndim is not None and array.ndim != ndim:
        raise ParameterError(name, array, f"must have {ndim} {'axis' if ndim == 1 else 'axes'}")
    real: Numbers = array.astype(np.float64)
    if not np.isfinite(real).all():
        raise ParameterError(name, array, "must be finite")
    return real

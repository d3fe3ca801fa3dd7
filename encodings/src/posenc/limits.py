"""Limits of a number: whether it keeps them, and how people write them."""


def within(number: float, low: float | None, high: float | None) -> bool:
    """Return whether low <= number <= high; None is no limit."""
    return (low is None or number >= low) and (high is None or number <= high)


def between(low: float | None, high: float | None) -> str:
    """Return "between 2 and 1024", "at least 2", "at most 1024" or nothing."""
    if low is not None and high is not None:
        return f"between {_plain(low)} and {_plain(high)}"
    if low is not None:
        return f"at least {_plain(low)}"
    return f"at most {_plain(high)}" if high is not None else ""


def _plain(number: float) -> str:
    """Return 1024, 0.5 or 1e+15: a limit as people would write it."""
    short = f"{number:g}"
    return str(int(number)) if number == int(number) and abs(number) < 1e12 else short


def multiple(factor: int) -> str:
    """Return "even" or "a multiple of 3"."""
    return "even" if factor == 2 else f"a multiple of {factor}"

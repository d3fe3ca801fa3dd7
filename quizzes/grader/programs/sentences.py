"""Sentences about a program that ran, which no verdict has: the others are the judge's."""

from __future__ import annotations

NOT_SHOWN = "Its numbers are not shown: they must be of a NumPy number type and at most 8 MB."


def call_refused(reason: str) -> str:
    """Say that the call is not Python; begins with a small letter, as a finding does."""
    return f"the call is not Python: {reason}"


def not_finite(nan: int, infinite: int, total: int) -> str:
    """Count what is no finite number."""
    parts = [f"{nan} NaN"] if nan else []
    parts += [f"{infinite} infinite"] if infinite else []
    verb = "is" if nan + infinite == 1 else "are"
    return f"{nan + infinite} of {total} numbers {verb} not finite: {' and '.join(parts)}."


def between(least: str, most: str) -> str:
    """Say between which two all numbers lie."""
    return f"All numbers lie between {least} and {most}."

"""Checks of RoPE's parameters together, beyond the limits of each."""

import numbers
from typing import Any

from posenc.arrays import require_array
from posenc.errors import ParameterError
from posenc.limits import between, within
from posenc.parameters import parameters

DIVISORS = (1e-6, 1e6)  # of LongRoPE; searches find 1 to 100

# Words of config files and other libraries, and what they are called here.
NAMES = {
    "partial_rotary_factor": "rotary_share",
    "rotary_pct": "rotary_share",
    "rotary_percentage": "rotary_share",
    "rope_theta": "base",
    "theta": "base",
    "dim": "head_dim",
    "rope_type": "scaling",
    "rope_scaling": "scaling, factor and trained_length",
    "original_max_position_embeddings": "trained_length",
    "max_position_embeddings": "trained_length",
    "beta_fast": "yarn_many_turns",
    "beta_slow": "yarn_few_turns",
    "truncate": "yarn_truncate",
    "low_freq_factor": "llama3_low_factor",
    "high_freq_factor": "llama3_high_factor",
    "short_factor": "longrope_short",
    "long_factor": "longrope_long",
    "rope_interleave": 'pairing="adjacent"',
    "interleaved": 'pairing="adjacent"',
}
WORDS = {
    "pairing": {
        "interleaved": "adjacent",
        "gptj": "adjacent",
        "neox": "half-split",
        "rotate_half": "half-split",
    },
    "scaling": {
        "default": "none",
        "dynamic": "dynamic-ntk",
        "longrope": "none with longrope_short and longrope_long",
        "su": "none with longrope_short and longrope_long",
        "proportional": 'none with share="proportional"',
    },
}


def require_known_names(names: dict[str, Any]) -> None:
    """Raise ParameterError for a name that other libraries use, with the name it has here."""
    for name in names.keys() & NAMES.keys():
        raise ParameterError(name, names[name], f"is not a parameter of Rope; give {NAMES[name]}")


def require_known_words(rope: Any) -> None:
    """Raise ParameterError for a value that other libraries use, with the value it has here."""
    for parameter in parameters(type(rope)):
        value, words = getattr(rope, parameter.name), WORDS.get(parameter.name, {})
        if isinstance(value, str) and value in words:
            expected = f"must be {parameter.validity}; here {value!r} is {words[value]}"
            raise ParameterError(parameter.name, value, expected)


def require_fitting(rope: Any) -> None:
    """Raise ParameterError for parameters that exclude each other; unused ones may be anything.

    The error names the parameter that was changed from its default, or was given.
    """
    if rope.turning % 2:
        expected = f"must leave an even number of the {rope.head_dim} dimensions"
        raise ParameterError("rotary_share", rope.rotary_share, f"{expected}, not {rope.turning}")
    if rope.share == "proportional":
        _require_proportional(rope)
    if rope.scaling == "yarn":
        if rope.base == 1:
            raise ParameterError("base", rope.base, "must be above 1 for yarn")
        _require_over(rope, "yarn_many_turns", "yarn_few_turns")
    if rope.scaling == "llama3":
        _require_over(rope, "llama3_high_factor", "llama3_low_factor", equal=True)
    _require_factors_of_turning(rope)


def _require_proportional(rope: Any) -> None:
    """Raise ParameterError for what nobody has defined with frequencies of 0."""
    if rope.pairing != "half-split":
        raise ParameterError("pairing", rope.pairing, 'must be half-split for share="proportional"')
    if rope.scaling not in {"none", "linear"}:
        expected = 'must be none or linear for share="proportional"'
        raise ParameterError("scaling", rope.scaling, expected)


def _require_factors_of_turning(rope: Any) -> None:
    """Raise ParameterError for a factor of turning dimensions that nothing would read.

    Of mscale and mscale_all_dim one alone is ambiguous: DeepSeek's code takes m(s, mscale) and
    transformers 0.1 ln s + 1 whatever mscale is.
    """
    longrope = bool(rope.longrope_short or rope.longrope_long)
    if rope.attention_factor is not None and rope.scaling != "yarn" and not longrope:
        expected = "must be None without yarn or LongRoPE's divisors"
        raise ParameterError("attention_factor", rope.attention_factor, expected)
    for name, other in (("mscale", "mscale_all_dim"), ("mscale_all_dim", "mscale")):
        value = getattr(rope, name)
        if value and rope.scaling != "yarn":
            raise ParameterError(name, value, "must be 0 without yarn")
        if value and not getattr(rope, other):
            expected = f"must come with {other}: programs differ in what it means alone"
            raise ParameterError(name, value, expected)


def _require_over(rope: Any, high: str, low: str, *, equal: bool = False) -> None:
    larger, smaller = getattr(rope, high), getattr(rope, low)
    if larger > smaller or (equal and larger == smaller):
        return
    below, above = ("at most", "at least") if equal else ("below", "above")
    if larger == getattr(type(rope), high):  # the default
        raise ParameterError(low, smaller, f"must be {below} {high}={larger}")
    raise ParameterError(high, larger, f"must be {above} {low}={smaller}")


def require_divisors(divisors: dict[str, Any], pairs: int) -> dict[str, tuple[float, ...]]:
    """Return LongRoPE's divisors as floats by name; {} for empty tuples alone, which is plain RoPE.

    Raises ParameterError unless all are there, with a number for each pair.
    """
    there = [
        name for name, value in divisors.items() if not (isinstance(value, tuple) and not value)
    ]
    checked = {name: _require_numbers(name, divisors[name], pairs) for name in there}
    for missing in divisors.keys() - checked.keys() if there else ():
        raise ParameterError(there[0], divisors[there[0]], f"must come with {missing}, or neither")
    return checked


def _require_numbers(name: str, value: Any, count: int) -> tuple[float, ...]:
    expected = f"must be {count} numbers {between(*DIVISORS)}, one for each pair"
    listed = value
    if not isinstance(value, list | tuple):
        listed = require_array(name, value, expected).tolist()
    if not isinstance(listed, list | tuple) or len(listed) != count:
        raise ParameterError(name, value, expected)
    if not all(map(_is_divisor, listed)):
        raise ParameterError(name, value, expected)
    return tuple(map(float, listed))


def _is_divisor(value: object) -> bool:
    number = isinstance(value, numbers.Real) and not isinstance(value, bool)
    return number and within(value, *DIVISORS)  # type: ignore[arg-type]

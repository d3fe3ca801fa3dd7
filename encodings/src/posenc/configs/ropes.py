"""From the fields of a rope dictionary, in either spelling, to the encoding of a layer."""

import math
from collections.abc import Mapping
from typing import Any

from posenc.catalog.rope import Rope
from posenc.catalog.rope_2d import Rope2d
from posenc.configs.families import Family
from posenc.configs.fields import MOST_DIMENSIONS, Fields
from posenc.encoding import Encoding
from posenc.errors import ParameterError, named

BASES = {"low": 1.0, "high": 1e15}
ROPE_TYPES = {  # words of rope_type, and the scaling that they are here
    "default": "none",
    "mrope": "none",
    "linear": "linear",
    "dynamic": "dynamic-ntk",
    "yarn": "yarn",
    "llama3": "llama3",
    "longrope": "longrope",
    "su": "longrope",
    "proportional": "proportional",
}


def rope_of(
    fields: Fields,
    scaling: Fields,
    family: Family,
    *,
    head_dim: int,
    base_field: str,
) -> Encoding:
    """Return RoPE, or M-RoPE, as the fields at the top and those of its dictionary say.

    Raises ParameterError that names the field.
    """
    kind = _rope_type(scaling)
    for name in ("rope_type", "type"):
        if family.mrope == "none" and scaling.get(name) == "mrope":
            raise scaling.refuse(name, "is not read by the code of this type, which has no M-RoPE")
    base = fields.same(base_field, scaling, "rope_theta", **BASES)
    if family.released_base is not None:
        older = fields.number(family.released_base, **BASES)
        if None not in (base, older) and base != older:
            raise fields.refuse(family.released_base, f"must agree with the base {base:g}")
        base = older if base is None else base
    if base is None:
        why = "RoPE has no base without it, and a default of some code is not this model's"
        raise fields.missing(base_field, why)
    share = _share(fields, scaling, family, head_dim, kind)
    numbers: dict[str, Any] = {"pairing": family.pairing, "base": base, "rotary_share": share}
    names = {"base": base_field, "rotary_share": "partial_rotary_factor"}
    encoding: Encoding
    if family.mrope != "none":
        encoding = _mrope(scaling, family, numbers, kind, int(share * head_dim) // 2, head_dim)
    else:
        extra, its = _scaled(fields, scaling, family, kind, int(share * head_dim) // 2)
        with named(**{**names, **its}):
            encoding = Rope(head_dim=head_dim, **{**numbers, **extra})
    scaling.refuse_unread(every=True)
    return encoding


def _rope_type(scaling: Fields) -> str:
    here, old = scaling.word("rope_type"), scaling.word("type")
    if here is not None and old is not None and ROPE_TYPES.get(here) != ROPE_TYPES.get(old):
        raise scaling.refuse("type", f"must agree with rope_type={here}")
    name = "rope_type" if here is not None else "type"
    word = here or old
    if word is None:
        others = {*scaling.names()} - {"rope_theta", "partial_rotary_factor", "mrope_section"}
        if others:
            raise scaling.missing("rope_type", f"{sorted(others)[0]} has no meaning without it")
        return "none"
    if word not in ROPE_TYPES:
        raise scaling.refuse(name, f"must be one of {', '.join(ROPE_TYPES)}")
    return ROPE_TYPES[word]


def _share(fields: Fields, scaling: Fields, family: Family, head_dim: int, kind: str) -> float:
    """Return the share of dimensions that turn. Raises ParameterError."""
    if family.columns_stated:
        return 1.0  # the columns that turn are all of what is read here
    share = fields.same(
        "partial_rotary_factor", scaling, "partial_rotary_factor", low=0.0, high=1.0
    )
    percent = fields.number("rotary_pct", low=0.0, high=1.0)
    width = fields.whole("rotary_dim", high=MOST_DIMENSIONS)
    if width is not None and width > head_dim:
        raise fields.refuse("rotary_dim", f"must be at most head_dim={head_dim}")
    stated = {
        "partial_rotary_factor": share,
        "rotary_pct": percent,
        "rotary_dim": None if width is None else _share_of(width, head_dim),
    }
    values = {name: value for name, value in stated.items() if value is not None}
    read = {*family.shares, *(("partial_rotary_factor",) if kind == "proportional" else ())}
    for name, value in values.items():
        if name not in read and value != 1:
            place = fields if fields.has(name) else scaling
            raise place.refuse(
                name, "is not read by the code of this type, which turns whole heads"
            )
    if len(set(values.values())) > 1:
        name = sorted(values)[-1]
        raise fields.refuse(name, f"must agree with {sorted(values)[0]}")
    if values:
        return next(iter(values.values()))
    if not family.whole_head:
        why = "the code of this type turns a part of each head, by a default of its own"
        raise fields.missing("partial_rotary_factor", why)
    return 1.0


def _share_of(width: int, head_dim: int) -> float:
    """Return a share whose product with head_dim is not below a whole width by rounding."""
    share = width / head_dim
    return share if int(share * head_dim) == width else math.nextafter(share, 1.0)


def _mrope(
    scaling: Fields,
    family: Family,
    numbers: Mapping[str, Any],
    kind: str,
    pairs: int,
    head_dim: int,
) -> Rope2d:
    if kind != "none":
        name = "rope_type" if scaling.has("rope_type") else "type"
        raise scaling.refuse(name, "must be default or mrope with M-RoPE")
    sections = scaling.listed("mrope_section", length=3)
    if sections is None:
        raise scaling.missing("mrope_section", "the code has a default")
    counts = [
        count if isinstance(count, int) and not isinstance(count, bool) else -1
        for count in sections
    ]
    if min(counts) < 0 or sum(counts) != pairs:
        raise scaling.refuse("mrope_section", f"must be 3 whole numbers that add up to {pairs}")
    stated = scaling.flag("mrope_interleaved")
    interleaved = family.mrope == "interleaved"
    if stated is not None and stated != interleaved:
        expected = f"must be {str(interleaved).lower()}, as the code of this type has it"
        raise scaling.refuse("mrope_interleaved", expected)
    time, height, width = counts
    axes = {f"{axis}_pairs": 'rope_parameters["mrope_section"]' for axis in ("height", "width")}
    with named(base="rope_theta", rotary_share="partial_rotary_factor", **axes):
        turned = Rope2d(
            time_pairs=time,
            height_pairs=height,
            width_pairs=width,
            interleaved=interleaved,
            **numbers,
        )
    if turned.head_dim != head_dim:
        raise scaling.refuse("mrope_section", f"must fit head_dim={head_dim}")
    return turned


def _scaled(
    fields: Fields, scaling: Fields, family: Family, kind: str, pairs: int
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the parameters of a scaling, and the field of each for errors."""
    if kind == "none":
        _forget_neutral(scaling)
        return {}, {}
    readers = {
        "linear": _linear,
        "dynamic-ntk": _dynamic,
        "yarn": _yarn,
        "llama3": _llama3,
        "longrope": _longrope,
        "proportional": _proportional,
    }
    values = readers[kind](fields, scaling, family, pairs)
    return (
        {name: value for name, (value, _) in values.items()},
        {name: scaling.name(field) for name, (_, field) in values.items()},
    )


Values = dict[str, tuple[Any, str]]  # parameter -> its value and its field


def _forget_neutral(scaling: Fields) -> None:
    """Count a factor of 1 as read: it stretches nothing."""
    if scaling.number("factor", low=1.0, high=1.0) is not None:
        scaling.note(f"{scaling.name('factor')} is 1 and changes nothing")


def _factor(scaling: Fields) -> tuple[float, str]:
    factor = scaling.number("factor", low=1.0, high=1e6)
    if factor is None:
        raise scaling.missing("factor", "the scaling needs it")
    return factor, "factor"


def _trained(fields: Fields, scaling: Fields) -> tuple[int, str]:
    """Return the trained length, in the dictionary or at the top. Raises ParameterError."""
    name = "original_max_position_embeddings"
    bounds = {"low": 2.0, "high": 2.0**31}
    trained = fields.same(name, scaling, name, **bounds)
    if trained is None:
        raise scaling.missing(name, "the scaling is relative to it")
    if trained != int(trained):
        raise scaling.refuse(name, "must be a whole number")
    return int(trained), name


def _linear(fields: Fields, scaling: Fields, family: Family, pairs: int) -> Values:
    del fields, family, pairs
    return {"scaling": ("linear", "rope_type"), "factor": _factor(scaling)}


def _dynamic(fields: Fields, scaling: Fields, family: Family, pairs: int) -> Values:
    del family, pairs
    trained = fields.whole("max_position_embeddings", low=2)
    if trained is None:
        raise fields.missing("max_position_embeddings", "dynamic scaling begins beyond it")
    return {
        "scaling": ("dynamic-ntk", "rope_type"),
        "factor": _factor(scaling),
        "trained_length": (trained, "max_position_embeddings"),
    }


def _yarn(fields: Fields, scaling: Fields, family: Family, pairs: int) -> Values:
    del pairs
    values: Values = {
        "scaling": ("yarn", "rope_type"),
        "factor": _factor(scaling),
        "trained_length": _trained(fields, scaling),
    }
    for name, field, usual in (
        ("yarn_many_turns", "beta_fast", 32.0),
        ("yarn_few_turns", "beta_slow", 1.0),
    ):
        turns = scaling.number(field, low=1e-3, high=1e6)
        if turns is None:
            scaling.note(f"{field} is not in the file; {usual:g} is the YaRN paper's number.")
        values[name] = (usual if turns is None else turns, field)
    truncate = scaling.flag("truncate")
    if truncate is None:
        scaling.note("truncate is not in the file; true is what programs have.")
    values["yarn_truncate"] = (truncate is None or truncate, "truncate")
    factor = scaling.number("attention_factor", low=1e-3, high=1e3)
    factor = family.yarn_temperature if factor is None else factor
    above = scaling.number("mscale", low=0.0, high=1e3)
    below = scaling.number("mscale_all_dim", low=0.0, high=1e3)
    if factor is not None:
        values["attention_factor"] = (factor, "attention_factor")
    if family.decoupled:
        values["mscale"] = (above or 0.0, "mscale")
        values["mscale_all_dim"] = (below or 0.0, "mscale_all_dim")
    elif above or below:  # elsewhere only the temperature follows from them
        names = {name: scaling.name(name) for name in ("mscale", "mscale_all_dim")}
        with named(**names):
            temperature = Rope(
                scaling="yarn",
                factor=values["factor"][0],
                mscale=above or 0.0,
                mscale_all_dim=below or 0.0,
            ).temperature
        if factor is None:
            values["attention_factor"] = (temperature, "mscale")
    return values


def _llama3(fields: Fields, scaling: Fields, family: Family, pairs: int) -> Values:
    del family, pairs
    values: Values = {
        "scaling": ("llama3", "rope_type"),
        "factor": _factor(scaling),
        "trained_length": _trained(fields, scaling),
    }
    for name, field in (
        ("llama3_low_factor", "low_freq_factor"),
        ("llama3_high_factor", "high_freq_factor"),
    ):
        value = scaling.number(field, low=1e-3, high=1e6)
        if value is None:
            raise scaling.missing(field, "llama3 scaling needs it")
        values[name] = (value, field)
    return values


def _longrope(fields: Fields, scaling: Fields, family: Family, pairs: int) -> Values:
    del family
    trained, name = _trained(fields, scaling)
    values: Values = {"trained_length": (trained, name)}
    for parameter, field in (("longrope_short", "short_factor"), ("longrope_long", "long_factor")):
        divisors = scaling.listed(field, length=pairs)
        if divisors is None:
            raise scaling.missing(field, "LongRoPE divides each frequency by its own number")
        values[parameter] = (tuple(divisors), field)
    factor = scaling.number("factor", low=1.0, high=1e6)
    temperature = scaling.number("attention_factor", low=1e-3, high=1e3)
    context = fields.whole("max_position_embeddings", low=2)
    if factor is None and (context is None or context < trained):
        raise scaling.missing("factor", "or max_position_embeddings, which states the length")
    by_length = None if context is None else context / trained
    # The temperature follows it, and versions of the code differ in which of both they take. Files
    # round it, as the error here does; a context below the trained length says nothing of it.
    is_free = by_length is None or by_length < 1 or temperature is not None
    if factor and by_length and not (is_free or math.isclose(factor, by_length, rel_tol=1e-4)):
        raise scaling.refuse("factor", f"must be {by_length:g}, as max_position_embeddings says")
    values["factor"] = (factor or by_length, "factor")
    if temperature is not None:
        values["attention_factor"] = (temperature, "attention_factor")
    return values


def _proportional(fields: Fields, scaling: Fields, family: Family, pairs: int) -> Values:
    del family, pairs
    if not (scaling.has("partial_rotary_factor") or fields.has("partial_rotary_factor")):
        raise scaling.missing("partial_rotary_factor", "it says how many pairs turn")
    values: Values = {"share": ("proportional", "rope_type")}
    factor = scaling.number("factor", low=1.0, high=1e6)
    if factor is not None:
        values |= {"scaling": ("linear", "rope_type"), "factor": (factor, "factor")}
    return values


def require_dictionary(fields: Fields, name: str) -> Fields:
    """Return the fields of a dictionary, none where it is null or not there. Raises."""
    value = fields.get(name)
    if value is None:
        return Fields({}, fields.name(name))
    if not isinstance(value, Mapping):
        raise ParameterError(fields.name(name), value, "must be a dictionary or null")
    return Fields(value, fields.name(name))

"""Which layers of a config slide, are chunked, have RoPE at all: one entry for each layer."""

from collections.abc import Callable
from dataclasses import dataclass

from posenc.configs.families import Family, LayerType
from posenc.configs.fields import Fields
from posenc.stack import MOST_LAYERS, MOST_TOKENS

# Words of `layer_types` in config files, and what they are here.
WORDS: dict[str, LayerType] = {
    "full_attention": "full",
    "attention": "full",
    "sliding_attention": "sliding",
    "chunked_attention": "chunked",
    "linear_attention": "recurrent",
    "mamba": "recurrent",
    "compressed_sparse_attention": "compressed",
    "heavily_compressed_attention": "compressed",
}


@dataclass(frozen=True)
class LayerTypes:
    """The type of each layer, whether it has RoPE, its window or chunk."""

    types: tuple[LayerType, ...]
    turning: tuple[bool, ...]
    window: int | None
    chunk: int | None


def read_layer_types(fields: Fields, family: Family) -> LayerTypes:
    """Return the types of all layers. Raises ParameterError that names the field."""
    count = _count(fields)
    flags = _flags(fields, family, count)
    types = _types(fields, family, count, flags)
    if family.turning == "sliding":
        flags = [kind == "sliding" for kind in types]
        if family.turns_without_window and "sliding" not in types:
            if not fields.has("sliding_window") and not fields.is_null("sliding_window"):
                why = "the code has a default; with null all layers have RoPE, else none of these"
                raise fields.missing("sliding_window", why)
            flags = [not fields.has("sliding_window")] * count
    flags = [flag and kind != "recurrent" for flag, kind in zip(flags, types, strict=True)]
    window = chunk = None
    if "sliding" in types:
        window = _window(fields, family)
    if "chunked" in types:
        chunk = fields.whole("attention_chunk_size")
        if chunk is None:
            raise fields.missing("attention_chunk_size", "layers are chunked")
    _forget_unused(fields, family, types)
    return LayerTypes(tuple(types), tuple(flags), window, chunk)


def _count(fields: Fields) -> int:
    name = "num_hidden_layers" if fields.has("num_hidden_layers") else "n_layer"
    count = fields.whole(name, high=MOST_LAYERS)
    if count is None:
        raise fields.missing("num_hidden_layers", "the stack has so many layers")
    return count


def _flags(fields: Fields, family: Family, count: int) -> list[bool]:
    """Return whether each layer has RoPE, as fields say it; True where no field is about it."""
    if family.turning == "bases":
        bases = fields.listed("layer_rope_theta", length=count)
        if bases is None:
            raise fields.missing("layer_rope_theta", "0 there says which layers have no RoPE")
        for base in bases:
            if isinstance(base, bool) or not isinstance(base, int | float):
                raise fields.refuse(
                    "layer_rope_theta", "must be numbers, 0 for layers without RoPE"
                )
        return [base != 0 for base in bases]
    if family.turning != "flags":
        return [True] * count
    listed = fields.listed("no_rope_layers")
    interval = fields.whole("no_rope_layer_interval", high=MOST_LAYERS)
    if listed:
        if len(listed) != count:
            raise fields.refuse("no_rope_layers", f"must have {count} entries, 1 for RoPE")
        if not all(isinstance(flag, int) and flag in (0, 1) for flag in listed):
            raise fields.refuse("no_rope_layers", "must be 1 for layers with RoPE, 0 for others")
        flags = [bool(flag) for flag in listed]
        if interval is not None and _at_intervals(interval, count) != flags:
            raise fields.refuse("no_rope_layer_interval", "must agree with no_rope_layers")
        return flags
    if interval is None:
        why = "without it or no_rope_layers the layers with RoPE are a default of the code"
        raise fields.missing("no_rope_layer_interval", why)
    return _at_intervals(interval, count)


def _at_intervals(interval: int, count: int) -> list[bool]:
    return [bool((place + 1) % interval) for place in range(count)]


def _types(fields: Fields, family: Family, count: int, flags: list[bool]) -> list[LayerType]:
    order = fields.word("order_of_interleaved_layers")
    if order not in (None, "local_attn_first"):  # Cohere 2's word for windows before full layers
        raise fields.refuse("order_of_interleaved_layers", "must be local_attn_first")
    rules: dict[str, Callable[[], list[LayerType]]] = {
        "none": lambda: ["full"] * count,
        "all": lambda: _all(fields, family, count),
        "switch": lambda: _by_switch(fields, count),
        "flag": lambda: _by_flag(fields, count),
        "types": lambda: _by_pattern(fields, family, count, flags),
    }
    name = "layer_types" if fields.has("layer_types") else "layers_block_type"
    listed = fields.listed(name, length=count)
    if listed is None:
        return rules[family.windows]()
    types = _listed(fields, family, name, listed)
    if family.windows in ("flag", "types"):
        _require_agreement(fields, family, name, types)
    elif types != rules[family.windows]():
        raise fields.refuse(name, "is not read by the code of this type, whose layers are not so")
    return types


def _require_agreement(fields: Fields, family: Family, name: str, types: list[LayerType]) -> None:
    """Raise ParameterError where listed types and another field of them do not agree.

    The code takes the list, and what the other field was written for is then lost.
    """
    if family.last_full and types[-1] != "full":
        raise fields.refuse(name, "must end with full_attention: the code makes it so")
    if family.switched and "sliding" in types and not fields.flag("use_sliding_window"):
        raise fields.refuse(name, "must not slide: the code does so with use_sliding_window alone")
    if family.windows == "flag":
        first = fields.whole("max_window_layers", low=0)
        slides = fields.flag("use_sliding_window") and fields.has("sliding_window")
        regular = _from(first, len(types)) if slides and first is not None else types
        if regular != types:
            raise fields.refuse("max_window_layers", f"must agree with {name}")
    for pattern in family.pattern:
        if fields.has(pattern):
            every: int | str | None = fields.get(pattern)
            if not isinstance(every, str) or family.turning != "sliding":
                every = fields.whole(pattern, high=MOST_LAYERS) or 1
            if _every(every, family, len(types)) != types:
                raise fields.refuse(pattern, f"must agree with {name}")


def _listed(fields: Fields, family: Family, name: str, listed: list[object]) -> list[LayerType]:
    for word in listed:
        if not isinstance(word, str) or WORDS.get(word) not in family.kinds:
            known = ", ".join(word for word, kind in WORDS.items() if kind in family.kinds)
            raise fields.refuse(name, f"has {str(word)[:40]!r}; the types known here are {known}")
    return [WORDS[str(word)] for word in listed]


def _all(fields: Fields, family: Family, count: int) -> list[LayerType]:
    if fields.has("sliding_window"):
        return ["sliding"] * count
    if family.window_default and not fields.is_null("sliding_window"):
        raise fields.missing("sliding_window", "the code has a default; null is no window")
    return ["full"] * count


def _by_switch(fields: Fields, count: int) -> list[LayerType]:
    if not fields.flag("use_sliding_window"):
        fields.forget("sliding_window", "max_window_layers")
        return ["full"] * count
    return ["sliding" if fields.has("sliding_window") else "full"] * count


def _by_flag(fields: Fields, count: int) -> list[LayerType]:
    if not fields.flag("use_sliding_window"):
        fields.forget("sliding_window", "max_window_layers")
        return ["full"] * count
    first = fields.whole("max_window_layers", low=0)
    if first is None:
        raise fields.missing("max_window_layers", "the layers from there on have the window")
    return _from(first, count)


def _from(first: int, count: int) -> list[LayerType]:
    return ["full" if place < first else "sliding" for place in range(count)]


def _by_pattern(fields: Fields, family: Family, count: int, flags: list[bool]) -> list[LayerType]:
    if family.turning == "flags":
        return _by_rope(fields, family, flags)
    every = family.every
    for name in family.pattern:
        if fields.has(name) and every not in (None, fields.get(name)):
            raise fields.refuse(name, f"must agree with {family.pattern[0]}")
        every = fields.whole(name, high=MOST_LAYERS) or every
    if every is None:
        names = " or ".join(("layer_types", *family.pattern[:1]))
        why = f"{names} says which layers differ, and the code has a default"
        raise fields.missing("layer_types", why)
    return _every(every, family, count)


def _every(every: int | str, family: Family, count: int) -> list[LayerType]:
    """Return types with a full layer after so many others, or those of EXAONE 4's letters, LLLG."""
    other: LayerType = "recurrent" if "recurrent" in family.kinds else "sliding"
    if isinstance(every, str):
        letters = every or "G"
        return ["full" if letters[at % len(letters)] == "G" else other for at in range(count)]
    shift = 0 if family.first_full else 1
    return ["full" if (place + shift) % every == 0 else other for place in range(count)]


def _by_rope(fields: Fields, family: Family, flags: list[bool]) -> list[LayerType]:
    """Return the types of Llama 4, whose layers with RoPE are chunked, or of SmolLM3."""
    if "chunked" in family.kinds:
        if fields.has("attention_chunk_size"):
            return ["chunked" if flag else "full" for flag in flags]
        if not fields.is_null("attention_chunk_size"):
            raise fields.missing("attention_chunk_size", "the code has a default; null is no chunk")
        return ["full"] * len(flags)
    slides = bool(fields.flag("use_sliding_window")) and fields.has("sliding_window")
    return ["sliding" if slides and not flag else "full" for flag in flags]


def _window(fields: Fields, family: Family) -> int:
    """Return how many keys a query sees, itself counted."""
    if not family.causal:  # local_attention // 2 on each side
        across = fields.whole("local_attention", high=MOST_TOKENS)
        if across is None:
            raise fields.missing("local_attention", "layers have a window")
        return 2 * (across // 2) + 1
    window = fields.whole("sliding_window")
    if window is None:
        raise fields.missing("sliding_window", "layers have a window")
    return window


def _forget_unused(fields: Fields, family: Family, types: list[LayerType]) -> None:
    """Count as read what the code reads and, with these layers, does nothing with."""
    if "sliding" not in types and family.windows != "none" and "sliding" in family.kinds:
        fields.forget("sliding_window" if family.causal else "local_attention")
    if "chunked" not in types and "chunked" in family.kinds:
        fields.forget("attention_chunk_size")
    if family.switched:
        fields.flag("use_sliding_window")
    elif "sliding" in types and fields.flag("use_sliding_window") is False:
        raise fields.refuse("use_sliding_window", "must not be false: layers have a window")

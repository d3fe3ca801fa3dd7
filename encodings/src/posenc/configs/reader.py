"""`read_config`: from the dictionary of a config.json to the layers of a model.

Source: the fields of transformers 5.24.0, configuration_*.py and modeling_rope_utils.py
(Apache-2.0), in the old spelling (rope_theta, rope_scaling) and the new one (rope_parameters).
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from posenc.catalog.alibi import Alibi
from posenc.catalog.learned import Learned
from posenc.catalog.nope import NoPE
from posenc.catalog.rope import Rope
from posenc.configs.families import FAMILIES, SAME_AS, WRAPPERS, Family, LayerType
from posenc.configs.fields import MOST_DIMENSIONS, Fields
from posenc.configs.layer_types import LayerTypes, read_layer_types
from posenc.configs.ropes import require_dictionary, rope_of
from posenc.encoding import Encoding
from posenc.errors import ParameterError
from posenc.stack import Layer, Stack, Temperature

LABELS: dict[LayerType, str] = {
    "full": "full_attention",
    "sliding": "sliding_attention",
    "chunked": "chunked_attention",
    "compressed": "compress",
}
LEARNED = {"gpt2": ("n_positions", "n_embd"), "bert": ("max_position_embeddings", "hidden_size")}


def read_config(config: Mapping[str, Any]) -> Stack:
    """Return the layers of a model as its config.json, read into a dictionary, states them.

    A field that its name says is of position and that cannot be honoured, a type that is not known,
    a field without which the default of some code would decide: each is a ParameterError that names
    the field. So is one that the code of the type does not read, unless it agrees with the layers.
    Names that `fields.OF_POSITION` does not know are taken for fields of something else. Where a
    file is silent and programs agree, a sentence in `notes` says so. Sizes are checked before any
    array is made: at most 1024 layers, 65536 dimensions, finite numbers. Nothing is opened or
    fetched.

    >>> llama = {"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64,
    ...     "num_attention_heads": 8, "rope_theta": 10000.0}
    >>> read_config(llama).frequencies().round(4).tolist()
    [[1.0, 0.1, 0.01, 0.001], [1.0, 0.1, 0.01, 0.001]]
    """
    fields = Fields(config)
    if fields.has("text_config"):
        outer, kind = fields, fields.word("model_type")
        if kind is not None and kind not in {*WRAPPERS, *SAME_AS, *FAMILIES}:
            raise _unknown(fields)
        fields = Fields(fields.get("text_config"), "text_config")
        outer.refuse_unread()
        if outer.has("vision_config"):
            fields.note("vision_config is a model of its own and is not read.")
        if fields.has("text_config"):
            raise fields.refuse("text_config", "must not have a text_config of its own")
    kind = fields.word("model_type")
    if kind is None:
        raise fields.missing("model_type", "it says which code reads the other fields")
    stack = _without_rope(fields, kind) or _with_rope(fields, kind)
    fields.refuse_unread()
    return Stack(stack.layers, stack.context, (*stack.notes, *fields.notes))


def _unknown(fields: Fields) -> ParameterError:
    known = ", ".join(sorted({*FAMILIES, *LEARNED, "bloom"}))
    expected = (
        "is not known here, and its code may do what no field says. If you know that it does as"
        f" one of these, write that one instead: {known}"
    )
    return fields.refuse("model_type", expected)


def _without_rope(fields: Fields, kind: str) -> Stack | None:
    """Return the layers of a model without RoPE, None for one that has it."""
    if kind in LEARNED:
        return _learned(fields, *LEARNED[kind])
    if kind == "falcon" and fields.flag("alibi"):
        expected = "must be false: the code of falcon divides its biases by sqrt(D) with the scores"
        raise fields.refuse("alibi", f"{expected}, which ALiBi here does not")
    if kind == "bloom":
        return Stack((Layer(_alibi(fields)),) * _layers(fields))
    if kind == "granitemoehybrid":
        return _granite(fields)
    return None


def _alibi(fields: Fields) -> Alibi:
    name = "n_head" if fields.has("n_head") else "num_attention_heads"
    heads = fields.whole(name)
    if heads is None:
        raise fields.missing("n_head", "ALiBi has a slope for each head")
    try:
        return Alibi(n_heads=heads)
    except ParameterError as error:
        raise fields.refuse(name, error.expected) from error


def _layers(fields: Fields) -> int:
    return len(read_layer_types(fields, Family()).types)


def _learned(fields: Fields, rows: str, columns: str) -> Stack:
    kind = fields.word("position_embedding_type")
    if kind not in (None, "absolute"):
        raise fields.refuse("position_embedding_type", "must be absolute: no other is read here")
    if fields.flag("is_decoder") and columns == "hidden_size":
        raise fields.refuse("is_decoder", "must be false: as a decoder BERT sees no later text")
    length, width = fields.whole(rows, high=2**24), fields.whole(columns, high=MOST_DIMENSIONS)
    for name, value in ((rows, length), (columns, width)):
        if value is None:
            raise fields.missing(name, "the learned table has this size")
    table = Learned(max_len=length or 1, d_model=width or 1)
    causal = columns == "n_embd"
    notes = ["The learned table is added to the embeddings, before the first layer."]
    if kind is None and not causal:
        notes.append("position_embedding_type is not in the file; absolute is what its code has.")
    return Stack((Layer(table, causal=causal),) * _layers(fields), length, tuple(notes))


def _granite(fields: Fields) -> Stack | None:
    kind = fields.word("position_embedding_type")
    if kind == "rope":
        return None
    if kind not in (None, "nope"):
        raise fields.refuse("position_embedding_type", "must be rope or nope")
    if kind is None:
        raise fields.missing("position_embedding_type", "the code has a default")
    types = read_layer_types(fields, FAMILIES["granitemoehybrid"])
    fields.forget("rope_theta", "rope_scaling", "rope_parameters")  # nothing there turns
    layers = tuple(
        Layer(NoPE(), kind="recurrent" if layer_type == "recurrent" else "attention")
        for layer_type in types.types
    )
    return Stack(layers, fields.whole("max_position_embeddings"))


def _with_rope(fields: Fields, kind: str) -> Stack:
    family = FAMILIES.get(SAME_AS.get(kind, kind))
    if family is None:
        raise _unknown(fields)
    if family.decoupled and fields.flag("rope_interleave") is False:
        family = replace(family, pairing="half-split")
    types = read_layer_types(fields, family)
    _require_one_direction(fields, family)
    if any(number != 1 for number in fields.listed("attn_type_list") or ()):
        raise fields.refuse("attn_type_list", "must be 1 everywhere, which is usual attention")
    _require_rope_of(fields, family)
    context = fields.whole("max_position_embeddings")
    encodings = {
        layer_type: _encoding(fields, family, layer_type, kind)
        for layer_type in dict.fromkeys(
            layer_type
            for layer_type, turns in zip(types.types, types.turning, strict=True)
            if turns
        )
    }
    if family.local_base is not None and "sliding" not in types.types:
        fields.forget(family.local_base)
    if not encodings:  # Cohere 2 without a window: nothing turns
        fields.forget("rope_theta", "rope_scaling", "rope_parameters")
    if family.turning == "bases":
        _require_equal_bases(fields, types, encodings)
    temperature = _temperature(fields, kind)
    layers = [
        _layer(fields, family, types, place, encodings, temperature, kind)
        for place in range(len(types.types))
    ]
    return Stack(tuple(layers), context)


def _require_rope_of(fields: Fields, family: Family) -> None:
    """Raise ParameterError for a word of position other than those that stand for RoPE here."""
    word = fields.word("position_embedding_type")
    if word not in (None, "rope", family.position_word):
        raise fields.refuse("position_embedding_type", f"must be {family.position_word or 'rope'}")
    if word == "absolute":
        fields.note("position_embedding_type is absolute, and the code has RoPE all the same.")


def _require_equal_bases(
    fields: Fields, types: LayerTypes, encodings: Mapping[LayerType, Encoding]
) -> None:
    """Raise ParameterError for a base of a layer that is neither 0 nor that of the encoding.

    The code tells 0 from the rest and turns by the base of the rope dictionary.
    """
    for layer_type, base in zip(types.types, fields.get("layer_rope_theta"), strict=True):
        encoding = encodings.get(layer_type)
        if base and isinstance(encoding, Rope) and base != encoding.base:
            raise fields.refuse("layer_rope_theta", f"must be 0 or the base {encoding.base:g}")


def _require_one_direction(fields: Fields, family: Family) -> None:
    """Raise ParameterError for text that sees later text in a type that is causal here."""
    if fields.flag("is_causal") not in (None, family.causal):
        expected = f"must be {str(family.causal).lower()}, as the code of this type has it"
        raise fields.refuse("is_causal", expected)
    both = fields.get("use_bidirectional_attention")
    if both == "vision":
        fields.note("Tokens of one picture see each other, whatever the masks here say.")
    elif both not in (None, False):
        raise fields.refuse("use_bidirectional_attention", "must be false or vision")


def _layer(
    fields: Fields,
    family: Family,
    types: LayerTypes,
    place: int,
    encodings: Mapping[LayerType, Encoding],
    temperature: Temperature | None,
    kind: str,
) -> Layer:
    layer_type, turns = types.types[place], types.turning[place]
    if layer_type == "recurrent":
        return Layer(NoPE(), kind="recurrent")
    warm = temperature if kind == "ministral3" or not turns else None  # Llama 4: without RoPE only
    return Layer(
        encodings[layer_type] if turns else NoPE(),
        window=types.window if layer_type == "sliding" else None,
        chunk=types.chunk if layer_type == "chunked" else None,
        temperature=warm,
        causal=family.causal,
        sink=family.sink,
        unturned=_unturned(fields, family) if turns else 0,
        kind="compressed" if layer_type == "compressed" else "attention",
    )


def _unturned(fields: Fields, family: Family) -> int:
    """Return how many columns of a head come before those that turn."""
    if family.decoupled:
        width = fields.whole("qk_nope_head_dim", high=MOST_DIMENSIONS)
        if width is None:
            raise fields.missing("qk_nope_head_dim", "the first columns of a head do not turn")
        return width
    if family.columns_stated:
        return _head_dim(fields, family, "full") - _turning_width(fields)
    return 0


def _turning_width(fields: Fields) -> int:
    width = fields.whole("qk_rope_head_dim", low=2, high=MOST_DIMENSIONS)
    if width is None:
        raise fields.missing("qk_rope_head_dim", "so many columns of a head turn")
    return width


def _head_dim(fields: Fields, family: Family, layer_type: LayerType) -> int:
    """Return the columns of a head in layers of one type. Raises ParameterError."""
    width = fields.whole("head_dim", low=2, high=MOST_DIMENSIONS)
    if family is FAMILIES["gemma4_text"] and layer_type == "full":
        width = fields.whole("global_head_dim", low=2, high=MOST_DIMENSIONS)
        if width is None:
            raise fields.missing("global_head_dim", "full layers have heads of their own width")
    if width is not None:
        return width
    if family.own_head_dim:
        raise fields.missing("head_dim", "the code has a default that is not hidden / heads")
    names = (("hidden_size", "n_embd"), ("num_attention_heads", "n_head"))
    hidden, heads = (_first(fields, *pair) for pair in names)
    if hidden % heads:
        raise fields.refuse("hidden_size", f"must be a multiple of num_attention_heads={heads}")
    return hidden // heads


def _first(fields: Fields, name: str, other: str) -> int:
    value = fields.whole(name if fields.has(name) else other, high=MOST_DIMENSIONS)
    if value is None:
        raise fields.missing(name, "or head_dim: a head has so many columns")
    return value


def _encoding(fields: Fields, family: Family, layer_type: LayerType, kind: str) -> Encoding:
    """Return the RoPE of layers of one type. Raises ParameterError."""
    if family.decoupled or family.columns_stated:
        head_dim = _turning_width(fields)
        fields.forget("head_dim", "qk_head_dim")
    else:
        head_dim = _head_dim(fields, family, layer_type)
    scaling, base_field = _dictionary(fields, family, layer_type)
    if kind == "ministral3":
        scaling.forget("llama_4_scaling_beta", "max_position_embeddings")
    if family.columns_stated:
        _require_its_share(fields, scaling, family, head_dim)
    encoding = rope_of(fields, scaling, family, head_dim=head_dim, base_field=base_field)
    for note in scaling.notes:
        fields.note(note)
    return encoding


def _require_its_share(fields: Fields, scaling: Fields, family: Family, width: int) -> None:
    """Raise ParameterError for a share or a YaRN that DeepSeek-V4's code takes in another way."""
    whole = _head_dim(fields, family, "full")
    for place in (fields, scaling):
        share = place.number("partial_rotary_factor", low=0.0, high=1.0)
        if share is not None and abs(share * whole - width) > 1e-6:
            expected = f"must be {width / whole:g}: qk_rope_head_dim={width} of head_dim={whole}"
            raise place.refuse("partial_rotary_factor", expected)
    yarn = "yarn" in (scaling.get("rope_type"), scaling.get("type"))
    if yarn and fields.has("rope_parameters") and not scaling.has("attention_factor"):
        why = "the code has 1 for rope_scaling alone, and the model was trained with it"
        raise scaling.missing("attention_factor", why)


def _dictionary(fields: Fields, family: Family, layer_type: LayerType) -> tuple[Fields, str]:
    """Return the rope dictionary of layers of one type, and the field at the top with its base."""
    if fields.has("rope_parameters") and fields.has("rope_scaling"):
        raise fields.refuse("rope_scaling", "must not come with rope_parameters: give one of both")
    local = layer_type == "sliding"
    base_field = family.local_base if local and family.local_base else family.full_base
    label = LABELS[layer_type]
    if family.columns_stated:
        base_field = "compress_rope_theta" if layer_type == "compressed" else "rope_theta"
        label = "compress" if layer_type == "compressed" else "main"
    if not fields.has("rope_parameters"):
        scaling = require_dictionary(fields, "rope_scaling")
        plain = local and family.scaled == "full"
        plain = plain or (family.columns_stated and layer_type != "compressed")
        return (Fields({}, "rope_scaling") if plain else scaling), base_field
    parameters = require_dictionary(fields, "rope_parameters")
    nested = [name for name in parameters.names() if isinstance(parameters.get(name), Mapping)]
    if not nested:
        plain = all(parameters.word(name) in (None, "default") for name in ("rope_type", "type"))
        differ = family.local_base is not None or family.columns_stated
        if parameters.names() and (differ or (family.scaled == "full" and not plain)):
            expected = "must have a dictionary for each layer type: their RoPE is not the same"
            raise fields.refuse("rope_parameters", expected)
        return parameters, base_field
    for name in parameters.names():
        if name == "rope_type" and parameters.get(name) == "default":
            continue  # transformers leaves it next to the dictionaries when it saves a file
        if name not in nested:
            raise parameters.refuse(name, "must be in the dictionary of a layer type")
        if name not in {*LABELS.values(), "main"}:
            raise parameters.refuse(name, f"must be one of {', '.join(LABELS.values())}")
    if not parameters.has(label):
        raise parameters.missing(label, "layers of this type have RoPE")
    return require_dictionary(parameters, label), base_field


def _temperature(fields: Fields, kind: str) -> Temperature | None:
    """Return the temperature of queries, None without one. Raises ParameterError."""
    if kind == "ministral3":
        name = "rope_parameters" if fields.has("rope_parameters") else "rope_scaling"
        scaling = require_dictionary(fields, name)
        beta = scaling.number("llama_4_scaling_beta", low=0.0, high=1e3)
        length = scaling.whole("original_max_position_embeddings")
        if beta is None or length is None:
            raise scaling.missing("llama_4_scaling_beta", "queries are scaled by it")
        return Temperature("ministral3", beta, length)
    if kind != "llama4_text":
        return None
    tuned = fields.get("attn_temperature_tuning")
    if tuned is None:
        raise fields.missing("attn_temperature_tuning", "the code has a default")
    if not isinstance(tuned, bool | int):  # a released file has 4, which its code takes for true
        raise fields.refuse("attn_temperature_tuning", "must be true, false or a whole number")
    length = fields.whole("floor_scale")
    strength = fields.number("attn_scale", low=0.0, high=1e3)
    if not tuned:
        return None
    for name, value in (("floor_scale", length), ("attn_scale", strength)):
        if value is None:
            raise fields.missing(name, "queries without RoPE are scaled by it")
    return Temperature("llama4", strength or 0.0, length or 1)

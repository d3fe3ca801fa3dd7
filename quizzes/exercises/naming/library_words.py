"""Words of NumPy and torch that code needs: attributes that it may set, texts that it may give."""

import re

# What a program may set or override that its libraries read; torch is not there to be asked.
ARRAY_WORDS = {
    *("data", "device", "dim", "grad", "requires_grad", "requires_grad_", "size", "view", "numel"),
    *("writeable", "is_leaf", "layout", "unsqueeze", "expand", "permute", "contiguous", "index"),
    *("softmax", "sigmoid", "relu", "scatter", "gather", "topk", "masked_fill", "new_zeros"),
}
MODULE_WORDS = {
    *("forward", "backward", "training", "weight", "bias", "reset_parameters", "extra_repr"),
    *("train", "eval", "state_dict", "load_state_dict", "parameters", "named_parameters"),
    *("buffers", "named_buffers", "modules", "named_modules", "children", "named_children"),
    *("register_buffer", "register_parameter", "add_module", "apply", "to", "half", "float"),
    *("double", "cpu", "cuda", "zero_grad", "_apply", "_load_from_state_dict", "in_features"),
    *("out_features", "num_embeddings", "embedding_dim", "padding_idx", "persistent", "dtype"),
    *("_save_to_state_dict", "_buffers", "_parameters", "_modules", "setup_context"),
}
_DTYPES = {
    *(f"{kind}{bits}" for kind in ("int", "uint", "float", "complex") for bits in (8, 16, 32, 64)),
    *("float128", "complex128", "bfloat16", "bool", "int", "float", "complex", "half", "single"),
    *("double", "long", "short"),
    *(f"{order}{code}" for order in ("", "<", ">", "=") for code in ("f2", "f4", "f8")),
    *(f"{order}{code}" for order in ("", "<", ">", "=") for code in ("i2", "i4", "i8", "c8")),
    *"fdgilqhbBHILQ?",
}
TEXTS = _DTYPES | {
    *("ij", "xy", "edge", "constant", "wrap", "reflect", "symmetric", "linear_ramp", "maximum"),
    *("mean", "median", "minimum", "empty", "same", "valid", "full", "ignore", "raise", "warn"),
    *("clip", "left", "right", "cpu", "cuda", "meta", "sum", "none", "mean", "bilinear", "nearest"),
    *("linear", "lower", "higher", "midpoint", "quicksort", "mergesort", "heapsort", "stable"),
    *("floor", "trunc", "unsafe", "safe", "same_kind", "equiv", "no", "readonly", "readwrite"),
    *("multi_index", "c_index", "f_index", "external_loop", "optimal", "greedy", "relu", "tanh"),
    *("gelu", "leaky_relu", "fan_in", "fan_out", "__main__", "over", "under", "divide", "invalid"),
    *("fro", "nuc", "axis", "keepdims", "initial", "ddof"),
    *("inf", "-inf", "+inf", "nan", "Infinity", "-Infinity", "NaN"),
    *"CFKAijk",
}
_SPEC = r"[<>^=+\- #0-9,_.]{0,6}[bcdeEfFgGnosxX%]?"
_FORMAT = re.compile(_SPEC)
_PLACES = re.compile(
    rf"(%[-+ #0]*\d{{0,2}}(\.\d{{1,2}})?[diouxXeEfFgGcrsa%]|\{{\d?(:{_SPEC})?\}}|[^\w%{{}}])+"
)
_NUMERAL = re.compile(r"[+-]?(0[xXbBoO])?\d+\.?\d*([eE][+-]?\d+)?j?")
_GROUP = r"[a-zA-Z. ]{0,7}"
_EINSUM = re.compile(rf"({_GROUP}(?:,{_GROUP})*)->({_GROUP})")


def is_format(text: str) -> bool:
    """Say whether a text is a format as `08b`."""
    return _FORMAT.fullmatch(text) is not None


def is_pattern(text: str) -> bool:
    """Say whether a text is a numeral, places to fill as in `%.1f`, or an equation of einsum."""
    if _NUMERAL.fullmatch(text) or _PLACES.fullmatch(text):
        return True
    equation = _EINSUM.fullmatch(text)
    return equation is not None and set(equation[2]) <= set(equation[1]) | {" "}

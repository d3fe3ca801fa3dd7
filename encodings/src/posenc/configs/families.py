"""What the code of each model type does that its config.json does not say.

Source: transformers 5.24.0, modeling_*.py and configuration_*.py of each type (Apache-2.0), read
for: how pairs are laid out, which layers turn, whether a class default would fill a missing field.
A type that is not here is refused: its code may do what no field says.
"""

from dataclasses import dataclass
from typing import Literal

from posenc.rotation import Pairing

LayerType = Literal["full", "sliding", "chunked", "recurrent", "compressed"]
Windows = Literal["none", "all", "switch", "flag", "types"]
Turning = Literal["all", "sliding", "flags", "bases"]


@dataclass(frozen=True)
class Family:
    """The facts of one model type.

    `windows`: whether `sliding_window` is for no layer, all of them, all if use_sliding_window,
    those that it and max_window_layers say, or those of the layer types. The code reads
    `layer_types` in the last two alone, and knows the words of `kinds` there. `turning`: whether
    all layers have RoPE, only sliding ones, those that no_rope_layers says, or those whose base in
    layer_rope_theta is not 0. `pattern` is the field with which layer types follow a count, `every`
    that count where it is in the code.
    """

    pairing: Pairing = "half-split"
    windows: Windows = "none"
    kinds: tuple[LayerType, ...] = ("full", "sliding")
    switched: bool = False  # does a layer slide only with use_sliding_window, whatever its type?
    turning: Turning = "all"
    whole_head: bool = True  # does the code turn all dimensions where the file has no share?
    shares: tuple[str, ...] = ()  # the fields with that share which the code reads
    own_head_dim: bool = False  # is the code's head_dim a class default, not hidden / heads?
    turns_without_window: bool = False  # sliding layers turn; do all where there is no window?
    pattern: tuple[str, ...] = ()
    every: int | None = None
    first_full: bool = False  # does a pattern begin with a full layer, as ModernBERT's does?
    local_base: str | None = None  # the field with the base of sliding layers
    full_base: str = "rope_theta"  # the field with the base of all others
    released_base: str | None = None  # the name of that base in older files
    position_word: str | None = None  # a position_embedding_type that its files have and is RoPE
    scaled: Literal["all", "full"] = "all"  # which layers rope_scaling is for
    decoupled: bool = False  # MLA: only qk_rope_head_dim columns turn
    columns_stated: bool = False  # do qk_rope_head_dim columns of head_dim turn, as in DeepSeek-V4?
    yarn_temperature: float | None = None  # the code's where rope_scaling has no attention_factor
    sink: bool = False
    causal: bool = True
    mrope: Literal["none", "block", "interleaved"] = "none"
    last_full: bool = False  # does the code make the last layer full, whatever the file says?
    window_default: bool = False  # would the code give a window where the file has none?


PART = ("partial_rotary_factor",)
FAMILIES: dict[str, Family] = {
    "llama": Family(),
    "mistral": Family(windows="all", window_default=True),
    "mixtral": Family(windows="all"),
    "ministral3": Family(windows="all", own_head_dim=True),
    "qwen2": Family(windows="flag", switched=True),
    "qwen2_moe": Family(windows="flag", switched=True),
    "qwen3": Family(windows="flag", switched=True, own_head_dim=True),
    "qwen3_moe": Family(windows="switch", own_head_dim=True),
    "qwen2_vl_text": Family(windows="flag", switched=True, mrope="block"),
    "qwen2_5_vl_text": Family(windows="flag", switched=True, mrope="block"),
    "qwen3_vl_text": Family(own_head_dim=True, mrope="interleaved"),
    "qwen3_5_text": Family(
        own_head_dim=True,
        whole_head=False,
        shares=PART,
        windows="types",
        kinds=("full", "recurrent"),
        pattern=("full_attention_interval",),
        mrope="interleaved",
    ),
    "qwen3_5_moe_text": Family(
        own_head_dim=True,
        whole_head=False,
        shares=PART,
        windows="types",
        kinds=("full", "recurrent"),
        pattern=("full_attention_interval",),
        mrope="interleaved",
    ),
    "gemma": Family(own_head_dim=True),
    "gemma2": Family(own_head_dim=True, windows="types", every=2),
    "gemma3_text": Family(
        own_head_dim=True,
        windows="types",
        pattern=("sliding_window_pattern", "_sliding_window_pattern"),
        local_base="rope_local_base_freq",
        scaled="full",
    ),
    "gemma4_text": Family(own_head_dim=True, windows="types", last_full=True),
    "phi": Family(whole_head=False, shares=PART),
    "phi3": Family(windows="all", shares=PART),
    "gpt_neox": Family(
        whole_head=False, shares=(*PART, "rotary_pct"), released_base="rotary_emb_base"
    ),
    "falcon": Family(),
    "stablelm": Family(whole_head=False, shares=PART),
    "olmo": Family(),
    "olmo2": Family(),
    "olmo3": Family(windows="types", scaled="full"),
    "smollm3": Family(turning="flags", windows="types", switched=True),
    "llama4_text": Family(
        pairing="adjacent",
        own_head_dim=True,
        turning="flags",
        windows="types",
        kinds=("full", "chunked"),
    ),
    "cohere": Family(pairing="adjacent"),
    "cohere2": Family(
        pairing="adjacent",
        windows="types",
        turning="sliding",
        pattern=("sliding_window_pattern",),
        position_word="rope_gptj",
    ),
    "exaone4": Family(
        windows="types",
        turning="sliding",
        turns_without_window=True,
        pattern=("sliding_window_pattern",),
    ),
    "gpt_oss": Family(own_head_dim=True, windows="types", sink=True),
    "modernbert": Family(
        windows="types",
        pattern=("global_attn_every_n_layers",),
        first_full=True,
        local_base="local_rope_theta",
        full_base="global_rope_theta",
        position_word="absolute",
        causal=False,
    ),
    "deepseek_v2": Family(pairing="adjacent", decoupled=True),
    "deepseek_v3": Family(pairing="adjacent", decoupled=True),
    "kimi_k2": Family(pairing="adjacent", decoupled=True),  # transformers reads it as deepseek_v3
    "deepseek_v4": Family(
        pairing="adjacent",
        own_head_dim=True,
        windows="types",
        kinds=("sliding", "compressed"),
        columns_stated=True,
        yarn_temperature=1.0,
    ),
    "glm": Family(pairing="adjacent", own_head_dim=True, whole_head=False, shares=PART),
    "glm4": Family(pairing="adjacent", own_head_dim=True, whole_head=False, shares=PART),
    "glm4_moe": Family(whole_head=False, shares=PART),
    "minimax_m2": Family(own_head_dim=True, whole_head=False, shares=(*PART, "rotary_dim")),
    "granite": Family(),
    "granitemoehybrid": Family(windows="types", kinds=("full", "recurrent")),
    "muse_glimmer_text": Family(own_head_dim=True, windows="types", turning="bases"),
}
# Types whose text model sits under text_config and has a type of its own.
WRAPPERS = frozenset(
    {
        "gemma3",
        "gemma4",
        "llama4",
        "kimi_k25",
        "mistral3",
        "muse_glimmer",
        "qwen3_5",
        "qwen3_5_moe",
        "qwen3_vl",
    }
)
# Older files of these have the text model's fields at the top.
SAME_AS = {"qwen2_vl": "qwen2_vl_text", "qwen2_5_vl": "qwen2_5_vl_text"}

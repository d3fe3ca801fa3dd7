"""Print what transformers makes of rope_configs.json: frequencies of each type of layer.

Writes golden/rope_configs_hf.npz; its entry in golden/manifest.json is written by hand. This
project does not require transformers: install the release that the manifest names into an
environment of its own, with torch and numpy, and run

    python tests/parity/print_rope_configs.py
"""

import importlib
import json
from pathlib import Path

import numpy as np
import torch
import transformers

FOLDER = Path(__file__).parent / "golden"
ROTARY = {
    "qwen2_5_vl_text": "Qwen2_5_VL",
    "qwen2_vl_text": "Qwen2VL",
    "qwen3_vl_text": "Qwen3VLText",
}


def rotary_of(config: transformers.PretrainedConfig) -> torch.nn.Module:
    """Return the module that turns queries and keys in the text model of a config."""
    module = importlib.import_module(type(config).__module__.replace("configuration_", "modeling_"))
    prefix = type(config).__name__.removesuffix("Config")
    names = [prefix, prefix.removesuffix("Text"), ROTARY.get(config.model_type, prefix)]
    for name in names:
        rotary = getattr(module, f"{name}RotaryEmbedding", None)
        if rotary is not None:
            return rotary(config)
    raise LookupError(f"{prefix}: no rotary embedding in {module.__name__}")


def main() -> None:
    """Print one frequency array and one attention factor for each type of layer of each config."""
    arrays: dict[str, np.ndarray] = {}
    configs = json.loads((FOLDER.parent / "rope_configs.json").read_text(encoding="utf-8"))
    for name, fields in configs.items():
        kind, others = fields["model_type"], {**fields}
        del others["model_type"]
        config = transformers.AutoConfig.for_model(kind, **others)
        types = getattr(config, "layer_types", None)
        if types is not None:
            arrays[f"{name}.layer_types"] = np.array(types)
        rotary = rotary_of(config)
        for buffer, values in rotary.named_buffers():
            if buffer.endswith("inv_freq") and not buffer.endswith("original_inv_freq"):
                label = buffer.removesuffix("inv_freq").strip("_") or "all"
                arrays[f"{name}.{label}.inv_freq"] = values.numpy()
                scale = f"{label}_attention_scaling" if label != "all" else "attention_scaling"
                arrays[f"{name}.{label}.factor"] = np.array(float(getattr(rotary, scale)))
    np.savez_compressed(FOLDER / "rope_configs_hf.npz", **arrays)
    print(transformers.__version__, torch.__version__, len(arrays) // 2, "arrays")


if __name__ == "__main__":
    main()

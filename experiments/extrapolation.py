"""Small transformers, trained on short texts and tested on longer texts, an encoding each.

Usage: python experiments/extrapolation.py [--steps N] [--seeds N] [--json FILE]
Trains byte models on the sources of Python's own standard library, about six minutes on two cores
(35 s with --steps 90 --seeds 1), and prints the table of lesson longer-texts; --json writes it. The
committed numbers are extrapolation.json beside this file: other versions of Python or torch give
other numbers.

What is measured
  The loss, nats a byte, of the same 32 bytes at the end of each held-out window. The model sees the
  last 64 (as in training), 128, 256 or 512 bytes up to them: more context can only help a
  model that can use it. Position interpolation and the NTK-aware base are switched on afterwards,
  in the trained RoPE models, with factor = length / 64 and no further training.
Illustration, not evidence: two layers, little text, few seeds.
"""

import argparse
import hashlib
import json
import os
import platform
import statistics
import sysconfig
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import torch
from posenc.catalog.alibi import Alibi
from posenc.catalog.nope import NoPE
from posenc.catalog.rope import Rope
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.catalog.t5_bias import T5Bias
from posenc.encoding import Encoding
from posenc.torch_modules import SelfAttention, module_for
from torch import Tensor, nn
from torch.nn import functional

D_MODEL, N_HEADS, LAYERS = 96, 4, 2
TRAINED, LENGTHS, JUDGED = 64, (64, 128, 256, 512), 32
BATCH, STEPS, SEEDS, WINDOWS = 16, 600, 3, 64
WARM_UP, HIGHEST_RATE = 50, 3e-3
PLAIN: dict[str, Encoding] = {
    "sinusoidal": Sinusoidal(d_model=D_MODEL),
    "rope": Rope(head_dim=D_MODEL // N_HEADS),
    "t5": T5Bias(n_heads=N_HEADS, max_distance=TRAINED // 2, bidirectional=False),
    "alibi": Alibi(n_heads=N_HEADS),
    "nope": NoPE(),
}
STRETCHED = {"rope_linear": "linear", "rope_ntk": "ntk"}


class Block(nn.Module):
    """Attention and a feed-forward network, each after a normalisation."""

    def __init__(self, encoding: Encoding) -> None:
        super().__init__()
        self.attention = SelfAttention(D_MODEL, N_HEADS, encoding, causal=True)
        self.first, self.second = nn.LayerNorm(D_MODEL), nn.LayerNorm(D_MODEL)
        self.network = nn.Sequential(
            nn.Linear(D_MODEL, 4 * D_MODEL), nn.GELU(), nn.Linear(4 * D_MODEL, D_MODEL)
        )

    def forward(self, x: Tensor) -> Tensor:
        """Return x (B, L, d_model) after one layer."""
        x = x + self.attention(self.first(x))
        return x + self.network(self.second(x))


class ByteModel(nn.Module):
    """A model of the next byte. Embedding hooks act once, all other hooks in every layer."""

    def __init__(self, encoding: Encoding) -> None:
        super().__init__()
        below = "on_embeddings" in encoding.hooks()
        self.embedding = nn.Embedding(256, D_MODEL)
        self.position = module_for(encoding if below else NoPE())
        inside = NoPE() if below else encoding
        self.blocks = nn.Sequential(*(Block(inside) for _ in range(LAYERS)))
        self.out = nn.Sequential(nn.LayerNorm(D_MODEL), nn.Linear(D_MODEL, 256))

    def forward(self, text: Tensor) -> Tensor:
        """Return a score for each byte that may come next, (B, L) -> (B, L, 256)."""
        scores: Tensor = self.out(self.blocks(self.position.on_embeddings(self.embedding(text))))
        return scores


def sources() -> tuple[Tensor, Tensor]:
    """Return the training bytes and the held-out bytes: every tenth file of the library."""
    files = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))
    kept = [
        b"".join(file.read_bytes() for file in part)
        for part in ([file for number, file in enumerate(files) if number % 10], files[::10])
    ]
    training, held_out = (torch.frombuffer(bytearray(text), dtype=torch.uint8) for text in kept)
    return training.long(), held_out.long()


def windows(text: Tensor, length: int, count: int, rng: np.random.Generator) -> Tensor:
    """Return windows of length + 1 bytes from random places, (count, length + 1)."""
    starts = rng.integers(0, len(text) - length - 1, count)
    return torch.stack([text[start : start + length + 1] for start in starts.tolist()])


def train(encoding: Encoding, text: Tensor, *, steps: int, seed: int) -> ByteModel:
    """Return a model trained for so many steps; in a seed every encoding sees the same windows."""
    torch.manual_seed(seed)
    model, rng = ByteModel(encoding), np.random.default_rng(seed)
    optimizer = torch.optim.AdamW(model.parameters(), lr=HIGHEST_RATE)
    rate = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / WARM_UP, 1 - step / (steps + 1))
    )
    for _ in range(steps):
        batch = windows(text, TRAINED, BATCH, rng)
        guesses = model(batch[:, :-1])
        loss = functional.cross_entropy(guesses.flatten(0, 1), batch[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        rate.step()
    return model.eval()


@torch.inference_mode()
def loss_at(model: ByteModel, judged: Tensor, length: int) -> float:
    """Return the mean loss of the last bytes of each window when it is cut to its last `length`."""
    text, wanted = judged[:, -length - 1 : -1], judged[:, -JUDGED:]
    guesses = torch.cat([model(part)[:, -JUDGED:] for part in text.split(8)])
    return float(functional.cross_entropy(guesses.flatten(0, 1), wanted.flatten()))


def stretch(model: ByteModel, scaling: Any, factor: float) -> None:
    """Switch the RoPE of every layer to a scaling; nothing is trained."""
    for block in model.blocks:
        plain = block.attention.position.encoding
        scaled = replace(plain, scaling=scaling, factor=factor, trained_length=TRAINED)
        block.attention.position = module_for(scaled)


def measured(name: str, seed: int, steps: int) -> dict[str, list[float]]:
    """Return the losses at LENGTHS of one trained model, for RoPE also with its scalings."""
    torch.set_num_threads(1)  # models are trained side by side
    text, held_out = sources()
    judged = windows(held_out, max(LENGTHS), WINDOWS, np.random.default_rng(0))
    model = train(PLAIN[name], text, steps=steps, seed=seed)
    rows = {name: [loss_at(model, judged, length) for length in LENGTHS]}
    for row, scaling in STRETCHED.items() if name == "rope" else ():
        rows[row] = []
        for length in LENGTHS:
            stretch(model, scaling, length / TRAINED)
            rows[row].append(loss_at(model, judged, length))
    return rows


def main() -> None:
    """Train, print the table, and write it if asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=STEPS, help=f"of training, {STEPS}")
    parser.add_argument("--seeds", type=int, default=SEEDS, help=f"models an encoding, {SEEDS}")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the numbers there")
    asked = parser.parse_args()
    jobs = [(name, seed) for seed in range(asked.seeds) for name in PLAIN]
    found: dict[str, list[list[float]]] = {}
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        results = pool.map(measured, *zip(*jobs, strict=True), [asked.steps] * len(jobs))
        for (_, seed), rows in zip(jobs, results, strict=True):
            for row, row_losses in rows.items():
                found.setdefault(row, []).append([round(loss, 3) for loss in row_losses])
                print(
                    f"seed {seed}  {row:12}", *(f"{loss:7.3f}" for loss in row_losses), flush=True
                )
    medians = {
        row: [statistics.median(column) for column in zip(*each, strict=True)]
        for row, each in found.items()
    }
    print(f"\n{'median':19}", *(f"{length:7d}" for length in LENGTHS))
    for row, middle in medians.items():
        print(f"{row:19}", *(f"{loss:7.3f}" for loss in middle))
    if asked.json:
        text, held_out = sources()
        content = {
            "command": "python experiments/extrapolation.py --json experiments/extrapolation.json",
            "python": platform.python_version(),
            "torch": torch.__version__,
            "data": {
                "what": "files *.py of Python's standard library, every tenth held out",
                "training_bytes": len(text),
                "held_out_bytes": len(held_out),
                "sha256": hashlib.sha256(bytes((*text.tolist(), *held_out.tolist()))).hexdigest(),
            },
            "model": {"layers": LAYERS, "d_model": D_MODEL, "n_heads": N_HEADS},
            "training": {"steps": asked.steps, "batch": BATCH, "length": TRAINED},
            "judged_bytes": JUDGED * WINDOWS,
            "lengths": LENGTHS,
            "losses_by_seed": found,
            "median_losses": medians,
        }
        asked.json.write_text(json.dumps(content, indent=1) + "\n")


if __name__ == "__main__":
    main()

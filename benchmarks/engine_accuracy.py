"""The errors of float32 sines and cosines, of posenc beside other people's libraries.

The reference is mpmath with 50 digits. Every contestant computes the same grid, base^(-2i/D), at
the same positions.
"""

from collections.abc import Callable

import mpmath
import numpy as np
import torch
from posenc.catalog.sinusoidal import Sinusoidal

FARTHEST = (1000, 10_000, 100_000, 1_000_000)
D_MODEL = 512
GOAL = 3.1e-8  # half a unit in the last place below 1.0, and a little

Codes = Callable[[np.ndarray], tuple[torch.Tensor, torch.Tensor]]  # positions -> sines, cosines


def accuracy(*, with_peers: bool, count: int) -> dict[str, list[float]]:
    """Return the largest error up to each of FARTHEST, by contestant, over `count` positions."""
    rng = np.random.default_rng(0)
    errors: dict[str, list[float]] = {name: [] for name in _codes(with_peers)}
    for farthest in FARTHEST:
        drawn = rng.integers(farthest // 2, farthest, size=count - 1)
        positions = np.unique([*drawn, farthest - 1])
        truth = _true_waves(positions)
        for name, codes in _codes(with_peers).items():
            found = (wave.double().numpy() for wave in codes(positions))
            worst = max(np.abs(a - b).max() for a, b in zip(found, truth, strict=True))
            errors[name].append(max([float(worst), *errors[name][-1:]]))
    return errors


def _true_waves(positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return sin and cos with 50 digits, rounded to float64, (N, D/2) each."""
    with mpmath.workdps(50):
        inv_freq = [
            mpmath.mpf(10_000) ** (-mpmath.mpf(2 * i) / D_MODEL) for i in range(D_MODEL // 2)
        ]
        turned = [[mpmath.cos_sin(int(p) * w) for w in inv_freq] for p in positions]
    waves = np.array([[[float(one) for one in pair] for pair in row] for row in turned])
    return waves[..., 1], waves[..., 0]


def _codes(with_peers: bool) -> dict[str, Codes]:
    return {
        "posenc, `encode`": _ours,
        "posenc, `table`": _our_table,
        **(_peers() if with_peers else {}),
        "plain float32": _plain,
    }


def _ours(positions: np.ndarray) -> tuple[torch.Tensor, torch.Tensor]:
    code = Sinusoidal(d_model=D_MODEL).encode(torch.from_numpy(positions), dtype=torch.float32)
    return code[:, 0::2], code[:, 1::2]


def _our_table(positions: np.ndarray) -> tuple[torch.Tensor, torch.Tensor]:
    """Return rows of one table that begins before the nearest position and ends at the farthest."""
    start = int(positions.min())
    table = Sinusoidal(d_model=D_MODEL).table(
        int(positions.max()) + 1 - start, start=start, xp=torch, dtype=torch.float32
    )
    rows = table[torch.from_numpy(positions) - start]
    return rows[:, 0::2], rows[:, 1::2]


def _plain(positions: np.ndarray) -> tuple[torch.Tensor, torch.Tensor]:
    """Return sines and cosines by the code of most tutorials."""
    inv_freq = 10_000 ** (-torch.arange(0, D_MODEL, 2).float() / D_MODEL)
    angles = torch.from_numpy(positions).float()[:, None] * inv_freq
    return angles.sin(), angles.cos()


def _peers() -> dict[str, Codes]:
    from rotary_embedding_torch import RotaryEmbedding
    from transformers.models.llama import modeling_llama as llama
    from x_transformers.x_transformers import ScaledSinusoidalEmbedding

    config = llama.LlamaConfig(hidden_size=D_MODEL, num_attention_heads=1, head_dim=D_MODEL)
    rotary, scaled = llama.LlamaRotaryEmbedding(config), ScaledSinusoidalEmbedding(D_MODEL)
    scaled.scale.data.fill_(1.0)
    lucid, half = RotaryEmbedding(D_MODEL), D_MODEL // 2

    def of_transformers(positions: np.ndarray) -> tuple[torch.Tensor, torch.Tensor]:
        cos, sin = rotary(torch.empty(1), torch.from_numpy(positions)[None])
        return sin[0, :, :half], cos[0, :, :half]

    def of_x_transformers(positions: np.ndarray) -> tuple[torch.Tensor, torch.Tensor]:
        code = scaled(torch.empty(1, len(positions), 1), pos=torch.from_numpy(positions))
        return code[:, :half], code[:, half:]

    def of_rotary_embedding_torch(positions: np.ndarray) -> tuple[torch.Tensor, torch.Tensor]:
        angles = lucid.forward(torch.from_numpy(positions))[:, 0::2]
        return angles.sin(), angles.cos()

    return {
        "transformers, Llama": of_transformers,
        "x-transformers": of_x_transformers,
        "rotary-embedding-torch": of_rotary_embedding_torch,
    }

"""The contestants: posenc beside transformers, x-transformers and rotary-embedding-torch.

All run in torch. Every contestant makes one result in each call and allocates it inside, except
contestants named `out=`. Prepared outside of the measured time:

`posenc fused` is posenc after posenc.fused.use(), whose compiling is not measured.

- Tables. Ours: the encoding, which keeps its frequencies and up to 32 turned rows for each digit of
  a position, never a table; `new object` makes the encoding inside, too. Whisper, GPT-J, M2M100:
  they are functions and make their frequencies inside, in float32. x-transformers: a module that
  holds its frequencies. Contestants that only make float32 cast inside.
- RoPE: cosines and sines of all positions, as once for all layers of a model: (L, D/2) ours, (L, D)
  in transformers, in the dtype of the queries; the others have angles (L, D) and take their cosines
  and sines inside, since their functions leave no other choice.
- T5: the learned table, in a module for the peers; buckets are made inside. For one query the
  results of all contestants are views of the rows read, heads last in memory.
- ALiBi: the encoding or module with its slopes. x-transformers keeps a finished bias for the next
  call of the same size; the benchmark deletes it.
"""

import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import torch
from posenc import fused
from posenc.catalog.alibi import Alibi
from posenc.catalog.rope import Rope
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.catalog.t5_bias import T5Bias
from posenc.errors import UnavailableError

from benchmarks.racing import COPY, Contestants

LENGTHS = (128, 512, 2048, 8192, 32_768)
WIDTHS = (64, 256, 1024)
HEADS = (8, 32)
HEAD_DIMS = (64, 128)
LARGEST = 2**28  # bytes of one array: the biases of 32 768 tokens would need 128 GB
SMALLEST = 2**16
FUSED = "posenc fused"
Made = tuple[str, torch.Tensor, Callable[[bool], Contestants]]  # size, example, contestants


@cache
def has_kernels() -> bool:
    """Return whether fused kernels are available, compiled; print once how long compiling took."""
    start = time.perf_counter()
    try:
        fused.use()
    except UnavailableError as error:
        print(f"without `{FUSED}`: {error}\n")
        return False
    print(f"`{FUSED}`: compiled in {time.perf_counter() - start:.1f} s\n")
    return True


def choose(name: str) -> None:
    """Switch fused kernels on or off, as the contestant of this name needs."""
    (fused.use if name.startswith(FUSED) else fused.stop)()


def largest(quick: bool) -> int:
    """Return the bytes of the largest array that is raced."""
    return LARGEST >> 3 if quick else LARGEST


def tables(dtype: torch.dtype, quick: bool) -> Iterator[Made]:
    """Yield sinusoidal tables (L, d_model), interleaved in posenc, halves in the peers."""
    for length in LENGTHS:
        for width in WIDTHS[1:] if quick else WIDTHS:
            like = torch.empty(length, width, dtype=dtype)
            yield f"{length} x {width}", like, _table(length, width, dtype)


def _table(length: int, width: int, dtype: torch.dtype) -> Callable[[bool], Contestants]:
    def contestants(with_peers: bool) -> Contestants:
        ours = Sinusoidal(d_model=width)
        racing: Contestants = {
            "posenc": lambda: ours.table(length, xp=torch, dtype=dtype),
            "posenc, new object": lambda: Sinusoidal(d_model=width).table(
                length, xp=torch, dtype=dtype
            ),
        }
        if dtype == torch.float32 and has_kernels():
            racing[FUSED] = racing["posenc"]
        if with_peers:
            from transformers.models.gptj.modeling_gptj import create_sinusoidal_positions
            from transformers.models.m2m_100 import modeling_m2m_100 as m2m
            from transformers.models.whisper.modeling_whisper import sinusoids
            from x_transformers.x_transformers import ScaledSinusoidalEmbedding

            scaled, x = ScaledSinusoidalEmbedding(width), torch.empty(1, length, 1)
            m2m_table = m2m.M2M100SinusoidalPositionalEmbedding.get_embedding
            racing |= {
                "transformers, Whisper": lambda: sinusoids(length, width).to(dtype),
                "transformers, GPT-J": lambda: create_sinusoidal_positions(length, width).to(dtype),
                "transformers, M2M100": lambda: m2m_table(length, width).to(dtype),
                "x-transformers": lambda: scaled(x).to(dtype),
            }
        return racing

    return contestants


def rotations(dtype: torch.dtype, quick: bool) -> Iterator[Made]:
    """Yield RoPE on queries (1, H, L, D), the waves given, as once for all layers of a model."""
    for length in LENGTHS:
        for heads, dim in ((h, d) for h in HEADS for d in HEAD_DIMS):
            if quick and (heads, dim) not in {(8, 64), (32, 128)}:
                continue
            like = torch.empty(1, heads, length, dim, dtype=dtype)
            yield f"{length} x {heads} x {dim}", like, _rotation(like)


def _rotation(like: torch.Tensor) -> Callable[[bool], Contestants]:
    _, heads, length, dim = like.shape

    def contestants(with_peers: bool) -> Contestants:
        q = torch.randn(like.shape).to(like.dtype)
        out, positions = torch.zeros_like(q), torch.arange(length)
        adjacent, half = Rope(head_dim=dim), Rope(head_dim=dim, pairing="half-split")
        waves = adjacent.waves(positions, like=q)
        racing: Contestants = {
            "posenc, adjacent": lambda: adjacent.turn(q, *waves),
            "posenc, adjacent, out=": lambda: adjacent.turn(q, *waves, out=out),
            "posenc, half-split": lambda: half.turn(q, *waves),
            "posenc, half-split, out=": lambda: half.turn(q, *waves, out=out),
        }
        if has_kernels():
            racing |= {name.replace("posenc", FUSED): call for name, call in racing.items()}
        return racing | _other_rotations(q, positions, heads, dim) if with_peers else racing

    return contestants


def _other_rotations(q: torch.Tensor, positions: Any, heads: int, dim: int) -> Contestants:
    from rotary_embedding_torch import RotaryEmbedding, apply_rotary_emb
    from transformers.models.llama import modeling_llama as llama
    from x_transformers import x_transformers

    config = llama.LlamaConfig(
        hidden_size=heads * dim, num_attention_heads=heads, head_dim=dim, num_key_value_heads=heads
    )
    cos, sin = llama.LlamaRotaryEmbedding(config)(q, positions[None])
    upper, lower = q[:, : heads // 2], q[:, heads // 2 :]  # it turns queries and keys at once
    freqs, _ = x_transformers.RotaryEmbedding(dim)(positions)
    lucid = RotaryEmbedding(dim).forward(positions.float())
    return {
        "transformers, Llama": lambda: llama.apply_rotary_pos_emb(upper, lower, cos, sin),
        "x-transformers": lambda: x_transformers.apply_rotary_pos_emb(q, freqs),
        "rotary-embedding-torch": lambda: apply_rotary_emb(lucid, q),
    }


def biases(dtype: torch.dtype, quick: bool) -> Iterator[tuple[str, int, int, int]]:
    """Yield queries, keys and heads: whole texts while they fit, then one query and a cache."""
    for length in LENGTHS:
        for heads in HEADS[:1] if quick else HEADS:
            whole = length * length * heads * dtype.itemsize <= largest(quick)
            queries = length if whole else 1
            yield f"{queries} x {length} x {heads}", queries, length, heads


def t5_biases(dtype: torch.dtype, quick: bool) -> Iterator[Made]:
    """Yield T5's bias (H, Lq, Lk), 32 buckets in both directions."""
    for size, queries, keys, heads in biases(dtype, quick):
        like = torch.empty(heads, queries, keys, dtype=dtype)
        yield size, like, _t5(queries, keys, heads, dtype)


def _t5(queries: int, keys: int, heads: int, dtype: torch.dtype) -> Callable[[bool], Contestants]:
    def contestants(with_peers: bool) -> Contestants:
        ours, weights = T5Bias(n_heads=heads), {"table": torch.randn(32, heads).to(dtype)}
        before, at = keys - queries, torch.arange(keys)
        racing: Contestants = {
            "posenc": lambda: ours.bias(at[before:], at, weights, dtype=dtype),
        }
        if with_peers:
            from transformers import T5Config
            from transformers.models.t5.modeling_t5 import T5Attention
            from x_transformers.x_transformers import RelativePositionBias

            config = T5Config(num_heads=heads, d_model=heads * 8, d_kv=8)
            theirs = T5Attention(config, has_relative_attention_bias=True).to(dtype)
            scaled = RelativePositionBias(1.0, heads=heads).to(dtype)
            racing["transformers, T5"] = lambda: theirs.compute_bias(
                queries, keys, past_seen_tokens=before
            )
            racing["x-transformers"] = lambda: scaled(queries, keys)
        return racing

    return contestants


def alibi_biases(dtype: torch.dtype, quick: bool) -> Iterator[Made]:
    """Yield ALiBi's bias (H, Lq, Lk), symmetric; transformers only adds a row."""
    for size, queries, keys, heads in biases(dtype, quick):
        like = torch.empty(heads, queries, keys, dtype=dtype)
        yield size, like, _alibi(queries, keys, heads, dtype)


def _alibi(
    queries: int, keys: int, heads: int, dtype: torch.dtype
) -> Callable[[bool], Contestants]:
    def contestants(with_peers: bool) -> Contestants:
        ours, at = Alibi(n_heads=heads), torch.arange(keys)
        racing: Contestants = {
            "posenc": lambda: ours.bias(at[keys - queries :], at, dtype=dtype),
        }
        if with_peers:
            from x_transformers.x_transformers import AlibiPositionalBias

            theirs = AlibiPositionalBias(heads)

            def forgetful() -> torch.Tensor:
                theirs.bias = None
                return theirs(queries, keys).to(dtype)

            racing["x-transformers"] = forgetful
        return racing

    return contestants


def copying(like: torch.Tensor) -> Contestants:
    """Return a copy of as many bytes into existing memory."""
    source, target = torch.ones_like(like), torch.zeros_like(like)
    return {COPY: lambda: target.copy_(source)}

"""RoPE and sinusoidal tables in one pass over their numbers, for torch tensors on the CPU.

    from posenc import fused

    fused.use()  # compiles for some seconds; Rope and Sinusoidal use the kernels from then on

Needs Numba (`pip install 'posenc[fused]'`) and a torch with OpenMP, which it has on Linux. The
kernels turn queries and keys of float32 and bfloat16 and write interleaved float32 tables. Other
tensors, and tensors that want gradients or are compiled or traced, are computed without kernels.
The numbers of both ways may differ in the last place and are equally exact. No hook of torch sees a
kernel run.
"""

from collections.abc import Callable

from posenc.encoding import Array
from posenc.errors import UnavailableError

__all__ = ["fill", "in_use", "stop", "turned", "use"]

_turned: Callable[[Array, Array, Array, str, Array | None], Array | None] | None = None
_filled: Callable[[Array, Array, Array], bool] | None = None


def use() -> None:
    """Use fused kernels from now on wherever they apply, in the whole process.

    The first call compiles them. Raises UnavailableError where they are not available.
    """
    global _turned, _filled
    try:
        from posenc.fused.filling import filled
        from posenc.fused.turning import turned
    except ImportError as error:
        words = "fused kernels need Numba and torch; install them with: pip install 'posenc[fused]'"
        raise UnavailableError(f"{words} ({error})") from error
    _turned, _filled = turned, filled


def stop() -> None:
    """Use the operations of numpy and torch alone again."""
    global _turned, _filled  # noqa: PLW0603
    _turned = _filled = None


def in_use() -> bool:
    """Return whether fused kernels are in use."""
    return _turned is not None


def turned(x: Array, cos: Array, sin: Array, pairing: str, out: Array | None) -> Array | None:
    """Return x (..., L, D), its first 2P columns turned by cos and sin (..., L, P), or None.

    None means that no kernel applies, or that an argument is wrong: the caller goes on without.
    """
    by_kernel = _turned  # another thread may stop them meanwhile
    return None if by_kernel is None else by_kernel(x, cos, sin, pairing, out)


def fill(rows: Array, turns: Array, table: Array) -> bool:
    """Write rows (B, P) times the turns of blocks (L/B, 1, P) to a table (L, 2P), or return False.

    Sines are the real parts, cosines the imaginary ones, side by side.
    """
    by_kernel = _filled
    return by_kernel is not None and by_kernel(rows, turns, table)

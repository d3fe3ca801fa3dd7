"""The sandboxes there are: what the code in each may import."""

from __future__ import annotations

from dataclasses import dataclass

_STANDARD = (
    *("abc", "bisect", "builtins", "cmath", "collections", "copy", "ctypes", "dataclasses"),
    *("datetime", "decimal", "enum", "fractions", "functools", "heapq", "inspect", "io"),
    *("itertools", "json", "math", "numbers", "operator", "pprint", "random", "re", "statistics"),
    *("string", "struct", "textwrap", "time", "types", "typing", "warnings"),
)
_NUMPY = ("numpy", "numpy.fft", "numpy.linalg", "numpy.polynomial", "numpy.random")

# torch.optim.Adam alone pulls 823 modules, 1.7 s: paid once, before the first fork.
_TORCH = (
    *("torch", "torch.nn", "torch.nn.functional", "torch.optim", "torch.func", "torch.fft"),
    *("torch.linalg", "torch.special", "torch.autograd.functional", "torch.nn.attention"),
)


@dataclass(frozen=True)
class Profile:
    """One kind of fork server.

    `distributions`: installed distributions whose packages are bound, with what they require.
    `preload`: modules imported before the first fork; the rest is imported when asked for.
    """

    name: str
    distributions: tuple[str, ...]
    preload: tuple[str, ...]

    @property
    def has_torch(self) -> bool:
        """Whether the fork server is to be set up for torch."""
        return "torch" in self.distributions


NUMPY = Profile("numpy", ("numpy",), _STANDARD + _NUMPY)
TORCH = Profile("torch", ("numpy", "torch"), _STANDARD + _NUMPY + _TORCH)
_OURS = ("posenc", "array-api-compat")
AUTHOR = Profile("author-numpy", ("numpy", *_OURS), _STANDARD + _NUMPY)
AUTHOR_TORCH = Profile("author-torch", ("numpy", "torch", *_OURS), _STANDARD + _NUMPY + _TORCH)

PROFILES = {profile.name: profile for profile in (NUMPY, TORCH, AUTHOR, AUTHOR_TORCH)}

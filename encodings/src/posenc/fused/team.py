"""The threads in which torch itself computes, OpenMP's, borrowed for one call.

Threads of our own would compete with those, which go on spinning after each operation of torch.
Importing this raises UnavailableError where torch brings no OpenMP.
"""

import ctypes
import os
from typing import Any

import llvmlite.binding
import torch

from posenc.arrays import every_step_counts
from posenc.errors import UnavailableError

MEMBER, MEMBERS = "posenc_fused_member", "posenc_fused_members"  # as compiled code calls them
LEAST = 8192  # numbers for a thread: with less to do, waking it takes longer than it saves
PLAIN = frozenset({torch.Tensor, torch.nn.Parameter})

try:
    # asked of what is linked to it, OpenMP is torch's own, under whatever name it comes
    _torch = ctypes.CDLL(os.path.join(os.path.dirname(torch.__file__), "lib", "libtorch_cpu.so"))
    _parallel = _torch.GOMP_parallel
    _functions = {MEMBER: _torch.omp_get_thread_num, MEMBERS: _torch.omp_get_num_threads}
except (OSError, AttributeError) as error:
    raise UnavailableError(f"fused kernels need torch with OpenMP, on Linux: {error}") from error

_parallel.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint, ctypes.c_uint]
_parallel.restype = None
for _name, _function in _functions.items():
    llvmlite.binding.add_symbol(_name, ctypes.cast(_function, ctypes.c_void_p).value)


def run(kernel: int, job: bytes, numbers: int) -> None:
    """Call the kernel at an address in so many of torch's threads as pay for so many numbers."""
    threads = min(numbers // LEAST, most_threads())
    _parallel(kernel, job, threads if threads > 1 else 1, 0)


def _alone() -> int:
    return 1


def _stay_alone() -> None:
    """Keep to one thread after a fork: OpenMP would wait for threads that no longer exist."""
    global most_threads  # noqa: PLW0603
    most_threads = _alone


most_threads = torch.get_num_threads
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_stay_alone)


def can_take(*tensors: Any) -> bool:
    """Return whether only the numbers of these tensors are wanted, and memory here holds them."""
    if every_step_counts():
        return False
    gradients = torch.is_grad_enabled()
    for tensor in tensors:  # all() takes twice as long
        if type(tensor) not in PLAIN or not tensor.is_cpu or tensor.is_neg():
            return False
        if gradients and tensor.requires_grad:
            return False
    return True

"""How much is computed at a time, so that intermediate results stay in a core's own cache."""

from posenc.arrays import array_namespace, is_torch_array
from posenc.encoding import Array

BYTES = 2**19  # for each thread: a quarter of the second-level cache of a server's core


def numbers_at_once(array: Array, *, size: int) -> int:
    """Return how many numbers of `size` bytes the threads of the array's library take at once."""
    threads = array_namespace(array).get_num_threads() if is_torch_array(array) else 1
    return BYTES * int(threads) // size

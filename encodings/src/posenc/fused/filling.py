"""The tables that a fused kernel writes, and the job that describes each.

Shapes: L = positions, B = rows of a block, P = pairs.
"""

from struct import Struct

import torch

from posenc.encoding import Array
from posenc.fused import kernels, team

_job = Struct(f"{len(kernels.FILL.names)}q").pack


def filled(rows: Array, turns: Array, table: Array) -> bool:
    """Write rows (B, P) times the turns of blocks (L/B, 1, P) to a table (L, 2P), or return False.

    It reads complex128 and writes float32.
    """
    given = rows, turns, table
    if not team.can_take(*given) or not all(
        one.is_contiguous() and not one.is_conj() for one in given
    ):
        return False
    if table.dtype != torch.float32 or not rows.dtype == turns.dtype == torch.complex128:
        return False
    length, (block, pairs) = table.shape[0], rows.shape
    addresses = rows.data_ptr(), turns.data_ptr(), table.data_ptr()
    if 0 in addresses:
        return False
    team.run(kernels.fill_float32.address, _job(*addresses, length, block, pairs), table.numel())
    return True

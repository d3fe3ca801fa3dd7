"""Whole numbers on a geometric scale, against 90-digit decimals."""

from decimal import Decimal, localcontext

from hypothesis import example, given
from hypothesis import strategies as st
from posenc.geometric import ceil_of_geometric, floor_of_geometric


def by_decimals(low, high, steps, of):
    """Oracle: exp and ln with 90 digits."""
    with localcontext() as context:
        context.prec = 90
        exponent = Decimal(steps) / Decimal(of) * (Decimal(high) / Decimal(low)).ln()
        return Decimal(low) * exponent.exp()


@given(st.integers(1, 500), st.integers(1, 10**6), st.integers(0, 80), st.integers(1, 60))
@example(8, 120, 2, 8)  # 16 exactly: 8 * 16^(1/4)
@example(1, 1023, 60, 60)
def test_floor_and_ceiling_are_exact(low, above, steps, of):
    high = low + above
    steps = min(steps, 2 * of)  # beyond the 32 digits of the answer the oracle would round
    number = by_decimals(low, high, steps, of)
    floor, ceiling = (
        floor_of_geometric(low, high, steps, of),
        ceil_of_geometric(low, high, steps, of),
    )
    nearest = round(number)
    if abs(number - nearest) < Decimal(10) ** -50:  # whole: nothing between, nothing rounded
        assert floor == ceiling == nearest
    else:
        assert floor == int(number)
        assert ceiling == floor + 1

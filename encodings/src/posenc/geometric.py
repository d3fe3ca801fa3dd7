"""Whole numbers on a geometric scale, exactly: where logarithmic buckets begin and end.

A bucket is a floor or ceiling of a logarithm; where that is a whole number, one rounding error puts
a distance into the wrong bucket. Integers have none: n <= low (high/low)^(m/N) means
n^N <= high^m low^(N-m).
"""


def floor_of_geometric(low: int, high: int, steps: int, of: int) -> int:
    """Return the largest whole number that is at most low * (high/low)^(steps/of)."""
    if steps > of:
        return _root(high**steps // low ** (steps - of), of)
    return _root(high**steps * low ** (of - steps), of)


def ceil_of_geometric(low: int, high: int, steps: int, of: int) -> int:
    """Return the smallest whole number that is at least low * (high/low)^(steps/of)."""
    floor = floor_of_geometric(low, high, steps, of)
    reached = floor**of * low**steps == high**steps * low**of
    return floor if reached else floor + 1


def _root(power: int, degree: int) -> int:
    """Return the largest n with n^degree <= power, by bisection."""
    at_most = 1 << -(-power.bit_length() // degree)
    n = at_most >> 1
    while at_most - n > 1:
        middle = (n + at_most) // 2
        n, at_most = (middle, at_most) if middle**degree <= power else (n, middle)
    return n

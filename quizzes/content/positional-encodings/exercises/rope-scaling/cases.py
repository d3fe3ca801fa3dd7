"""Cases for scaled frequencies, smallest first.

A factor of 1 changes nothing and so catches nothing. The two identify cases are one for each kind.

Each pair differs in one argument alone: what is kept without looking at it is wrong there.
"""

from ordinal_exercise import Case


def cases(rng):
    for kind in ("linear", "ntk"):
        smallest = {"head_dim": 4, "base": 100.0, "factor": 2.0, "kind": kind}
        yield Case(f"two pairs, {kind}", smallest, spare=True)
    example = {"head_dim": 6, "base": 1000.0, "factor": 4.0}
    yield Case("the example", {**example, "kind": "linear"}, shown=True, pair="kind")
    yield Case("the example, ntk", {**example, "kind": "ntk"}, shown=True, pair="kind")
    fixed = {"head_dim": 16, "base": 5000.0, "factor": 4.0}
    linear, ntk = ({**fixed, "kind": kind} for kind in ("linear", "ntk"))
    yield Case("8 pairs", linear, shown=True, identify=True, pair="base")
    yield Case("8 pairs, base 700", {**linear, "base": 700.0}, shown=True, pair="base")
    yield Case("8 pairs, ntk", ntk, shown=True, identify=True, pair="factor")
    yield Case("8 pairs, ntk, factor 2.5", {**ntk, "factor": 2.5}, shown=True, pair="factor")
    for kind in ("linear", "ntk"):
        other = {"base": 500_000.0, "factor": 8.5, "kind": kind}
        yield Case(f"two pairs, factor 8.5, {kind}", {"head_dim": 4, **other}, spare=True)
    for kind in ("linear", "ntk"):
        yield Case(
            f"drawn: {kind}",
            {
                "head_dim": 2 * int(rng.integers(5, 60)),
                "base": round(float(rng.uniform(5000, 50_000)), 1),
                "factor": round(float(rng.uniform(1.5, 12)), 2),
                "kind": kind,
            },
        )
    many = {"head_dim": 128, "base": 500_000.0, "factor": 8.0, "kind": "ntk"}
    yield Case("64 pairs, base 500 000, ntk", many, pair="head_dim")
    yield Case("48 pairs, base 500 000, ntk", {**many, "head_dim": 96}, pair="head_dim")
    for head_dim in (1024, 16_384):
        yield Case(
            f"{head_dim // 2} pairs",
            {"head_dim": head_dim, "base": 10000.0, "factor": 4.0, "kind": "ntk"},
            probe="time",
        )

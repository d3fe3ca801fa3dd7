"""The key of every shipped generator once more, from the drawn numbers alone: no engine, no numpy.

Each takes an instance's facts and returns the number (or the text) that the key must be.
"""

import math

Facts = dict[str, object]


def inv_freq(pair, d, base=10_000.0):
    return math.exp(-2 * pair / d * math.log(base))


def cell(position, column, d, base=10_000.0):
    angle = position * inv_freq(column // 2, d, base)
    return math.sin(angle) if column % 2 == 0 else math.cos(angle)


def value_of_a_cell(f):
    return cell(f["position"], f["column"], f["d_model"], f["base"])


def which_formula(f):
    return cell(f["position"], f["column"], f["d_model"])


def wavelength_of_a_pair(f):
    return 2 * math.pi * f["base"] ** (2 * f["pair"] / f["d_model"])


def which_heatmap(f):
    return math.log10(f["base"])


def slope_of_a_head(f):
    """Press et al.'s released code, written out: powers of two, else half and every second."""

    def slopes(n):
        if n & (n - 1) == 0:
            return [2 ** (-8 * (h + 1) / n) for h in range(n)]
        power = 1 << (n.bit_length() - 1)
        return slopes(power) + slopes(2 * power)[0::2][: n - power]

    return slopes(f["n_heads"])[f["head"] - 1]


def bucket_of_an_offset(f):
    """Raffel et al., as in mesh-tensorflow: `relative` is key minus query."""
    buckets, bucket, distance = f["num_buckets"], 0, -f["relative"]
    if f["bidirectional"]:
        buckets //= 2
        bucket = buckets if distance < 0 else 0
        distance = abs(distance)
    else:
        distance = max(distance, 0)
    exact = buckets // 2
    if distance < exact:
        return bucket + distance
    share = math.log(distance / exact) / math.log(f["max_distance"] / exact)
    return bucket + min(exact + int(share * (buckets - exact)), buckets - 1)


def which_rotation(f):
    angle = f["position"] * inv_freq(f["pair"], f["head_dim"], f["base"])
    return round(math.cos(angle), 2), round(math.sin(angle), 2)


def halving_d_model(f):
    return 2 * math.pi / inv_freq(f["pair"], f["d_model"] // 2)


def learned_numbers(f):
    if f["encoding"] == "Learned":
        return f["max_len"] * f["d_model"]
    return f["num_buckets"] * f["n_heads"]


def numbers_of_a_relative_table(f):
    rows = sum(1 for _ in range(-f["clip_distance"], f["clip_distance"] + 1))
    return 2 * rows * f["head_dim"]


def entry_of_the_bias(f):
    slope = slope_of_a_head({"n_heads": f["n_heads"], "head": f["head"] + 1})
    return -slope * (f["Lk"] - f["Lq"] + f["row"] - f["key"])


def beyond_the_trained_length(f):
    if f["encoding"] == "learned":
        return max(0, f["tokens"] - f["rows"])
    if f["encoding"] == "sinusoidal":
        turned = [inv_freq(i, f["d_model"]) * (f["trained"] - 1) for i in range(f["d_model"] // 2)]
        return sum(angle < 2 * math.pi for angle in turned)
    if f["encoding"] == "t5":
        facts = {"num_buckets": f["num_buckets"], "max_distance": f["max_distance"]}
        return next(
            distance
            for distance in range(f["max_distance"] + 1)
            if bucket_of_an_offset({**facts, "relative": -distance, "bidirectional": False})
            == f["num_buckets"] - 1
        )
    if f["encoding"] == "alibi":
        return -f["distance"] * math.exp(f["log2_slope"] * math.log(2))
    return f["position"] / f["factor"]


def position_in_a_padded_row(f):
    """The tokens before the column, one by one."""
    ends = (f["left"] + f["tokens"], f["left"] + f["tokens"] + f["gap"])
    return sum(f["left"] <= column < ends[0] or column >= ends[1] for column in range(f["column"]))


def period_from_a_config(f):
    """A factor stretches the period, which is that of its own layers alone."""
    return 2 * math.pi * f["factor"] / inv_freq(f["pair"], f["head_dim"], f["base"])


def keys_of_a_query(f):
    """Position by position, from the query back to the end of its window."""
    position = f["cached"] + f["row"]
    return sum(before <= position for before in range(f["window"]))


def temperature_at(f):
    """Whole steps counted one by one."""
    steps = sum(1 for end in range(f["length"], f["position"] + 2, f["length"]))
    return 1 + f["strength"] * math.log(steps + 1)


def shaw_index(f):
    return min(max(f["key"] - f["query"], -f["clip"]), f["clip"]) + f["clip"]


def same_offset_elsewhere(f):
    d, k = f["d_model"], f["offset"]
    return sum(math.cos(k * inv_freq(pair, d)) for pair in range(d // 2))


def ntk_base(f):
    """The base for which the last pair is exactly `factor` times slower."""
    d = f["head_dim"]
    slowest = inv_freq(d // 2 - 1, d, f["base"]) / f["factor"]
    return slowest ** (-d / (d - 2))


def entry_of_the_shift(f):
    angle = f["k"] * inv_freq(f["row"] // 2, f["d_model"], 100.0)
    block = [[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]]
    return block[f["row"] % 2][f["column"] % 2]


def weight_beside_a_hidden_key(f):
    """Odds instead of shares: how much less each seen key counts than the one that is asked for."""
    own = f["scores"][f["asked"]]
    seen = [score for key, score in enumerate(f["scores"]) if key != f["hidden"]]
    return 1 / sum(math.exp(score - own) for score in seen)


def result_of_a_token(f):
    """Take the mean key by key, as a program would that never holds all scores."""
    weight = mean = 0.0
    for key in range(f["query"] + 1):
        power = math.exp(f["products"][key] / math.sqrt(f["columns"]))
        weight += power
        mean += (f["values"][key] - mean) * power / weight
    return mean


ORACLES = {
    "value-of-a-cell": value_of_a_cell,
    "which-formula": which_formula,
    "wavelength-of-a-pair": wavelength_of_a_pair,
    "which-heatmap": which_heatmap,
    "slope-of-a-head": slope_of_a_head,
    "bucket-of-an-offset": bucket_of_an_offset,
    "which-rotation": which_rotation,
    "halving-d-model": halving_d_model,
    "learned-numbers": learned_numbers,
    "numbers-of-a-relative-table": numbers_of_a_relative_table,
    "entry-of-the-bias": entry_of_the_bias,
    "beyond-the-trained-length": beyond_the_trained_length,
    "position-in-a-padded-row": position_in_a_padded_row,
    "period-from-a-config": period_from_a_config,
    "keys-of-a-query": keys_of_a_query,
    "temperature-at": temperature_at,
    "shaw-index": shaw_index,
    "same-offset-elsewhere": same_offset_elsewhere,
    "ntk-base": ntk_base,
    "entry-of-the-shift": entry_of_the_shift,
    "weight-beside-a-hidden-key": weight_beside_a_hidden_key,
    "result-of-a-token": result_of_a_token,
}

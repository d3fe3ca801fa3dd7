"""Answer each generated question from what a learner is shown, and from nothing else.

Written from the prompts and the papers: no engine, no generator, no exercise, no drawn facts. A
solver of numbers takes the visible prompt and returns the number. A solver of choices also takes
the visible options (a picture: its PNG) and returns the indices of all that are right, so that a
second right option shows. What a prompt gives (a slope, a distance) must be true, or it raises.
"""

import io
import math
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from html.parser import HTMLParser

import numpy as np
from PIL import Image

NUMBER = r"(-?\d+(?:\.\d+)?)"


class UnknownPromptError(ValueError):
    """A prompt has words that the solver does not know, or gives a number that is not true."""


class _VisibleText(HTMLParser):
    """Collect what is drawn, an exponent as ^(...)."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self._children: list[tuple[str, int]] = []  # each open tag, and how many it has had

    def handle_starttag(self, tag, attrs):
        if self._children:
            parent, number = self._children.pop()
            self._children.append((parent, number + 1))
            if parent == "msup" and number == 1:
                self.text += "^("
        self._children.append((tag, 0))

    def handle_endtag(self, tag):
        self._children.pop()
        if self._children and self._children[-1] == ("msup", 2):
            self.text += ")"

    def handle_startendtag(self, tag, attrs):
        """An empty element draws nothing."""

    def handle_data(self, data):
        self.text += data


def visible_text(html: str) -> str:
    """Return what a page shows of `html` on one line; 1 000 is 1000, a minus sign is a hyphen."""
    parser = _VisibleText()
    parser.feed(html)
    parser.close()
    text = parser.text.replace("\N{MINUS SIGN}", "-").replace("\N{FUNCTION APPLICATION}", "")
    text = re.sub(r"(?<=\d)\N{THIN SPACE}(?=\d{3})", "", text).replace("\u2019", "'")
    return " ".join(text.split())


def _given(pattern: str, prompt: str) -> list[float]:
    """Return the numbers at each # of `pattern`, which is the whole prompt; others are refused."""
    whole = NUMBER.join(re.escape(part) for part in pattern.split("#"))
    found = re.fullmatch(whole, prompt)
    if found is None:
        raise UnknownPromptError(f"{prompt!r}: expected {pattern!r}")
    return [float(number) for number in found.groups()]


def _integers(pattern: str, prompt: str) -> list[int]:
    numbers = _given(pattern, prompt)
    if any(number != int(number) for number in numbers):
        raise UnknownPromptError(f"{prompt!r}: expected whole numbers")
    return [int(number) for number in numbers]


def _read(shown: str) -> tuple[float, float]:
    """Return a number as it is shown, and one unit of its last digit."""
    found = re.fullmatch(NUMBER + r"(?: positions)?", shown)
    if found is None:
        raise UnknownPromptError(f"{shown!r}: expected one number")
    return float(found[1]), 10.0 ** -len(found[1].partition(".")[2])


def _shows(shown: str, value: float) -> bool:
    """Say whether `shown` is `value`, rounded or cut off: a learner may do either."""
    number, unit = _read(shown)
    return abs(number - value) < unit


def _showing(value: float, options: Sequence[str]) -> list[int]:
    return [index for index, option in enumerate(options) if _shows(option, value)]


def _must_hold(shown: str, value: float, prompt: str) -> None:
    if not _shows(shown, value):
        raise UnknownPromptError(f"{prompt!r}: gives {shown}, which is {value:.6g}")


# The sinusoidal code: Vaswani et al. (2017), section 3.5.


def _angle(position: int, two_i: int, d: int, base: float = 10_000.0) -> float:
    return position / base ** (two_i / d)


def _code(position: int, d: int, base: float = 10_000.0) -> list[float]:
    """PE(pos, 2i) = sin(pos / base^(2i/d)), PE(pos, 2i+1) = cos of the same."""
    return [
        wave(_angle(position, two_i, d, base))
        for two_i in range(0, d, 2)
        for wave in (math.sin, math.cos)
    ]


def value_of_a_cell(prompt: str, options: Sequence[str]) -> list[int]:
    d, base, position, column = _integers(
        "A sinusoidal table with dmodel=# and base # follows the formula of the paper, sines and "
        "cosines alternating. Which number is at position # in column #? Positions and columns "
        "count from 0.",
        prompt,
    )
    return _showing(_code(position, d, base)[column], options)


def which_formula(prompt: str, options: Sequence[str]) -> list[int]:
    """Evaluate each formula: right is all that gives the number in the prompt."""
    _, value, _, _ = _given(
        "The sinusoidal table with dmodel=# holds # at position #, column #. "
        "Which formula gives it?",
        prompt,
    )
    formula = re.compile(r"(sin|cos)\((\d+)/(\d+)\^\((\d+)/(\d+)\)\)")
    right = []
    for index, option in enumerate(options):
        found = formula.fullmatch(option.replace(" ", ""))
        if found is None:
            raise UnknownPromptError(f"{option!r}: expected a formula")
        position, base, above, below = (int(number) for number in found.groups()[1:])
        wave = math.sin if found[1] == "sin" else math.cos
        if abs(wave(position / base ** (above / below)) - value) < 1e-4:
            right.append(index)
    return right


def _wavelength(pair: int, d: int, base: float) -> float:
    return 2 * math.pi / _angle(1, 2 * pair, d, base)


def wavelength_of_a_pair(prompt: str) -> float:
    d, base, pair = _integers(
        "In a sinusoidal encoding by the formula of the paper, with dmodel=# and base #, how many "
        "positions does one full turn of pair i=# take? Pairs count from 0.",
        prompt,
    )
    return _wavelength(pair, d, base)


def halving_d_model(prompt: str, options: Sequence[str]) -> list[int]:
    base, wide, pair, before, narrow = _given(
        "Frequencies follow the formula of the paper, with base #. With dmodel=# one turn of pair "
        "i=# takes # positions. How many does it take, for the same i, with dmodel=#?",
        prompt,
    )
    if wide != 2 * narrow:
        raise UnknownPromptError(f"{prompt!r}: expected half of the width")
    _must_hold(f"{before:.10g}", _wavelength(int(pair), int(wide), base), prompt)
    return _showing(_wavelength(int(pair), int(narrow), base), options)


def entry_of_the_shift(prompt: str, options: Sequence[str]) -> list[int]:
    """Find M from its definition, by least squares over many positions."""
    d, base, k, k_again, row, column = _integers(
        "The matrix M moves a sinusoidal code with dmodel=# and base # on by #: "
        "PE(p+#)=MPE(p) for every p. "
        "The codes follow the formula of the paper, sines and cosines alternating. Which number "
        "is in row #, column # of M? Both count from 0.",
        prompt,
    )
    if k != k_again:
        raise UnknownPromptError(f"{prompt!r}: expected one shift")
    codes = np.array([_code(position, d, base) for position in range(0, 3000, 7)])
    moved = np.array([_code(position + k, d, base)[row] for position in range(0, 3000, 7)])
    row_of_m, _, rank, _ = np.linalg.lstsq(codes, moved, rcond=None)
    if rank != d:
        raise UnknownPromptError(f"{prompt!r}: more than one M does this")
    return _showing(float(row_of_m[column]), options)


def same_offset_elsewhere(prompt: str, options: Sequence[str]) -> list[int]:
    """Use |a - b|^2 = |a|^2 + |b|^2 - 2ab, with |a|^2 = d / 2 for every code."""
    d, near, far, far_again, near_again, squared, p, q = _given(
        "With dmodel=# the sinusoidal codes of positions # and # have the squared distance "
        "|PE(#)-PE(#)|^(2)=#. What is the dot product of the codes of positions # and #?",
        prompt,
    )
    if (near, far) != (near_again, far_again) or q - p != far - near:
        raise UnknownPromptError(f"{prompt!r}: expected one offset")
    pairs = zip(_code(int(near), int(d)), _code(int(far), int(d)), strict=True)
    _must_hold(f"{squared:.1f}", sum((a - b) ** 2 for a, b in pairs), prompt)
    return _showing(d / 2 - squared / 2, options)


# ColorBrewer's RdBu with 11 classes, from blue (-1) over white to red (+1).
_COLOURS = "053061 2166ac 4393c3 92c5de d1e5f0 f7f7f7 fddbc7 f4a582 d6604d b2182b 67001f"


def values_of_colours(picture: bytes) -> np.ndarray:
    """Return what each colour stands for: the nearest point on the line through the palette."""
    pixels = np.asarray(Image.open(io.BytesIO(picture)).convert("RGB"), dtype=float)
    anchors = np.array([list(bytes.fromhex(colour)) for colour in _COLOURS.split()], dtype=float)
    values = np.linspace(-1, 1, 401)
    places = np.linspace(-1, 1, len(anchors))
    line = np.stack([np.interp(values, places, anchors[:, part]) for part in range(3)], axis=1)
    off = ((pixels[:, :, None, :] - line) ** 2).sum(axis=3)
    if off.min(axis=2).max() > 100:
        raise UnknownPromptError("a picture has a colour that is neither blue, white nor red")
    return values[off.argmin(axis=2)]


def which_heatmap(prompt: str, options: Sequence[bytes]) -> list[int]:
    """Read the colours of each picture: right is each that shows the table, or almost does.

    A picture that is wrong must have a column whose colours are off by a quarter of the way from
    blue to red in the mean; one that is hardly off counts as right too, and so shows.
    """
    d, base, last = _integers(
        "Each picture is meant to be the sinusoidal table with dmodel=# and base #, by the "
        "formula of the paper, sines and cosines alternating: positions go down from 0 to #, "
        "columns to the right. Which picture is right?",
        prompt,
    )
    table = np.array([_code(position, d, base) for position in range(last + 1)])
    right = []
    for index, picture in enumerate(options):
        read = values_of_colours(picture)
        if read.shape != table.shape:
            raise UnknownPromptError(f"picture {index}: {read.shape}, expected {table.shape}")
        if abs(read - table).mean(axis=0).max() < 0.5:
            right.append(index)
    return right


# RoPE: Su et al. (2021), equations 14 and 15. Its stretched base: bloc97, Peng et al. (2023).


def which_rotation(prompt: str, options: Sequence[str]) -> list[int]:
    d, base, pair, position, *pair_before = _integers(
        "RoPE by the formula of its paper, with head_dim # and base #, turns pair i=# of a query "
        "at position # by the positive angle. Pairs and positions count from 0. The pair was "
        "(#, #). What is it afterwards?",
        prompt,
    )
    angle = _angle(position, 2 * pair, d, base)
    turned = complex(*pair_before) * complex(math.cos(angle), math.sin(angle))
    right = []
    for index, option in enumerate(options):
        first, second = option.strip("()").split(", ")
        if _shows(first, turned.real) and _shows(second, turned.imag):
            right.append(index)
    return right


def ntk_base(prompt: str) -> float:
    """The slowest pair is interpolated by the whole factor, the fastest not at all."""
    d, base, factor = _given(
        "RoPE with head_dim # and base # is stretched by the factor #, NTK-aware, without further "
        "training. What is the new base? You may type a formula.",
        prompt,
    )
    return base * factor ** (d / (d - 2))


# ALiBi: Press et al. (2022) and the function get_slopes of their code.


def _alibi_slope(heads: int, head: int) -> float:
    """Return the slope of `head`, counted from 0.

    For a power of two: a geometric sequence whose first number and ratio are 2^(-8/heads). For
    others: all of the power of two below, then each second one of the power of two above.
    """
    below = 2 ** int(math.log2(heads))
    if head < below:
        return 2.0 ** (-8 / below * (head + 1))
    return 2.0 ** (-8 / (2 * below) * (2 * (head - below) + 1))


def slope_of_a_head(prompt: str) -> float:
    heads, head, *example = _integers(
        "A model with # heads uses ALiBi by the rule of its authors' code. What is the slope of "
        "head #? Heads are counted from 1; a power such as #^# may be typed.",
        prompt,
    )
    if example != [2, -3]:
        raise UnknownPromptError(f"{prompt!r}: expected 2^-3 as the example")
    return _alibi_slope(heads, head - 1)


def entry_of_the_bias(prompt: str, options: Sequence[str]) -> list[int]:
    """Right is what the slope gives and what the rounded slope of the prompt does: four digits."""
    heads, queries, positions, keys, head, query, key, head_again, slope = _given(
        "ALiBi in the form -m(i-j), with # heads and a cache: # queries, the last of # positions, "
        "meet # keys. What is added to the score of head #, for query # and key #? All count "
        "from 0; the slope m of head # is #.",
        prompt,
    )
    exact = _alibi_slope(int(heads), int(head))
    if positions != keys or head != head_again or f"{slope:.4g}" != f"{exact:.4g}":
        raise UnknownPromptError(f"{prompt!r}: gives a slope {slope}, expected {exact:.4g}")
    distance = positions - queries + query - key
    if distance < 0:
        raise UnknownPromptError(f"{prompt!r}: the key is after the query")
    shown = [_read(option)[0] for option in options]
    right = set()
    for bias in (-exact * distance, -slope * distance):
        last_digit = 10.0 ** (math.floor(math.log10(-bias)) - 3) if bias else 0.0
        off = [abs(number - bias) for number in shown]
        right |= {
            index for index, one in enumerate(off) if one in (0, min(off)) or one < last_digit
        }
    return sorted(right)


# T5: Raffel et al. (2020) and the function _relative_position_bucket of their code.


def _far_bucket(distance: int, exact: int, buckets: int, max_distance: int) -> int:
    """Return exact + floor(log(distance/exact) / log(max/exact) * steps), without rounding."""
    steps = buckets - exact
    bucket = 0
    while bucket < steps - 1 and Fraction(distance, exact) ** steps >= Fraction(
        max_distance, exact
    ) ** (bucket + 1):
        bucket += 1
    return exact + bucket


def _far_bucket_in_float32(distance: int, exact: int, buckets: int, max_distance: int) -> int:
    """Return the same as programs compute it, whose last bit may fall below a whole number."""
    share = np.log(np.float32(distance) / np.float32(exact))
    share = share / np.float32(math.log(max_distance / exact)) * np.float32(buckets - exact)
    return min(exact + int(share), buckets - 1)


def bucket_of_an_offset(prompt: str, options: Sequence[str]) -> list[int]:
    """Right is what exact arithmetic gives, and what float32 gives."""
    both_ways = ", in both directions," in prompt
    buckets, max_distance, relative = _integers(
        f"T5's relative bias, {'in both directions' if both_ways else 'causal'}, has # buckets and "
        "the maximal distance #. In which bucket is the relative position (key minus query) #?",
        prompt,
    )
    first = 0
    if both_ways:
        buckets //= 2
        first = buckets if relative > 0 else 0
    distance = abs(relative) if both_ways else max(-relative, 0)
    exact = buckets // 2
    if distance < exact:
        return _showing(first + distance, options)
    given = (distance, exact, buckets, max_distance)
    readings = {_far_bucket(*given), _far_bucket_in_float32(*given)}
    return sorted({one for bucket in readings for one in _showing(first + bucket, options)})


# Learned tables: T5's, those of Shaw et al. (2018), section 3.2; and what was never trained.


def learned_numbers(prompt: str) -> float:
    if "T5" in prompt:
        buckets, heads = _integers(
            "How many learned numbers are there in the bias of T5's encoder, one table with "
            "# buckets and # heads for all layers?",
            prompt,
        )
        return buckets * heads  # one number for each bucket and head
    positions, d = _integers(
        "How many learned numbers are there in a table for # positions with dmodel=#?", prompt
    )
    return positions * d


def numbers_of_a_relative_table(prompt: str) -> float:
    """Offsets -k to k have a vector each, in each of the two tables."""
    k, head_dim = _integers(
        "Shaw's relative positions with clip distance # and head_dim # have, in one layer, one "
        "table for the keys and one for the values, both shared by all heads. How many numbers "
        "do the two tables hold?",
        prompt,
    )
    return 2 * len(range(-k, k + 1)) * head_dim


def shaw_index(prompt: str, options: Sequence[str]) -> list[int]:
    k, query, key = _integers(
        "Shaw's table has a row for each relative position (key minus query), clipped to k=#; "
        "row 0 is -k. Which row belongs to query # and key #?",
        prompt,
    )
    rows = list(range(-k, k + 1))
    return _showing(rows.index(max(-k, min(k, key - query))), options)


def position_in_a_padded_row(prompt: str, options: Sequence[str]) -> list[int]:
    left, tokens, gap, column = _integers(
        "A row of a batch has # columns of padding, # tokens, # more columns of padding, and then"
        " tokens up to its end. Which position has the token in column #? Columns are counted from"
        " 0.",
        prompt,
    )
    row = "." * left + "#" * tokens + "." * gap + "#" * column
    return _showing(row[:column].count("#"), options)


def keys_of_a_query(prompt: str, options: Sequence[str]) -> list[int]:
    window, cached, new, row = _integers(
        "A layer has a causal mask and a window of #, which counts the query itself. Its cache"
        " holds the keys of # tokens, and # new tokens are read at once. How many keys does new"
        " token # see, if new tokens are counted from 0?",
        prompt,
    )
    query = cached + row
    seen = [key for key in range(cached + new) if query - window < key <= query]
    return _showing(len(seen), options)


def temperature_at(prompt: str) -> float:
    strength, length, position = _given(
        "Queries are multiplied by 1+#ln(⌊(p+1)/#⌋+1). By how much is the query at position p=#"
        " multiplied?",
        prompt,
    )
    return 1 + strength * math.log((position + 1) // length + 1)


def _tokens_without_a_row(last: float, tokens: float) -> float:
    return sum(position > last for position in range(int(tokens)))


def _pairs_of_less_than_a_turn(d: float, base: float, last: float, pairs: float) -> float:
    if 2 * pairs != d:
        raise UnknownPromptError(f"{pairs} pairs of the width {d}")
    return sum(_wavelength(pair, int(d), base) > last for pair in range(int(pairs)))


def _first_of_the_last_bucket(buckets: float, longest: float) -> float:
    """Raffel et al.: half of the buckets are exact, the others are steps of the logarithm."""
    exact = int(buckets) // 2
    step = math.log(longest / exact) / exact
    return next(
        distance
        for distance in range(exact, int(longest) + 1)
        if int(math.log(distance / exact) / step) >= exact - 1
    )


def _penalty(trained: float, exponent: float, distance: float) -> float:
    if distance <= trained:
        raise UnknownPromptError(f"{distance} is not beyond {trained}")
    return -distance * 2**exponent


def _trained_position(last: float, factor: float, position: float) -> float:
    if position <= last:
        raise UnknownPromptError(f"{position} is not beyond {last}")
    return position / factor


def beyond_the_trained_length(prompt: str, options: Sequence[str]) -> list[int]:
    """Work out the number that is asked for, of whichever encoding."""
    prompts: dict[str, Callable[..., float]] = {
        "A learned table has rows for the positions 0 to #. A text of # tokens is looked up. How "
        "many of its tokens have no row?": _tokens_without_a_row,
        "A model has sinusoidal codes by the formula of the paper, with width # and base #. It "
        "was trained on the positions 0 to #. How many of the # pairs made less than one turn "
        "there? To these, later positions bring new angles.": _pairs_of_less_than_a_turn,
        "T5's causal bias has # buckets and the maximal distance #, by the authors' code. From "
        "which distance on do all keys get one and the same bias?": _first_of_the_last_bucket,
        "ALiBi in the form -m(i-j) was trained on texts of # tokens. What does a head with the "
        "slope m=2^(#) add to the score of a key that stands # positions before the query?": (
            _penalty
        ),
        "RoPE was trained on the positions 0 to # and is then stretched by linear interpolation "
        "with the factor #. Which position of training had the angles that position # has now?": (
            _trained_position
        ),
    }
    for pattern, solve in prompts.items():
        try:
            numbers = _given(pattern, prompt)
        except UnknownPromptError:
            continue
        return _showing(solve(*numbers), options)
    raise UnknownPromptError(f"{prompt!r}: an encoding that is not known")


# Attention: Vaswani et al. (2017), section 3.2.1, written with fractions of the sum.


def weight_beside_a_hidden_key(prompt: str, options: Sequence[str]) -> list[int]:
    *scores, hidden, asked = _given(
        "A query has the scores #, #, # and # with the keys 0, 1, 2 and 3. A mask hides key # "
        "before the softmax. Which weight does key # get?",
        prompt,
    )
    powers = {key: math.exp(score) for key, score in enumerate(scores) if key != hidden}
    return _showing(powers[int(asked)] / math.fsum(powers.values()), options)


def result_of_a_token(prompt: str) -> float:
    columns, query, *numbers, again = _integers(
        "Queries and keys have # columns. The dot products of query # with the keys 0, 1, 2 and 3 "
        "are #, #, # and #, not divided yet. The values of the keys are #, #, # and #, one number "
        "each. What is the result of query # under a causal mask, to one digit after the point?",
        prompt,
    )
    if query != again:
        raise UnknownPromptError(f"{prompt!r}: asks for another query")
    products, values = numbers[: query + 1], numbers[4 : 4 + query + 1]
    powers = [math.exp(product / math.sqrt(columns)) for product in products]
    total = math.fsum(power * value for power, value in zip(powers, values, strict=True))
    return total / math.fsum(powers)


NUMBERS: dict[str, Callable[[str], float]] = {
    "learned-numbers": learned_numbers,
    "ntk-base": ntk_base,
    "numbers-of-a-relative-table": numbers_of_a_relative_table,
    "result-of-a-token": result_of_a_token,
    "slope-of-a-head": slope_of_a_head,
    "temperature-at": temperature_at,
    "wavelength-of-a-pair": wavelength_of_a_pair,
}
CHOICES: dict[str, Callable[..., list[int]]] = {
    "beyond-the-trained-length": beyond_the_trained_length,
    "bucket-of-an-offset": bucket_of_an_offset,
    "entry-of-the-bias": entry_of_the_bias,
    "entry-of-the-shift": entry_of_the_shift,
    "halving-d-model": halving_d_model,
    "keys-of-a-query": keys_of_a_query,
    "position-in-a-padded-row": position_in_a_padded_row,
    "same-offset-elsewhere": same_offset_elsewhere,
    "shaw-index": shaw_index,
    "value-of-a-cell": value_of_a_cell,
    "weight-beside-a-hidden-key": weight_beside_a_hidden_key,
    "which-formula": which_formula,
    "which-heatmap": which_heatmap,
    "which-rotation": which_rotation,
}

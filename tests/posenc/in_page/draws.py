"""Parameters at which a view is computed in the page and in Python: golden ones and drawn ones."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import posenc.catalog  # noqa: F401  (fills the registry)
from posenc.errors import QueryError
from posenc.parameters import Parameter
from posenc.query import Selection, all_parameters, read_query
from posenc.registry import REGISTRY, Entry, View

IN_PAGE = [
    (entry, view) for entry in REGISTRY.values() for view in entry.views.values() if view.in_page
]
ODD = {"grid": "tensor2tensor", "layout": "concatenated", "d_model": "51"}
GOLDEN: dict[str, list[dict[str, str]]] = {  # beside the defaults
    "sinusoidal/heatmap": [
        {"d_model": "50", "position": "19", "dimension": "49"},
        {"group": "sine-cosine", "d_model": "51", "position": "25", "positions": "24"},
        {"group": "sine-cosine", **ODD},
        {"d_model": "2", "positions": "2"},
        {"d_model": "3", "grid": "tensor2tensor", "positions": "512"},
    ],
    "sinusoidal/dot-products": [
        {"d_model": "60"},  # the range is six ticks wide, but for a rounding
        {"d_model": "120", "offsets": "1000", "position": "5000"},
        {"d_model": "51", "position": "4999", "offsets": "300"},
        ODD,
    ],
    "sinusoidal/wavelengths": [{"d_model": "2"}, {"base": "1000000", "text": "45000"}, ODD],
    "sinusoidal/widths": [
        {"d_model": "50"},
        {"d_model": "2"},
        {"d_model": "20", "narrow": "20", "middle": "20", "positions": "200"},
        {"d_model": "13", **{key: ODD[key] for key in ("grid", "layout")}},
    ],
    "sinusoidal/large-indexes": [{"d_model": "2"}, {"positions": "1000"}, {"base": "10"}, ODD],
    "rope/turns": [
        {"head_dim": "2"},
        {"head_dim": "8", "positions": "24"},
        *({"scaling": way, "factor": "8"} for way in ("linear", "ntk", "yarn", "llama3")),
    ],
    "rope/scores": [
        {"head_dim": "2", "scaling": "ntk", "factor": "4"},
        {"scaling": "dynamic-ntk", "factor": "8", "trained_length": "128"},
        {"scaling": "yarn", "factor": "32", "distances": "2048"},
        {"scaling": "llama3", "factor": "8", "head_dim": "128", "base": "500000"},
    ],
    "rope/padded": [
        {"side": "right", "count": "columns", "written": "3"},
        {"longest": "16", "written": "8"},
        {"longest": "4", "count": "columns"},
    ],
    "rope/packed": [
        {"restart": "false", "separate": "false"},
        {"separate": "false", "first": "1", "second": "1"},
        {"first": "12", "second": "7", "restart": "false"},
    ],
    "alibi/penalties": [
        {"form": "causal", "head": "8"},
        {"n_heads": "12", "head": "32", "tokens": "128"},
        {"n_heads": "6", "rule": "geometric"},
    ],
    "alibi/slopes": [
        {"n_heads": "1", "distances": "10"},
        {"n_heads": "12", "distances": "2000"},
        {"n_heads": "32", "rule": "geometric", "form": "causal"},
    ],
    "t5_bias/staircase": [
        {"bidirectional": "false"},
        {"num_buckets": "64", "max_distance": "1024", "bidirectional": "false", "reach": "1100"},
        {"num_buckets": "4", "max_distance": "64", "reach": "8"},
        {"num_buckets": "6", "max_distance": "128", "reach": "1000"},
    ],
    "shaw/clip": [{"clip_distance": "0"}, {"clip_distance": "24"}, {"reach": "4"}],
    "nope/equal-tokens": [{"causal": "false"}, {"tokens": "64"}, {"tokens": "2"}],
    "nope/windows": [
        {"layers": "3"},
        {"tokens": "48", "window": "16", "layers": "8"},
        {"window": "1", "layers": "2"},
    ],
    "nope/weights": [
        {"sink": "false", "temperature": "1.25", "keys": "16"},
        {"keys": "24", "sink_score": "0"},
        {"keys": "2", "sink_score": "6", "temperature": "3"},
    ],
}


@dataclass(frozen=True, eq=False)
class Draw:
    """One set of parameters of one view."""

    selection: Selection
    texts: bool  # whether the page is given texts, as from its sliders, or values of JSON

    @cached_property
    def name(self) -> str:
        return f"{self.selection.entry.slug}/{self.selection.view.slug}"

    def __str__(self) -> str:
        return f"{self.name}?{self.selection.canonical()}"

    def for_page(self) -> dict[str, Any]:
        values, view = self.selection.values(), self.selection.view
        if self.texts:
            known = all_parameters(self.selection)
            values = {one.name: one.format(values[one.name]) for one in known}
        return {"module": view.in_page, "most": view.in_page_cells, "parameters": values}


def golden_draws(entry: Entry, view: View) -> Iterator[Draw]:
    """Return the defaults, which the page takes for what is left out, and the golden ones."""
    for query in ({}, *GOLDEN[f"{entry.slug}/{view.slug}"]):
        for texts in (False, True):
            yield Draw(read_query(entry, view, query), texts)


def random_draws(entry: Entry, view: View, count: int) -> Iterator[Draw]:
    """Return so many sets of parameters within the sliders, the same in every run."""
    rng = random.Random(f"{entry.slug}/{view.slug}")
    left = count
    while left:
        query = {one.name: _drawn(one, rng) for one in (*entry.parameters, *view.parameters)}
        try:
            selection = read_query(entry, view, query)
        except QueryError:  # T5's buckets may not fit its longest distance
            continue
        left -= 1
        yield Draw(selection, texts=bool(left % 2))


def _drawn(parameter: Parameter, rng: random.Random) -> str:
    """Return a text as the page's control makes it; sliders at an end one time in ten."""
    if parameter.choices:
        return rng.choice(parameter.choices)
    if parameter.slider is None:
        return rng.choice(("true", "false"))
    low, high, step = parameter.slider
    if rng.random() < 0.1:
        return parameter.format(parameter.kind(rng.choice((low, high))))
    if parameter.scale == "log":
        value = float(f"{low * (high / low) ** rng.random():.3g}")
    else:
        value = low + step * rng.randrange(int((high - low) / step) + 1)
    return parameter.format(parameter.kind(min(max(value, low), high)))

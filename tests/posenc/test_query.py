"""From the text of an address to a picture and back."""

from urllib.parse import parse_qsl

import posenc.catalog  # noqa: F401  (fills the registry)
import pytest
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.errors import QueryError
from posenc.query import read_query
from posenc.registry import REGISTRY

ENTRY = REGISTRY["sinusoidal"]
HEATMAP = ENTRY.views["heatmap"]


def test_parameters_missing_in_a_query_take_their_defaults():
    selection = read_query(ENTRY, HEATMAP, {})
    assert selection.encoding == Sinusoidal()
    defaults = {"positions": 20, "position": 3, "dimension": 4, "group": "none"}
    assert selection.arguments == defaults


def test_the_canonical_query_names_everything_sorted_and_reads_back_the_same():
    selection = read_query(ENTRY, HEATMAP, {"d_model": "+050", "base": "1e4"})
    canonical = selection.canonical()
    assert canonical == (
        "base=10000&d_model=50&dimension=4&grid=paper&group=none&layout=interleaved&position=3"
        "&positions=20"
    )
    again = read_query(ENTRY, HEATMAP, dict(parse_qsl(canonical)))
    assert again.canonical() == canonical
    assert again.values() == selection.values()


def test_every_fault_is_named_at_once_each_under_its_argument():
    query = {"d_model": "1000000000", "positions": "many", "theta": "1", "grid": "paper"}
    with pytest.raises(QueryError) as caught:
        read_query(ENTRY, HEATMAP, query)
    said = caught.value.by_argument()
    assert said.keys() == {"d_model", "positions", "theta"}
    assert said["d_model"] == "d_model=1000000000: must be between 2 and 1024"
    assert said["positions"] == "positions=many: must be a whole number between 2 and 512"
    assert said["theta"].startswith("theta=1: is not a parameter; there are base, d_model")


def test_a_long_unknown_name_is_not_echoed_whole():
    with pytest.raises(QueryError) as caught:
        read_query(ENTRY, HEATMAP, {"x" * 10_000: "y" * 10_000})
    assert len(str(caught.value)) < 300

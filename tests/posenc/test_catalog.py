"""Rules every registered encoding obeys. A new encoding is tested here without a new line."""

import inspect
import pkgutil

import numpy as np
import posenc.catalog
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from posenc.encoding import Encoding
from posenc.figures.describe import describe
from posenc.figures.live import draw_live
from posenc.number_format import spoken
from posenc.parameters import parameters
from posenc.query import read_query
from posenc.registry import REGISTRY

ENTRIES = [pytest.param(entry, id=slug) for slug, entry in REGISTRY.items()]
VIEWS = [
    pytest.param(entry, view, id=f"{entry.slug}-{view.slug}")
    for entry in REGISTRY.values()
    for view in entry.views.values()
]
RESERVED = {
    "v",
    "at",
    "scheme",
    "width",
    "table",
    "values",
    "predicted",
}  # names of the address itself


def test_every_file_of_the_catalogue_registers_an_encoding():
    """Without this an empty registry would make no tests below, and all would pass."""
    files = {module.name for module in pkgutil.iter_modules(posenc.catalog.__path__)}
    registered = {entry.encoding.__module__.split(".")[2] for entry in REGISTRY.values()}
    assert registered
    assert files == registered


@pytest.mark.parametrize("entry", ENTRIES)
def test_an_encoding_has_a_description_and_a_source(entry):
    own = entry.encoding.__doc__
    assert own
    assert not own.startswith(f"{entry.encoding.__name__}("), "this is the dataclass' signature"
    assert entry.source
    assert "Source:" in inspect.getmodule(entry.encoding).__doc__
    assert entry.title


@pytest.mark.parametrize("entry", ENTRIES)
def test_an_encoding_is_a_fact_that_can_be_compared_and_kept_in_a_set(entry):
    assert issubclass(entry.encoding, Encoding)
    assert entry.encoding() == entry.encoding()
    assert len({entry.encoding(), entry.encoding()}) == 1
    with pytest.raises(AttributeError):
        entry.encoding().anything = 1


@pytest.mark.parametrize("entry", ENTRIES)
def test_sliders_stay_inside_the_valid_values_and_hold_the_default(entry):
    of_views = [parameter for view in entry.views.values() for parameter in view.parameters]
    for parameter in (*entry.parameters, *of_views):
        assert parameter.name not in RESERVED
        assert parameter.validate(parameter.default) == parameter.default
        assert parameter.parse(parameter.format(parameter.default)) == parameter.default
        if parameter.kind in (int, float):
            assert parameter.slider, f"{parameter.name} has no slider, so the web has no limit"
            low, high, _ = parameter.slider
            for end in (low, high):
                parameter.validate(parameter.kind(end))


@pytest.mark.parametrize("entry", ENTRIES)
def test_every_number_has_a_lowest_and_a_highest_value(entry):
    """Else one number, mistyped, asks for more memory than there is."""
    of_views = [parameter for view in entry.views.values() for parameter in view.parameters]
    for parameter in (*parameters(entry.encoding), *of_views):
        if parameter.kind in (int, float):
            assert parameter.ge is not None, parameter.name
            assert parameter.le is not None, parameter.name


@pytest.mark.parametrize(("entry", "view"), VIEWS)
def test_a_view_returns_finite_numbers_with_axes_that_fit(entry, view):
    data = view.compute(entry.encoding())
    assert data.kind == view.kind
    assert data.scale == view.scale
    assert data.values.ndim == 2
    shown = data.values[np.isfinite(data.values)]
    assert shown.size
    assert not np.isnan(data.values).all()
    low, high = data.limits
    assert low < high
    for axis in (data.x, data.y):
        assert axis.label
        assert axis.limits[0] < axis.limits[1]
        assert len(axis.ticks) == len(axis.tick_labels) > 0
        assert all(axis.limits[0] <= tick <= axis.limits[1] for tick in axis.ticks)
    assert (len(data.row_names), len(data.column_names)) == data.values.shape
    if data.kind == "heatmap":
        assert shown.min() >= low - 1e-12
        assert shown.max() <= high + 1e-12
    for panel in data.panels or (data,):
        if panel.kind != "curves":
            continue
        assert len(panel.series) == len(panel.values)
        assert panel.x.values.shape == panel.values.shape[1:]


@pytest.mark.parametrize(("entry", "view"), VIEWS)
def test_a_view_speaks_of_its_numbers(entry, view):
    data = view.compute(entry.encoding())
    assert data.title
    assert data.finding.endswith(".")
    assert any(letter.isdigit() for letter in data.finding)
    words = describe(data)
    assert spoken(data.finding) in words
    assert "nan" not in words.lower().split()


@pytest.mark.covering
@pytest.mark.parametrize(("entry", "view"), VIEWS)
@pytest.mark.parametrize("end", [0, 1], ids=["all sliders left", "all sliders right"])
def test_a_view_can_be_drawn_at_the_ends_of_its_sliders(entry, view, end):
    on_pages = entry.parameters + view.parameters
    query = {p.name: p.format(p.kind(p.slider[end])) for p in on_pages if p.slider}
    picture = draw_live(read_query(entry, view, query).compute(), width_px=360)
    assert picture.svg.startswith("<svg ")


@pytest.mark.covering(most=12)
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("entry", "view"), VIEWS)
def test_a_view_can_be_drawn_at_the_lowest_of_all_it_takes(entry, view):
    lowest = {p.name: p.kind(p.ge) for p in view.parameters if p.kind in (int, float)}
    assert draw_live(view.compute(entry.encoding(), **lowest)).svg.startswith("<svg ")


@pytest.mark.slow
@pytest.mark.parametrize("count", [6, pytest.param(100, marks=pytest.mark.soak)])
@pytest.mark.parametrize(("entry", "view"), VIEWS)
def test_no_query_of_valid_values_fails(entry, view, count):
    on_pages = entry.parameters + view.parameters

    of_all = view.slug == "compare"  # every encoding at once, and each has views of its own here

    @settings(max_examples=count // 6 if of_all else count)
    @given(st.fixed_dictionaries({p.name: _texts(p) for p in on_pages}))
    def compute(query):
        data = read_query(entry, view, query).compute()
        assert data.values.size

    compute()


def _texts(parameter):
    """Return a strategy of texts a page may send for a parameter; small ones, to be quick."""
    if parameter.kind is bool:
        return st.sampled_from(["true", "false"])
    if parameter.choices:
        return st.sampled_from(parameter.choices)
    low, high, _ = parameter.slider
    if parameter.kind is float:
        return st.floats(low, high).map(parameter.format)
    factor = parameter.multiple_of or 1
    numbers = st.integers(-(-int(low) // factor), int(min(high, low + 60)) // factor)
    return numbers.map(lambda number: str(number * factor))

"""Only numpy arrays and torch tensors are taken; other libraries are refused by their name."""

import types
from functools import partial

import array_api_compat
import numpy as np
import posenc.catalog  # noqa: F401  (registers every encoding)
import pytest
import torch
from posenc.arrays import array_namespace, is_array, require_array
from posenc.attention import attention, softmax
from posenc.catalog.alibi import Alibi
from posenc.catalog.learned import Learned
from posenc.catalog.rope import Rope
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.errors import ParameterError
from posenc.registry import REGISTRY
from posenc.rotation import turn_pairs

from tests.posenc.catalog.small import draw_layer, small, trained

pytestmark = pytest.mark.torch


class Array:
    """An array that speaks the standard, as far as functions here ask: numpy does its work."""

    def __init__(self, values):
        self.values = np.asarray(values)

    def __array_namespace__(self, api_version=None):
        return array_api_compat.array_namespace(self.values)

    def __getattr__(self, name):
        return getattr(self.values, name)

    def __getitem__(self, places):
        return type(self)(self.values[places])


class ShapedArray:
    """An array with a shape and a dtype that does not name its library, as MLX's."""

    def __init__(self, values):
        self.values = np.asarray(values)

    @property
    def shape(self):
        return self.values.shape

    @property
    def dtype(self):
        return self.values.dtype


OTHERS = pytest.mark.parametrize("other", [Array, ShapedArray])


def refuses(call, argument, other):
    """Check that a call names the argument and the type with its module."""
    with pytest.raises(ParameterError) as caught:
        call()
    assert caught.value.argument == argument
    assert str(caught.value).endswith(f"not {other.__module__}.{other.__qualname__}")


def test_the_array_of_the_tests_speaks_the_standard():
    """Else it would be refused for another reason than the library it is of."""
    assert array_api_compat.is_array_api_obj(Array([1.0]))
    assert array_api_compat.array_namespace(Array([1.0])).isdtype(
        Array([1.0]).dtype, "real floating"
    )


def is_used(hook, fitting, changed):
    """Return whether a hook refuses nothing in place of the changed argument or weight."""
    ((argument, value),) = changed.items()
    if argument == "weights":
        fits = fitting["weights"]
        value = {name: None if array is not fits[name] else array for name, array in value.items()}
    else:
        value = None
    try:
        hook(**{**fitting, argument: value})
    except ParameterError:
        return True
    return False


@OTHERS
@pytest.mark.parametrize("slug", REGISTRY)
def test_every_hook_refuses_every_argument_of_another_library(slug, other):
    encoding = small(REGISTRY[slug].encoding)
    x, q, k, _ = draw_layer(5)
    at = np.arange(5) if slug != "rope_2d" else np.tile(np.arange(5), (3, 1))
    scores, positions = q @ np.swapaxes(k, -1, -2), {"q_positions": at, "k_positions": at}
    arguments = {
        "on_embeddings": {"x": x, "positions": at},
        "on_queries_and_keys": {"q": q, "k": k, **positions},
        "on_scores": {"scores": scores, "q": q, "k": k, **positions},
        "on_values": {"mixed": q, "attention": np.abs(scores), **positions},
    }
    weights, asked = trained(encoding), 0
    for name in encoding.hooks():
        hook, fitting = getattr(encoding, name), {**arguments[name], "weights": weights}
        changes = {one: {one: other(array)} for one, array in arguments[name].items()}
        for weight, array in weights.items():
            changes[f'weights["{weight}"]'] = {"weights": {**weights, weight: other(array)}}
        for argument, changed in changes.items():
            if is_used(hook, fitting, changed):
                refuses(partial(hook, **{**fitting, **changed}), argument, other)
                asked += 1
    assert asked or not encoding.hooks()


@OTHERS
def test_functions_refuse_another_library_by_the_caller_s_name(other):
    x, at, ones = np.ones((2, 5, 8)), np.arange(5), np.ones((5, 4))
    rope = Rope(head_dim=8)
    given = {"q": x, "k": x, "v": x, "q_positions": at, "k_positions": at}
    for argument, call in {
        "x": lambda: rope.rotate(other(x), at),
        "positions": lambda: rope.rotate(x, other(at)),
        "like": lambda: rope.waves(at, like=other(x)),
        "cos": lambda: turn_pairs(x, other(ones), ones, pairing="adjacent"),
        "sin": lambda: turn_pairs(x, ones, other(ones), pairing="adjacent"),
        "scores": lambda: softmax(other(x)),
        "q_positions": lambda: Alibi(n_heads=2).bias(other(at), at),
        "k_positions": lambda: Alibi(n_heads=2).bias(at, other(at)),
        "v": lambda: attention(**{**given, "v": other(x)}, encoding=rope),
        "longrope_short": lambda: Rope(head_dim=8, longrope_short=other(np.ones(4))),
    }.items():
        refuses(call, argument, other)
    refuses(lambda: Sinusoidal(d_model=8).encode(other(at)), "positions", other)
    refuses(lambda: Learned(8, 8).on_embeddings(other(x), at, {}), "x", other)


def test_a_library_is_numpy_or_torch_itself():
    other = types.ModuleType("other.numpy")
    other.empty = lambda count: Array(np.empty(count))
    with pytest.raises(ParameterError, match=r"^xp=.*other\.numpy.*must be numpy or torch"):
        Sinusoidal(d_model=8).table(4, xp=other)
    with pytest.raises(TypeError, match=r"test_arrays\.Array is not an array of numpy or torch"):
        array_namespace(Array([1.0]))


@pytest.mark.parametrize(
    "value",
    [None, 3, "x", [1.0], np.float32, torch.Tensor, object()],
    ids=lambda one: type(one).__name__,
)
def test_values_that_are_no_arrays_at_all_get_no_name_of_a_library(value):
    assert not is_array(value)
    with pytest.raises(ParameterError, match=r"^x=.*: must be an array$"):
        require_array("x", value, "must be an array")


@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_arrays_of_both_libraries_are_taken():
    for value in (np.ones(3), np.float32(1), np.ma.ones(3), torch.ones(3), torch.nn.Parameter()):
        assert is_array(value)
        assert require_array("x", value, "must be an array") is value
    assert not is_array(np.matrix([[1.0]]))

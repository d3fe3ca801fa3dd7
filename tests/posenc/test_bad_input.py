"""Whatever is wrong is refused by name, with the value and what was expected, and costs nothing."""

import tracemalloc

import numpy as np
import posenc.catalog  # noqa: F401  (registers every encoding)
import pytest
import torch
from posenc.attention import attention
from posenc.catalog.alibi import Alibi
from posenc.catalog.learned import Learned
from posenc.catalog.rope import Rope
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.catalog.transformer_xl import TransformerXL
from posenc.errors import ParameterError, named
from posenc.parameters import parameters
from posenc.registry import REGISTRY

from tests.posenc.catalog.small import draw_layer, small, trained
from tests.posenc.refusing import NO_REALS, NO_SIZES, NOTHING, ZERO, refused

pytestmark = pytest.mark.torch

DECLARED = [
    pytest.param(entry.encoding, one, id=f"{entry.slug}-{one.name}")
    for entry in REGISTRY.values()
    for one in parameters(entry.encoding)
]


@pytest.mark.parametrize(("encoding", "declared"), DECLARED)
def test_every_parameter_refuses_invalid_values(encoding, declared):
    bad = {int: NO_SIZES, float: NO_REALS, str: [*NO_SIZES[:-3], "wavy", ""]}
    bad[bool] = [one for one in [*NO_SIZES, "true"] if one is not True]
    for value in bad[declared.kind]:
        if (value is ZERO and declared.ge == 0) or (value is None and declared.optional):
            continue
        refused(lambda value=value: encoding(**{declared.name: value}), declared.name)


@pytest.mark.parametrize(("encoding", "declared"), DECLARED)
def test_sizes_that_must_be_even_refuse_odd_numbers(encoding, declared):
    if declared.multiple_of:
        odd = max(int(declared.ge or 0), 1) | 1
        refused(lambda: encoding(**{declared.name: odd}), declared.name)


@pytest.mark.parametrize("device", ["x", 3.5, "cuda:99", [1]])
@pytest.mark.parametrize("library", [np, torch], ids=["numpy", "torch"])
def test_a_table_goes_to_devices_that_are_there(library, device):
    with pytest.raises(ParameterError, match=r"^device=.*must be a device that"):
        Sinusoidal(d_model=8).table(4, xp=library, device=device)
    assert Sinusoidal(d_model=8).table(4, xp=library, device="cpu").shape == (4, 8)


NO_ARRAYS = {
    "nothing": lambda a: None,
    "a list": lambda a: a.tolist(),
    "text": lambda a: "x",
    "a number": lambda a: 3.0,
    "no axis": lambda a: np.array(1.0),
    "one axis": lambda a: a.reshape(-1)[:3],
    "integers": lambda a: a.astype(int),
    "booleans": lambda a: a > 0,
    "complex": lambda a: a * 1j,
    "objects": lambda a: a.astype(object),
    "a column less": lambda a: a[..., :-1],
    "a row less": lambda a: a[..., :-1, :],
    "other heads": lambda a: np.concatenate([a, a[..., :1, :, :]], axis=-3),
    "of torch": torch.from_numpy,
}
NO_POSITIONS = {
    "nothing": lambda a: None,
    "a list": lambda a: a.tolist(),
    "text": lambda a: "x",
    "no axis": lambda a: np.array(1),
    "NaN": lambda a: a * np.nan,
    "infinite": lambda a: a + np.inf,
    "beyond counting": lambda a: a + 2.0**60,
    "booleans": lambda a: a > 0,
    "complex": lambda a: a * 1j,
    "objects": lambda a: a.astype(object),
    "one less": lambda a: a[..., :-1],
    "three of two texts": lambda a: np.stack([a] * 3, axis=-2),
    "too many axes": lambda a: np.broadcast_to(a[..., None, None, None, :], (*a.shape, 1, 1, 5)),
    "of torch": torch.from_numpy,
}


def hooks_with_arguments(slug):
    """Yield each hook of an encoding, bound, with arguments that fit."""
    encoding = small(REGISTRY[slug].encoding)
    x, q, k, _ = draw_layer(5, batch=(2,))
    at = np.arange(5) if slug != "rope_2d" else np.tile(np.arange(5), (3, 1))
    scores, positions = q @ np.swapaxes(k, -1, -2), {"q_positions": at, "k_positions": at}
    arguments_of = {
        "on_embeddings": {"x": x, "positions": at},
        "on_queries_and_keys": {"q": q, "k": k, **positions},
        "on_scores": {"scores": scores, "q": q, "k": k, **positions},
        "on_values": {"mixed": q, "attention": np.abs(scores), **positions},
    }
    for hook in encoding.hooks():
        yield getattr(encoding, hook), {**arguments_of[hook], "weights": trained(encoding)}


def is_unused(hook, arguments, name):
    """Return whether a hook gives the same without an argument: an encoding need not look at all.

    Only a ParameterError may say otherwise; what is neither used nor refused is found here.
    """
    try:
        without = hook(**{**arguments, name: None})
    except ParameterError:
        return False
    return all(map(np.array_equal, in_a_row(without), in_a_row(hook(**arguments))))


def each_is_treated_alike(hook, arguments, spoilt):
    """Return whether one head or text more leaves the others as they are: any number will do."""
    try:
        longer = hook(**spoilt)
    except ParameterError:
        return False
    return all(
        np.array_equal(more[..., : one.shape[-3], :, :], one)
        for one, more in zip(in_a_row(hook(**arguments)), in_a_row(longer), strict=True)
    )


def in_a_row(result):
    return result if isinstance(result, tuple) else (result,)


@pytest.mark.parametrize("slug", REGISTRY)
def test_every_hook_refuses_arguments_it_cannot_use(slug):
    for hook, arguments in hooks_with_arguments(slug):
        known = {*arguments, *(f'weights["{one}"]' for one in arguments["weights"])}
        for name in arguments.keys() - {"weights"}:
            if is_unused(hook, arguments, name):
                continue
            bad = NO_POSITIONS if "positions" in name else NO_ARRAYS
            for what, spoil in bad.items():
                spoilt = {**arguments, name: spoil(arguments[name])}
                if what == "other heads" and each_is_treated_alike(hook, arguments, spoilt):
                    continue
                with pytest.raises(ParameterError) as caught:
                    hook(**spoilt)
                assert caught.value.argument in known, (what, str(caught.value))


def test_only_terms_that_look_at_distances_alone_leave_queries_or_keys_unused():
    """Else a hook that forgot to look would pass above."""
    unused = {
        f"{slug} {hook.__name__} {name}"
        for slug in ("alibi", "deberta", "kerple", "learned", "rope", "shaw")
        for hook, arguments in hooks_with_arguments(slug)
        for name in arguments.keys() - {"weights"}
        if is_unused(hook, arguments, name)
    }
    distances_alone = {f"{slug} on_scores {one}" for slug in ("alibi", "kerple") for one in "qk"}
    assert unused == {*distances_alone, "shaw on_scores k"}


@pytest.mark.parametrize("slug", REGISTRY)
def test_every_hook_that_learns_refuses_anything_but_weights(slug):
    for hook, arguments in hooks_with_arguments(slug):
        if not arguments["weights"]:
            continue
        for bad in (None, [], 3.0, "x", np.ones(3)):
            with pytest.raises(ParameterError, match=r"^weights=.*as init_weights returns"):
                hook(**{**arguments, "weights": bad})
        with pytest.raises(ParameterError, match=r'^weights\["'):
            hook(**{**arguments, "weights": {"other": np.ones(3)}})


@pytest.mark.parametrize("slug", REGISTRY)
@pytest.mark.parametrize("rng", [None, 0, "x", np.random.RandomState(0), np.random])
def test_weights_are_drawn_from_a_generator_alone(slug, rng):
    with pytest.raises(ParameterError, match=r"^rng=.*must be a Generator of numpy"):
        REGISTRY[slug].encoding().init_weights(rng)


@pytest.mark.parametrize("name", ["q", "k", "v", "q_positions", "k_positions"])
def test_attention_refuses_arguments_it_cannot_use(name):
    _, q, k, v = draw_layer(5, batch=(2,))
    at = np.arange(5)
    arguments = {"q": q, "k": k, "v": v, "q_positions": at, "k_positions": at}
    for slug in ("nope", "rope", "alibi"):
        encoding = small(REGISTRY[slug].encoding)
        for what, spoil in (NO_POSITIONS if "positions" in name else NO_ARRAYS).items():
            if what == "of torch" or (name == "v" and what == "a column less"):
                continue  # values may be of another width
            spoilt = {**arguments, name: spoil(arguments[name])}
            with pytest.raises(ParameterError) as caught:
                attention(**spoilt, encoding=encoding, causal=True)
            assert caught.value.argument in arguments, (slug, what, str(caught.value))


def test_huge_tables_are_refused_before_anything_is_allocated():
    refused(lambda: Sinusoidal(d_model=65_536).table(2**40), "length")
    refused(lambda: Sinusoidal(d_model=65_536).table(8, start=2**60), "start")
    refused(lambda: Learned(max_len=2**24, d_model=65_536), "max_len")
    for slug, sizes in {
        "shaw": {"head_dim": 65_536, "clip_distance": 65_536},
        "cope": {"head_dim": 65_536, "max_pos": 1_048_576},
        "transformer_xl": {"d_model": 65_536, "head_dim": 65_536, "n_heads": 4096},
        "deberta": {"d_model": 65_536, "head_dim": 65_536, "n_heads": 4096},
    }.items():
        refused(lambda slug=slug, sizes=sizes: REGISTRY[slug].encoding(**sizes), *sizes)


def test_making_and_counting_the_largest_encodings_allocates_nothing_either():
    tracemalloc.start()
    try:
        assert Learned(max_len=2**24, d_model=128).parameter_count() == 2**31
        wide = {"d_model": 65_536, "head_dim": 1024, "n_heads": 32}
        assert TransformerXL(**wide).parameter_count() > 2**31
        Rope(head_dim=65_536)
        Alibi(n_heads=4096)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < NOTHING


def test_an_error_speaks_of_the_caller_s_arguments():
    with pytest.raises(ParameterError) as caught, named(x="q", positions="q_positions"):
        raise ParameterError("positions", 3, "must be (5,), one for each row of x")
    assert str(caught.value) == "q_positions=3: must be (5,), one for each row of q"

"""Fused kernels and whoever follows torch's operations: compilers, tracers, transforms, forks."""

import multiprocessing

import numpy as np
import pytest
import torch
from posenc import fused
from posenc.errors import ParameterError
from posenc.rotation import turn_pairs
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils._python_dispatch import TorchDispatchMode

pytestmark = pytest.mark.torch

PAIRINGS = pytest.mark.parametrize("pairing", ["adjacent", "half-split"])


@pytest.fixture(autouse=True)
def _in_use():
    fused.use()
    yield
    fused.stop()


def normal(*shape, seed=0):
    return torch.from_numpy(np.random.default_rng(seed).normal(size=shape)).float()


X, COS, SIN = normal(3, 5, 8), normal(5, 4, seed=1).cos(), normal(5, 4, seed=1).sin()


class Steps(TorchDispatchMode):
    """Counts the operations of torch."""

    seen = 0

    def __torch_dispatch__(self, operation, types, args=(), kwargs=None):
        self.seen += 1
        return operation(*args, **(kwargs or {}))


@pytest.mark.filterwarnings("ignore")  # of torch.jit, and of what Dynamo looks through
@PAIRINGS
def test_transforms_and_modes_of_torch_still_follow_each_step(pairing):
    def turned(x):
        return turn_pairs(x, COS, SIN, pairing=pairing)

    expected, direction = turned(X), normal(3, 5, 8, seed=5)
    torch.testing.assert_close(torch.func.vmap(turned)(X), expected)
    torch.testing.assert_close(torch.func.grad(lambda x: (turned(x) * expected).sum())(X), X)
    with torch.autograd.forward_ad.dual_level():
        dual = turned(torch.autograd.forward_ad.make_dual(X, direction))
        tangent = torch.autograd.forward_ad.unpack_dual(dual).tangent
    torch.testing.assert_close(tangent, turned(direction))
    torch.testing.assert_close(torch.compile(turned, backend="eager")(X), expected)
    with Steps() as steps:
        torch.testing.assert_close(turned(X), expected)
    assert steps.seen > 1
    traced = torch.jit.trace(turned, (X,))
    torch.testing.assert_close(traced(direction), turned(direction))


@pytest.mark.parametrize("pre_dispatch", [False, True])
@PAIRINGS
def test_a_recorded_rotation_is_recorded_whole(pairing, pre_dispatch):
    def turned(x):
        return turn_pairs(x, COS, SIN, pairing=pairing)

    recorded = make_fx(turned, pre_dispatch=pre_dispatch)(X)
    other = normal(3, 5, 8, seed=5)
    torch.testing.assert_close(recorded(other), turned(other))


@PAIRINGS
def test_memory_that_is_not_there_is_not_read(pairing):
    def turned(x):
        return turn_pairs(x, COS, SIN, pairing=pairing)

    torch.testing.assert_close(torch.func.functionalize(turned)(X), turned(X))
    out = torch.zeros(3, 5, 8)
    with pytest.raises(ParameterError, match=r"^out="):
        torch.func.vmap(lambda x: turn_pairs(x, COS, SIN, pairing=pairing, out=out[0]))(X)


def test_inference_tensors_are_not_written_outside_inference_mode():
    with torch.inference_mode():
        out = torch.zeros(3, 5, 8)
        turn_pairs(X, COS, SIN, pairing="half-split", out=out)
    with pytest.raises(RuntimeError, match="inference"):
        turn_pairs(X, COS, SIN, pairing="half-split", out=out)


LARGE = torch.ones(2, 128, 64)  # for two threads of a kernel, and for one of torch
WAVES = torch.ones(128, 32)


def _turn(queue):
    queue.put(turn_pairs(LARGE, WAVES, WAVES, pairing="half-split").sum().item())


def test_after_a_fork_kernels_keep_to_one_thread():
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(2)
        forked = multiprocessing.get_context("fork")
        queue = forked.SimpleQueue()
        _turn(queue)  # wakes the threads that the child will not have
        expected = queue.get()
        child = forked.Process(target=_turn, args=(queue,))
        child.start()
        child.join(20)
        ended = child.exitcode
        child.kill()
        assert ended == 0, "the child waits for threads that are not there"
        assert queue.get() == expected
    finally:
        torch.set_num_threads(before)

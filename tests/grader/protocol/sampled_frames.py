"""Runs that are right but for one thing, or a few: what a liar who knows the answers would send.

Everything starts from the frames of an honest run. Changes go from whole frames (left out, said
twice, in another order, of another kind, late) over leaves (kinds, keys, dtypes, shapes, arrays of
another case) and numbers (by one ulp to 1e9, NaN, an imaginary part) down to any place of the JSON.
"""

from __future__ import annotations

import copy
import json
import marshal
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import strategies as st

from quizzes.grader.protocol.job import Ending, Run
from quizzes.grader.protocol.observation import KINDS
from quizzes.grader.protocol.verdict import Stage
from quizzes.grader.protocol.wire import DTYPES, MAGIC, PREFIX, Frame
from quizzes.grader.sandbox.conversation import RESULT_BOUNDS, FrameStream

CODES = {dtype: code for code, dtype in DTYPES.items()}
WORDS = ("float64", "float32", "float16", "bfloat16", "float", "int", "complex", "complex128",
         "int64", "int32", "bool", "str3", "", "\ud800")  # fmt: skip
FRAME_KINDS = (
    "case",
    "again",
    "load",
    "parsed",
    "loaded",
    "stopped",
    "end",
    "listed",
    "hidden",
    "hidden",
    "",
)
KEYS = ("out", "out.0", "out.1", "out.2", "out.0.0", "", "fact.norm_kept", "fact.trainable",
        "fact.moves", "fact.mine", "seen.moves", "changed.x", "changed.y", "grad.x",
        "grad.parameters", "seen.seconds", "look.0", "look.1")  # fmt: skip
FACTS = (0, 1, 2, -1, 96, 2**31, 2**53, 2**60, 1.0, 0.5, -0.0, np.nan, np.inf, True, 1 + 1e6j)
STEPS = (0.5, 0.99, 1.01, 2.0, 30.0, 1e3, 1e6, 1e9)  # times what the tolerance allows
CASE = {"label": "mine", "kwargs": {}, "init": None, "probe": "call", "shown": False,
        "identify": False, "raises": False}  # fmt: skip

junk = st.recursive(
    st.sampled_from([None, True, False, 0, 1, -1, 2**53, 2**64, 10**400, 0.5, 1e308])
    | st.sampled_from([float("nan"), float("inf"), "", "0", "out", "returned", "\ud800", "\0"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["rung", "key", "kind", ""]), inner, max_size=2)
    ),
    max_leaves=3,
)
failures = st.fixed_dictionaries(
    {},
    optional={
        "rung": st.sampled_from([stage.value for stage in Stage]) | junk,
        "type": st.just("ValueError") | junk,
        "message": st.just("too long") | junk,
        "traceback": st.just("") | junk,
        "line": st.just(1) | junk,
        "memory": st.booleans() | junk,
        "time": st.booleans() | junk,
        "exit": st.booleans() | junk,
        "defined": st.just(["f"]) | junk,
        "suggestion": st.just("arange") | junk,
    },
)
raised = st.just({"rung": "returned", "type": "ValueError", "message": "", "traceback": ""})
claimed_failures = raised | raised | failures | junk


@dataclass
class Sent:
    """A frame before it is bytes: its header without `arrays`, and the arrays by name."""

    header: dict[str, Any]
    arrays: dict[str, Any] = field(default_factory=dict)

    @property
    def leaves(self) -> list[dict[str, Any]]:
        return [leaf for leaf in self.header.get("leaves") or () if type(leaf) is dict]


@dataclass(frozen=True)
class Known:
    """What a liar has at hand: how far numbers may be off, and arguments and results to reuse."""

    tolerance: Any
    arrays: Sequence[Any]


class Lie:
    """A run, and what was changed in it; no dataclass, of which hypothesis would print it all."""

    def __init__(self, run: Run, changes: Sequence[str]) -> None:
        self.run = run
        self._changes = changes

    def __repr__(self) -> str:
        return f"Lie({', '.join(self._changes)}; {self.run.ending}, in_time={self.run.in_time})"


Draw = Callable[[st.SearchStrategy[Any]], Any]
Change = Callable[[Draw, list[Sent], Known], None]


@st.composite
def runs(draw: st.DrawFn, bases: Sequence[Sequence[Frame]], known: Known) -> Lie:
    """A run that starts from one of `bases`, the first of them most often."""
    base = bases[0 if draw(st.integers(0, 4)) else draw(st.integers(0, len(bases) - 1))]
    sent = [Sent(_copied(frame.header), dict(frame.arrays)) for frame in base]
    count = draw(st.sampled_from([1, 1, 1, 1, 1, 1, 2, 3]))
    changes = [draw(st.sampled_from(CHANGES)) for _ in range(count)]
    for change in changes:
        change(draw, sent, known)
    data = [_compose(frame) for frame in sent]  # which shares lists with what was drawn
    names = [change.__name__ for change in changes]
    if draw(st.integers(0, 7)) == 0 and data:
        names.append(_break_json(draw, data))
    stream = b"".join(_as_bytes(*parts) for parts in data)
    run = _run_of(stream, draw(st.sampled_from([None] * 30 + [0, 3, 10, 30])), draw)
    return Lie(run, [f"base {bases.index(base)}", *names])


def _copied(header: Any) -> dict[str, Any]:
    """A header of its own; copying it by `copy` would take longer than judging it."""
    return dict(marshal.loads(marshal.dumps(dict(header))))


def bytes_of(frames: Sequence[Frame]) -> bytes:
    """The stream of frames that nobody has changed."""
    return b"".join(_as_bytes(*_compose(Sent(dict(f.header), dict(f.arrays)))) for f in frames)


def run_from(stream: bytes) -> Run:
    """What the supervisor makes of a stream whose child then left."""
    arriving = FrameStream(RESULT_BOUNDS, 200)
    arriving.feed(stream)
    frames = tuple(arriving.frames)
    ended = bool(frames) and frames[-1].header.get("kind") == "end"
    ending = Ending.FINISHED if ended else Ending.DIED
    return Run(Ending.GARBLED if arriving.defect else ending, frames, b"", 0.1, arriving.defect)


def _run_of(stream: bytes, in_time: int | None, draw: Draw) -> Run:
    run = run_from(stream)
    ending = run.ending
    if draw(st.integers(0, 19)) == 0:
        ending = draw(st.sampled_from(list(Ending)))
    return Run(ending, run.frames, b"", 0.1, run.detail, in_time)


def _compose(sent: Sent) -> tuple[dict[str, Any], bytes]:
    listed, bodies = [], []
    for name, value in sent.arrays.items():
        array = np.asarray(value)
        listed.append([name, CODES.get(array.dtype, "f8"), list(array.shape)])
        bodies.append(array.tobytes())
    return {**sent.header, "arrays": listed}, b"".join(bodies)


def _as_bytes(header: Any, body: bytes) -> bytes:
    text = json.dumps(header).encode()
    return PREFIX.pack(MAGIC, len(text), len(body)) + text + body


def _break_json(draw: Draw, data: list[tuple[dict[str, Any], bytes]]) -> str:
    """Put something else at any place of a header, or take it away; or cut or stretch a body."""
    at = draw(st.integers(0, len(data) - 1))
    header, body = _copied(data[at][0]), data[at][1]
    places = list(_places(header))
    owner, key = draw(st.sampled_from(places)) if places else (header, "kind")
    how = draw(st.sampled_from(["replace", "replace", "delete", "insert", "cut", "stretch"]))
    if how == "replace":
        owner[key] = draw(junk)
    elif how == "delete":
        del owner[key]
    elif how == "insert" and isinstance(owner, list):
        owner.insert(key, draw(junk))
    data[at] = header, {"cut": body[:-1], "stretch": body + b"\0"}.get(how, body)
    return f"{how} {key!r:.20} of frame {at}"


def _places(value: Any) -> Any:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in list(items):
        yield value, key
        if isinstance(inner, dict | list):
            yield from _places(inner)


def _cases(sent: list[Sent]) -> list[Sent]:
    found = [frame for frame in sent if frame.header.get("kind") in ("case", "again")]
    return found or [Sent({})]


def _case(draw: Draw, sent: list[Sent]) -> Sent:
    return draw(st.sampled_from(_cases(sent)))


def _leaf(draw: Draw, sent: list[Sent]) -> tuple[Sent, dict[str, Any]]:
    """Results more often than anything else, then gradients and what is looked at."""
    both = [(frame, leaf) for frame in _cases(sent) for leaf in frame.leaves]
    results = [item for item in both if str(item[1].get("key")).startswith("out")]
    others = [item for item in both if str(item[1].get("key")).startswith(("grad.", "look."))]
    among = draw(st.sampled_from([results, results, both, others]))
    return draw(st.sampled_from(among or both or [(Sent({}), {})]))


def _array_of(frame: Sent, leaf: dict[str, Any]) -> Any:
    """The array that a leaf names, if there is one: its name may be anything by now."""
    name = leaf.get("array")
    return frame.arrays.get(name) if isinstance(name, str) else None


def _place_in(draw: Draw, sent: list[Sent]) -> int:
    return draw(st.integers(0, len(sent)))


def leave_out_a_frame(draw: Draw, sent: list[Sent], known: Known) -> None:
    if sent:
        del sent[draw(st.integers(0, len(sent) - 1))]


def say_a_frame_twice(draw: Draw, sent: list[Sent], known: Known) -> None:
    if sent:
        twice = copy.deepcopy(draw(st.sampled_from(sent)))
        sent.insert(_place_in(draw, sent), twice)


def swap_two_frames(draw: Draw, sent: list[Sent], known: Known) -> None:
    if sent:
        one, other = (draw(st.integers(0, len(sent) - 1)) for _ in range(2))
        sent[one], sent[other] = sent[other], sent[one]


def change_the_kind_of_a_frame(draw: Draw, sent: list[Sent], known: Known) -> None:
    if sent:
        draw(st.sampled_from(sent)).header["kind"] = draw(st.sampled_from(FRAME_KINDS) | junk)


def add_a_frame(draw: Draw, sent: list[Sent], known: Known) -> None:
    header: dict[str, Any] = {"kind": draw(st.sampled_from(FRAME_KINDS) | junk)}
    if draw(st.booleans()):
        header["failure"] = draw(claimed_failures)
    if draw(st.booleans()):
        header["cases"] = draw(st.sampled_from([[], [CASE], [CASE] * 3]) | junk)
    sent.insert(_place_in(draw, sent), Sent(header))


def change_an_index(draw: Draw, sent: list[Sent], known: Known) -> None:
    _case(draw, sent).header["index"] = draw(st.integers(-1, 40) | junk)


def swap_two_indices(draw: Draw, sent: list[Sent], known: Known) -> None:
    """Each case gets the other's results."""
    one, other = _case(draw, sent).header, _case(draw, sent).header
    one["index"], other["index"] = other.get("index"), one.get("index")


def claim_a_failure(draw: Draw, sent: list[Sent], known: Known) -> None:
    frame = _case(draw, sent)
    frame.header["failure"] = draw(claimed_failures)
    if draw(st.booleans()):
        frame.header["leaves"], frame.arrays = [], {}


def claim_no_failure(draw: Draw, sent: list[Sent], known: Known) -> None:
    """What another case returned, in the place of an error."""
    failed = [frame for frame in _cases(sent) if frame.header.get("failure")]
    if failed:
        frame, other = draw(st.sampled_from(failed)), _case(draw, sent)
        frame.header.update(failure=None, leaves=copy.deepcopy(other.leaves))
        frame.arrays = dict(other.arrays)


def change_a_leaf(draw: Draw, sent: list[Sent], known: Known) -> None:
    """A word of a leaf: kind, key, type, dtype, shape, length or the array's name."""
    _, leaf = _leaf(draw, sent)
    word = draw(
        st.sampled_from(["kind", "kind", "key", "type", "dtype", "shape", "length", "array"])
    )
    options: dict[str, st.SearchStrategy[Any]] = {
        "kind": st.sampled_from(KINDS),
        "key": st.sampled_from(KEYS),
        "type": st.sampled_from(["Tensor", "\ud800", "x" * 9000]),
        "dtype": st.sampled_from(WORDS),
        "shape": st.lists(st.integers(0, 9), max_size=4),
        "length": st.integers(-2, 9),
        "array": st.sampled_from([None, "0", "1", "2", "nothing"]),
    }
    leaf[word] = draw(options[word] | options[word] | junk)


def call_results_random(draw: Draw, sent: list[Sent], known: Known) -> None:
    """Of one case all results, without their numbers."""
    for leaf in _case(draw, sent).leaves:
        if str(leaf.get("key")).startswith(("out", "grad.")):
            leaf.update(kind="random", array=None, shape=[])


def leave_out_a_leaf(draw: Draw, sent: list[Sent], known: Known) -> None:
    frame, leaf = _leaf(draw, sent)
    frame.header["leaves"] = [item for item in frame.leaves if item is not leaf]
    if draw(st.booleans()):
        frame.arrays.pop(str(leaf.get("array")), None)


def add_a_leaf(draw: Draw, sent: list[Sent], known: Known) -> None:
    frame = _case(draw, sent)
    kind = draw(st.sampled_from(["random", "array", "none", "number"]))
    leaf = {"key": draw(st.sampled_from(KEYS)), "kind": kind, "type": "ndarray", "dtype": "float64"}
    leaf |= {"shape": [], "length": None, "array": None}
    if kind in ("array", "number"):
        array = np.asarray(draw(st.sampled_from(FACTS)))
        frame.arrays["more"], leaf["array"], leaf["dtype"] = array, "more", array.dtype.name
    frame.header.setdefault("leaves", [])
    frame.header["leaves"] = [*frame.leaves, leaf]


def forge_a_fact(draw: Draw, sent: list[Sent], known: Known) -> None:
    both = [(frame, leaf) for frame in _cases(sent) for leaf in frame.leaves]
    kept = ("fact.", "changed.", "seen.")
    facts = [item for item in both if str(item[1].get("key")).startswith(kept)]
    if facts:
        frame, leaf = draw(st.sampled_from(facts))
        right = _array_of(frame, leaf)
        if right is not None and draw(st.booleans()):
            frame.arrays[leaf["array"]] = _another(right)
            return
        array = np.asarray(draw(st.sampled_from(FACTS)))
        _put(frame, leaf, array.reshape(draw(st.sampled_from([(), (), (1,), (1, 1)]))), draw)


def _another(right: Any) -> Any:
    """The other flag, or one more, in the same dtype."""
    return ~right if right.dtype.kind == "b" else right + right.dtype.type(1)


def forge_numbers(draw: Draw, sent: list[Sent], known: Known) -> None:
    """The numbers of one leaf: a little or far off, in one cell or in all."""
    frame, leaf = _leaf(draw, sent)
    right = _array_of(frame, leaf)
    if right is None or right.dtype.kind not in "fiub":
        return
    array = np.array(right, copy=True)
    with np.errstate(all="ignore"):
        wrong = _wrong_numbers(draw, array, known)
        if array.size and draw(st.booleans()):
            cell = np.unravel_index(draw(st.integers(0, array.size - 1)), array.shape)
            array[cell] = wrong[cell]
        else:
            array = wrong
    frame.arrays[leaf["array"]] = array


def _wrong_numbers(draw: Draw, array: Any, known: Known) -> Any:
    how = draw(
        st.sampled_from(["step", "step", "step", "ulp", "zeros", "ones", "nan", "inf", "neg"])
    )
    if how == "step":
        step = draw(st.sampled_from(STEPS)) * draw(st.sampled_from([1, -1]))
        allowed = known.tolerance.allowed_error(array)
        least = 1.0 if array.dtype.kind != "f" else 0.0
        return (array + step * np.maximum(allowed, least)).astype(array.dtype)
    if how == "ulp" and array.dtype.kind == "f":
        return np.nextafter(array, np.inf).astype(array.dtype)
    if how in ("nan", "inf") and array.dtype.kind == "f":
        return np.full_like(array, {"nan": np.nan, "inf": np.inf}[how])
    if how == "neg" and array.dtype.kind != "b":
        return np.zeros_like(array) - array
    return np.ones_like(array) if how == "ones" else np.zeros_like(array)


def carry_another_dtype(draw: Draw, sent: list[Sent], known: Known) -> None:
    """The same numbers in another wire dtype; the word goes with it, or stays, or is a third."""
    frame, leaf = _leaf(draw, sent)
    right = _array_of(frame, leaf)
    if right is None or right.dtype.kind == "c":
        return
    with np.errstate(all="ignore"):
        array = np.asarray(right).astype(draw(st.sampled_from([*DTYPES.values()])))
    if array.dtype.kind == "c":
        array = array + draw(st.sampled_from([0, 1e6, 1e-9, np.nan])) * array.dtype.type(1j)
    frame.arrays[leaf["array"]] = array
    leaf["dtype"] = draw(st.sampled_from([leaf.get("dtype"), array.dtype.name] * 2 + ["float64"]))


def send_another_shape(draw: Draw, sent: list[Sent], known: Known) -> None:
    frame, leaf = _leaf(draw, sent)
    array = _array_of(frame, leaf)
    if array is None:
        return
    shapes: list[Any] = [array.ravel(), array.T, array[None], array[..., None], np.zeros(0)]
    shapes += [array[:1], array[:0]] if array.ndim else [array]
    shapes += [array.ravel()[:1].reshape(()) if array.size else np.zeros(())]
    _put(frame, leaf, draw(st.sampled_from(shapes)), draw)


def send_another_array(draw: Draw, sent: list[Sent], known: Known) -> None:
    """Of another case, or an argument unchanged, or another convention's."""
    frame, leaf = _leaf(draw, sent)
    others = [array for other in _cases(sent) for array in other.arrays.values()]
    right = _array_of(frame, leaf)
    if right is not None:
        same = [array for array in (*others, *known.arrays) if np.shape(array) == np.shape(right)]
        _put(frame, leaf, draw(st.sampled_from([*same, *same, *others, *known.arrays])), draw)


def swap_arrays_of_a_case(draw: Draw, sent: list[Sent], known: Known) -> None:
    frame = _case(draw, sent)
    names = [leaf.get("array") for leaf in frame.leaves]
    if len(names) > 1:
        for leaf, name in zip(frame.leaves, [*names[1:], names[0]], strict=True):
            leaf["array"] = name


def _put(frame: Sent, leaf: dict[str, Any], array: Any, draw: Draw) -> None:
    """An array in a leaf, whose words mostly fit."""
    array = np.asarray(array)
    if not isinstance(leaf.get("array"), str):
        leaf["array"] = "put"
    frame.arrays[leaf["array"]] = array
    if draw(st.integers(0, 4)):
        leaf["shape"] = list(array.shape)
    if draw(st.booleans()):
        leaf["dtype"] = array.dtype.name


CHANGES: tuple[Change, ...] = (
    leave_out_a_frame,
    say_a_frame_twice,
    swap_two_frames,
    change_the_kind_of_a_frame,
    add_a_frame,
    change_an_index,
    swap_two_indices,
    claim_a_failure,
    claim_no_failure,
    change_a_leaf,
    call_results_random,
    call_results_random,
    leave_out_a_leaf,
    add_a_leaf,
    forge_a_fact,
    forge_a_fact,
    forge_numbers,
    forge_numbers,
    forge_numbers,
    carry_another_dtype,
    carry_another_dtype,
    send_another_shape,
    send_another_array,
    swap_arrays_of_a_case,
)

"""Doing a job: loading the code and running its cases, or listing an author's cases.

One frame per case is sent as soon as the case is done, so that a later crash or endless loop keeps
the earlier ones. Shown cases run first. Hidden ones come in a frame of their own, which is asked
for when standard output goes to /dev/null: until then nothing in this process knows them. With
them comes which cases are pairs; these are called again when all others are done, before the timed
ones.

The code runs in a module of its own that is `__main__` too, as it would be where its author tried
it, and its lines are put into `linecache`, since a traceback quotes lines and there is no file to
read them from. Whatever it raises is caught, `SystemExit` and `KeyboardInterrupt` included: an
exception that got past this file would end the process without a frame, and a student who called
`exit()` would be told that the interpreter died. Only the stop at the wall limit goes through
everything, and is said last.
"""

from __future__ import annotations

import contextlib
import linecache
import os
import random
import sys
import types
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np

from quizzes.grader.inside.calling import NotAModuleError, SignatureMismatchError
from quizzes.grader.inside.describe import Leaf, describe, printable, type_name
from quizzes.grader.inside.failures import OutOfTime, describe_failure
from quizzes.grader.inside.module_probes import call_eval_once
from quizzes.grader.inside.paired_calls import calls_of_pair
from quizzes.grader.inside.probes import LONG_SECONDS, measure, observe
from quizzes.grader.inside.recorder import Recorder
from quizzes.grader.inside.shown_warnings import show_warnings_of
from quizzes.grader.protocol.case import Case, decode_cases, encode_cases
from quizzes.grader.protocol.wire import Frame, encode

Send = Callable[[bytes], None]
Receive = Callable[[], Frame]
Placed = tuple[int, Case]  # a case, and its place among all cases of the job
NOWHERE = 0  # descriptor 0 is /dev/null, open for writing only
STDOUT, STDERR = 1, 2
MAX_CASES = 200
BELOW = "below.py"  # the author's, so nothing in it is a line of the code


def silence() -> None:
    """Send to nowhere what the code prints from now on."""
    _flush()
    os.dup2(NOWHERE, STDOUT)
    os.dup2(NOWHERE, STDERR)


def do_job(
    frame: Frame, send: Send, receive: Receive, silence: Callable[[], None] = silence
) -> None:
    """Run the job and send its frames, the last of which is `end`.

    `receive` gives the frame of the hidden cases, after `silence` and the frame that asks for it.
    """
    job = frame.header
    recorder = Recorder(job["most_values"]) if job["task"] == "record" else None
    try:
        target = _load(job, send, recorder)
        if target is not None:
            send(encode({"kind": "loaded"}))
        if target is not None and job["task"] == "list_cases":
            _list_cases(target, job, send)
        elif target is not None:
            shown = _placed(frame)
            _run_cases(target, job, shown, (), send)
            if job["more"]:
                silence()
                send(encode({"kind": "hidden"}))
                more = receive()
                hidden = _placed(more)
                known = dict([*shown, *hidden])
                pairs = [[(place, known[place]) for place in pair] for pair in more.header["pairs"]]
                _run_cases(target, job, hidden, pairs, send)
        _send_recorded(recorder, send)
    except OutOfTime as error:
        send(encode({"kind": "stopped", "failure": describe_failure(error, job["filename"])}))
        _send_recorded(recorder, send)
    _flush()
    send(encode({"kind": "end"}))


def _send_recorded(recorder: Recorder | None, send: Send) -> None:
    if recorder is not None:
        for data in recorder.frames():
            send(data)


def _load(job: Any, send: Send, recorder: Recorder | None) -> Any:
    filename, source = job["filename"], job["source"]
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    module = types.ModuleType("submission")
    sys.modules["submission"] = sys.modules["__main__"] = module
    reseed(job["seed"])
    show_warnings_of(filename)
    try:
        program = compile(source, filename, "exec", dont_inherit=True)
        # Before a line of it runs: so nothing that the code writes can say that it was not read.
        send(encode({"kind": "parsed"}))
        if recorder is not None:
            program = recorder.instrument(source, filename)
        exec(program, module.__dict__)  # noqa: S102
        if "below" in job:
            below = compile(job["below"], BELOW, "exec", dont_inherit=True)
            exec(below, module.__dict__)  # noqa: S102
    except OutOfTime:
        raise
    except BaseException as error:
        send(encode({"kind": "load", "failure": describe_failure(error, filename, "imports")}))
        return None
    target = module.__dict__.get(job["name"])
    if not callable(target):
        defined = [printable(name) for name, value in vars(module).items() if _is_own(name, value)]
        failure = {"rung": "name", "type": type_name(target), "defined": defined[:8]}
        send(encode({"kind": "load", "failure": failure}))
        return None
    return target


def _placed(frame: Frame) -> list[Placed]:
    """Return the cases of a frame, each with its place among all cases of the job."""
    return list(zip(frame.header["places"], decode_cases(frame), strict=True))


def _run_cases(
    target: Any,
    job: Any,
    cases: Sequence[Placed],
    pairs: Iterable[Sequence[Placed]],
    send: Send,
) -> None:
    for place, case in cases:
        if case.probe != "time":
            reseed(job["seed"] + place)
            is_noted = job["task"] == "record" and case.probe == "call_eval"
            look = call_eval_once if is_noted else observe
            _send_result("case", place, partial(look, target, case, job["library"]), job, send)
    _run_pairs(target, job, pairs, send)
    _time_each(target, job, [item for item in cases if item[1].probe == "time"], send)


def _run_pairs(target: Any, job: Any, pairs: Iterable[Sequence[Placed]], send: Send) -> None:
    """Send the result of each call of the pairs.

    Each call begins with the random numbers of its case, as the case itself did.
    """
    number = 0
    for (place, first), (other, second) in pairs:
        for case, call in calls_of_pair(target, first, second, job["library"]):
            reseed(job["seed"] + (place if case is first else other))
            _send_result("again", number, call, job, send)
            number += 1


def _send_result(
    kind: str, index: int, call: Callable[[], list[Leaf] | None], job: Any, send: Send
) -> None:
    """Send what the call observed, or why it failed; nothing where nothing has changed."""
    try:
        leaves = call()
        if leaves is None:
            return
        data = encode_leaves(index, leaves, kind)
    except OutOfTime:
        raise
    except BaseException as error:
        failure = describe_failure(error, job["filename"])
        if isinstance(error, SignatureMismatchError):
            failure |= {"rung": "signature", "type": "TypeError", "traceback": ""}
        elif isinstance(error, NotAModuleError):
            failure |= {"rung": "structure", "traceback": ""}
        data = encode({"kind": kind, "index": index, "failure": failure, "leaves": []})
    _flush()
    send(data)


def encode_leaves(index: int, leaves: Iterable[Leaf], kind: str = "case") -> bytes:
    """Return the frame of one case, or of one call of a pair (`again`)."""
    entries, arrays = [], []
    for number, (entry, array) in enumerate(leaves):
        entries.append({**entry, "array": None if array is None else str(number)})
        if array is not None:
            arrays.append((str(number), array))
    return encode({"kind": kind, "index": index, "failure": None, "leaves": entries}, arrays)


def _time_each(target: Any, job: Any, cases: Iterable[tuple[int, Case]], send: Send) -> None:
    """Time cases from the smallest on, and no larger one once a call takes long.

    That would only cost time.
    """
    slow = False
    for index, case in cases:
        reseed(job["seed"] + index)
        timed = None if slow else measure(target, case, job["library"])
        slow = timed is None or timed[0] > LONG_SECONDS
        leaves = [] if timed is None else describe("seen.seconds", np.asarray(timed[0])) + timed[1]
        send(encode_leaves(index, leaves))


def _list_cases(target: Any, job: Any, send: Send) -> None:
    """Send the cases an author's `cases(rng)` yields, one frame each."""
    try:
        for index, case in enumerate(target(np.random.default_rng(job["seed"]))):
            if not isinstance(case, Case):
                raise TypeError(f"cases() yielded {case!r}, expected a Case")
            if index >= MAX_CASES:
                raise ValueError(f"cases() yields more than {MAX_CASES} cases")
            send(encode_cases((case,), {"kind": "listed"}))
    except OutOfTime:
        raise
    except BaseException as error:
        send(encode({"kind": "load", "failure": describe_failure(error, job["filename"])}))


def reseed(seed: int) -> None:
    """Give the same case the same random numbers, whatever ran before.

    Or else code that draws once more in an earlier case would give other numbers in this one, and a
    Check, which runs fewer cases, other numbers than a Submit.
    """
    random.seed(seed)
    np.random.seed(seed & 0xFFFFFFFF)
    torch = sys.modules.get("torch")
    if torch is not None:
        # torch.manual_seed would also write down the stack, for graphics cards that are not here.
        torch.default_generator.manual_seed(seed)


def _is_own(name: object, value: Any) -> bool:
    named = isinstance(name, str) and not name.startswith("_")
    return named and isinstance(value, types.FunctionType | type)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(BaseException):  # a student may have replaced or closed it
            stream.flush()

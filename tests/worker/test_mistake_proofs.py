"""A proof gives way between its runs to what learners wait for."""

import threading
import time
from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from quizzes.worker import background, mistake_proofs
from quizzes.worker.mistake_proofs import ProofSandbox, ProofTime, TooLongError


def sandbox_of(opened, *, urgent):
    return ProofSandbox(opened, ProofTime(), {}, lambda _: True, urgent)


def test_urgent_work_comes_before_every_run():
    order = []
    run = SimpleNamespace(seconds=0.1, ran_out_of_time=False)
    inner = SimpleNamespace(run=lambda job: order.append(job.source) or run)
    sandbox = sandbox_of(lambda: inner, urgent=lambda: order.append("urgent"))
    for source in ("first", "second"):
        sandbox.run(SimpleNamespace(source=source))
    assert order == ["urgent", "first", "urgent", "second"]


def test_run_takes_the_sandbox_open_by_then():
    """Urgent work that fails closes the sandboxes; the next use opens them."""
    opened = []
    run = SimpleNamespace(seconds=0.1, ran_out_of_time=False)

    def open_again():
        opened.append("again")
        return SimpleNamespace(run=lambda _: run)

    sandbox = sandbox_of(open_again, urgent=lambda: opened.append("closed"))
    sandbox.run(SimpleNamespace(source=""))
    assert opened == ["closed", "again"]


def test_urgent_work_takes_no_time_of_the_proof(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])

    def work():
        clock[0] += 2 * mistake_proofs.LONGEST

    spent = ProofTime(began=0.0)
    spent.wait_for(work)
    spent.check()
    work()
    with pytest.raises(TooLongError):
        spent.check()


@pytest.mark.parametrize(
    ("version", "pack", "done"),
    [
        (False, False, []),
        (True, False, ["_verification"]),
        (False, True, ["_reserved"]),
        (True, True, ["_verification", "_reserved"]),
    ],
)
def test_preparer_does_only_urgent_work(version, pack, done, monkeypatch):
    subject = background.Preparer(stopping=threading.Event(), keep_lease=nullcontext)
    order = []
    monkeypatch.setattr(subject, "_reading", lambda: True)
    for name in ("_verification", "_reserved", "_packs", "_instances", "_wanted", "_proofs"):
        monkeypatch.setattr(subject, name, lambda name=name: order.append(name))
    subject._signs.is_version_waiting = version
    subject._signs.is_pack_waited_for = pack
    subject._signs.is_proof_waiting = True
    subject._do_urgent_work()
    subject._do_urgent_work()  # within the same second
    assert order == done

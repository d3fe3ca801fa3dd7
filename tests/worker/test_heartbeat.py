"""The heartbeat of a worker: a failure of one beat ends none of the later ones."""

import threading
from uuid import uuid4

import pytest
from django.db import DatabaseError, InterfaceError

from quizzes.exercises.models import WorkerHeartbeat
from quizzes.worker.heartbeat import Heartbeat
from quizzes.worker.worker import Worker

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("kind", [DatabaseError, InterfaceError, OSError, RuntimeError])
def test_the_heartbeat_goes_on_whatever_one_beat_raises(kind):
    """A worker whose thread had ended would grade on, and lose each row to another worker."""
    beats = []

    class Stopped(threading.Event):
        def wait(self, timeout=None):
            return len(beats) == 3

    def beat():
        beats.append(kind("gone"))
        raise beats[-1]

    heartbeat = Heartbeat(process=uuid4(), beat_also=beat)
    heartbeat._stopped = Stopped()
    heartbeat._run()
    assert WorkerHeartbeat.objects.count() == 1


def test_two_workers_of_one_host_name_and_number_are_two():
    """Processes of two containers may share both."""
    with Heartbeat(process=uuid4(), beat_seconds=60) as one:
        with Heartbeat(process=uuid4(), beat_seconds=60) as other:
            other.sandbox_works()
            rows = WorkerHeartbeat.objects.order_by("self_test_ok")
            assert list(rows.values_list("self_test_ok", flat=True)) == [False, True]
            assert len(set(rows.values_list("host", "pid"))) == 1
        assert WorkerHeartbeat.objects.get().self_test_ok is False
        one.sandbox_works()
        assert WorkerHeartbeat.objects.get().self_test_ok is True
    assert Worker().name != Worker().name

"""Scripts that burst.py, loops.py and alive.py run on the database of their site."""

ONE_BY_ONE = """
import django; django.setup()
import json, sys, time
from django.db import connection
from quizzes.exercises.models import Exercise
from quizzes.exercises.services import submit_code
from quizzes.learners.models import Learner
LOOK_SECONDS = 0.0003  # reading without a pause, or with the ORM, takes one of two cores
slug, count, warm_up = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
named = {"course__slug": "positional-encodings", "slug": slug}
exercise = Exercise.objects.select_related("current").get(**named)
code, found = sys.stdin.read(), []
look = connection.connection.execute
STATE = "SELECT leased_until, graded_at, verdict FROM exercises_submission WHERE id = ?"
for number in range(count + warm_up):
    learner = Learner.objects.create()
    time.sleep(0.05)
    row = submit_code(exercise=exercise, learner=learner, kind="submit", code=code)
    stored, leased = time.perf_counter(), None
    while True:
        until, graded, verdict = look(STATE, [row.pk]).fetchone()
        now = time.perf_counter()
        if leased is None and (until or graded):
            leased = now
        if graded:
            break
        time.sleep(LOOK_SECONDS)
    assert verdict == "correct", verdict
    if number >= warm_up:
        found.append((leased - stored, now - leased))
print(json.dumps(found))
"""
FILL = """
import django; django.setup()
import json, sys
from django.utils import timezone
from quizzes.exercises.queue.notify import notify_after_commit
from quizzes.exercises.models import Exercise, Submission
from quizzes.learners.models import Learner
named = {"course__slug": "positional-encodings", "slug": sys.argv[1]}
version = Exercise.objects.get(**named).current
codes = json.load(sys.stdin)
print(Submission.objects.order_by("pk").values_list("pk", flat=True).last() or 0)  # before these
learners = Learner.objects.bulk_create([Learner() for _ in codes])
now = timezone.now()
rows = [
    Submission(exercise_version=version, learner=learner, kind="submit", code=code,
               submitted_at=now, scheduled_for=now)
    for learner, code in zip(learners, codes)
]
Submission.objects.bulk_create(rows)
notify_after_commit()
"""
WAITED = """
import django; django.setup()
import json, sys, time
from quizzes.exercises.models import Submission
rows = Submission.objects.filter(pk__gt=int(sys.argv[1])).order_by("pk")
honest = rows.exclude(code=sys.stdin.read())
while honest.filter(graded_at=None).exists():
    time.sleep(0.25)
print(json.dumps([
    [row.slow, row.verdict, row.graded_at and (row.graded_at - row.submitted_at).total_seconds()]
    for row in rows
]))
"""
TORCH_READY = """
import time
from quizzes.grader.case import Case
from quizzes.grader.protocol.job import Job
from quizzes.grader.sandbox.factory import open_for_serving
source = "import torch\\ndef f(x): return torch.tensor(x)"
began = time.monotonic()
with open_for_serving("student") as sandbox:
    run = sandbox.run(Job(source, "f", (Case("one", {"x": 1.0}),)))
    print(time.monotonic() - began)
assert len(run.frames) > 1, run
"""
SPREAD = """
import django; django.setup()
import json, sys, time
from django.utils import timezone
from quizzes.exercises.queue.engine import engine
from quizzes.exercises.models import Exercise, Submission
from quizzes.learners.models import Learner, User
named = {"course__slug": "positional-encodings", "slug": sys.argv[1]}
version = Exercise.objects.get(**named).current
rows = json.load(sys.stdin)  # seconds after the first, name of the account or "", code
print(Submission.objects.order_by("pk").values_list("pk", flat=True).last() or 0)  # before these
users = [name and User.objects.create_user(name) for _, name, _ in rows]
learners = [Learner.objects.create(user=user or None) for user in users]
began = time.monotonic()
for learner, (seconds, _, code) in zip(learners, rows):
    time.sleep(max(0.0, began + seconds - time.monotonic()))
    now = timezone.now()
    row = Submission.objects.create(exercise_version=version, learner=learner, kind="submit",
                                    code=code, submitted_at=now, scheduled_for=now)
    engine().put(row)
"""
KEEP_WAITING = """
import django; django.setup()
import sys, time
from django.utils import timezone
from quizzes.exercises.queue.notify import notify_after_commit
from quizzes.exercises.models import Exercise, Submission
from quizzes.learners.models import Learner
named = {"course__slug": "positional-encodings", "slug": sys.argv[1]}
version, waiting = Exercise.objects.get(**named).current, int(sys.argv[2])
code = sys.stdin.read()
while True:
    lacking = waiting - Submission.objects.filter(graded_at=None).count()
    if lacking > waiting / 2:
        learners = Learner.objects.bulk_create([Learner() for _ in range(lacking)])
        now = timezone.now()
        Submission.objects.bulk_create(
            Submission(exercise_version=version, learner=learner, kind="submit", code=code,
                       submitted_at=now, scheduled_for=now)
            for learner in learners
        )
        notify_after_commit()
    time.sleep(0.02)
"""

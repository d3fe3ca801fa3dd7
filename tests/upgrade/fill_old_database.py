"""Write the old database that `test_old_database.py` upgrades, and what its pages said.

Usage: DATABASE_URL=sqlite:////tmp/old/site.sqlite3 python -m tests.upgrade.fill_old_database

It ran at the commit before questions, quizzes, exercises and progress belonged to a course, and
runs at no later one: it is kept to show how `old_database.json.xz` and `old_pages.json.xz` came to
be. (Taken over from later was the order of tags that differ by capitals, which was by chance.)

The database must be new. Fifty learners work through the shipped course by the services that the
pages call, on a clock that is set and with seeded randomness; programs are graded in the sandbox by
the worker's own code, once each, and other submissions of the same program get the same report.
Only what a sandbox measures differs between two runs: seconds, and sentences about them.
"""

import logging
import os
import random
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch
from uuid import UUID, uuid5

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "quizzes.config.settings")
django.setup()

from allauth.account.models import EmailAddress  # noqa: E402
from django.apps import apps  # noqa: E402
from django.conf import settings  # noqa: E402
from django.contrib.admin.models import CHANGE, LogEntry  # noqa: E402
from django.contrib.contenttypes.models import ContentType  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection, models  # noqa: E402
from django.db.migrations.loader import MigrationLoader  # noqa: E402

from quizzes.assessment import question_drafts, quiz_drafts  # noqa: E402
from quizzes.assessment.models import Attempt, Instance, Question, Quiz, Response  # noqa: E402
from quizzes.assessment.selection import SelectedQuestion, draw_steadily  # noqa: E402
from quizzes.assessment.services import (  # noqa: E402
    Answer,
    answer,
    answer_of,
    answer_to,
    start_attempt,
    submit_attempt,
)
from quizzes.assessment.single_question import (  # noqa: E402
    SubmittedAnswer,
    answer_in_review,
    answer_inline,
)
from quizzes.exercises import publishing  # noqa: E402
from quizzes.exercises.drafts import save_draft  # noqa: E402
from quizzes.exercises.models import (  # noqa: E402
    CasePack,
    Draft,
    Exercise,
    Submission,
    WorkerHeartbeat,
)
from quizzes.exercises.queue import leases  # noqa: E402
from quizzes.exercises.services import grade_again, submit_code  # noqa: E402
from quizzes.exercises.stored_reports import read_report  # noqa: E402
from quizzes.grader.definitions import read_definition  # noqa: E402
from quizzes.grader.judge import Picture, Report  # noqa: E402
from quizzes.grader.sandbox import open_sandbox  # noqa: E402
from quizzes.learners.instructors import set_instructor  # noqa: E402
from quizzes.learners.models import Learner, ReviewCard, User  # noqa: E402
from quizzes.learners.services import adopt, due_count, record_progress  # noqa: E402
from quizzes.lessons.models import Lesson, Step  # noqa: E402
from quizzes.lessons.services import mark_read, mark_seen  # noqa: E402
from quizzes.pages.blocks import parse_page  # noqa: E402
from quizzes.study.review_pages import answer_card, next_due, recall_card  # noqa: E402
from quizzes.worker import background  # noqa: E402
from quizzes.worker.pool_keeper import AuthorSandboxes  # noqa: E402
from quizzes.worker.question_pool import InstancePool, question_to_fill  # noqa: E402
from quizzes.worker.worker import Worker  # noqa: E402
from tests.quick_hasher import QuickHasher  # noqa: E402
from tests.upgrade.frozen_clock import NOW, Clock, frozen_clock  # noqa: E402
from tests.upgrade.site_pages import VISITOR, read_pages  # noqa: E402
from tests.upgrade.stored_rows import read_tables, write_json  # noqa: E402

FOLDER = Path(__file__).parent
BEGAN = datetime(2026, 10, 1, 8, 0, tzinfo=UTC)
NAMES = UUID("6f3a1b52-9a55-4c0e-8d57-6c1a4a0c7f10")  # of all numbers that are drawn elsewhere
PASSWORD = "correct horse battery"
LEARNERS, WITH_ACCOUNT = 50, 28
INSTANCES = 3  # of each generated question
GRADED = {  # files of exercises that learners hand in; "" is the starter
    "sinusoidal-table": ["reference.py", "wrong/swap.py", "wrong/*", "", "broken", "endless"],
    "alibi-slopes": ["reference.py", "wrong/linear.py", "wrong/no_8.py", "raises"],
    "apply-rope-half": ["reference.py", "wrong/no_minus.py", "wrong/interleaved.py"],
    "t5-bucket": ["reference.py", "wrong/*"],
    "sinusoidal-module": ["reference.py", ""],
}
TYPED = {
    "broken": "def f(:\n    pass\n",
    "endless": "while True:\n    pass\n",
    "raises": "raise ValueError('not today')\n",
}
# Rows that say nothing about learners: sessions, and what the test makes by itself.
LEFT_OUT = ["sessions.Session", "axes.AccessAttempt", "axes.AccessLog", "axes.AccessFailureLog"]

logging.disable(logging.WARNING)


class SeededRandom(random.Random):
    """Randomness that is the same in every run, also where nobody gives a seed."""

    _seeds = count(1)

    def __init__(self, seed: Any = None) -> None:
        super().__init__(next(self._seeds) if seed is None else seed)


@contextmanager
def the_same_in_every_run() -> Iterator[None]:
    """Seed what services draw by themselves."""
    seeds = count(1)
    with (
        patch.object(random, "Random", SeededRandom),
        patch.object(background, "new_seed", lambda: next(seeds)),
    ):
        yield


def set_defaults(clock: Clock) -> None:
    """Have fields use the clock whose default is the function that it stands for."""
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if getattr(field.default, "__name__", "") == "now":
                vars(field)["_get_default"] = clock


# ---- the course, verified, with instances of its generated questions


def load_course() -> None:
    """Load the course and make of it what a worker makes in its first minutes."""
    call_command("migrate", verbosity=0)
    call_command("load_content", str(settings.COURSE), verbosity=0)
    with AuthorSandboxes() as sandboxes:
        while (version := publishing.lease_unverified()) is not None:
            say(f"verifying {version}")
            background.verify_version(version, sandboxes)
            assert version.exercise.versions.get(pk=version.pk).verification == "ok"
        while (question := question_to_fill(wanted=INSTANCES)) is not None:
            have = question.instances.count()
            InstancePool().draw(question, range(10 * have, 10 * have + INSTANCES), sandboxes.author)
            for instance in question.instances.order_by("pk")[INSTANCES:]:
                instance.delete()


# ---- programs, graded once each


def program(exercise: Exercise, name: str) -> str:
    """Return a program for an exercise by the name that `GRADED` gives it."""
    assert exercise.current is not None
    files = exercise.current.files
    if name in TYPED:
        return TYPED[name]
    if name == "wrong/*":  # the last of them
        name = sorted(one for one in files if one.startswith("wrong/"))[-1]
    return str(files[name or "starter.py"])


class GradedPrograms:
    """The reports of programs, by exercise, name and kind."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._reports: dict[tuple[str, str, str], tuple[str, Report]] = {}

    def names(self, slug: str) -> list[str]:
        return [
            name for exercise, name, kind in self._reports if (exercise, kind) == (slug, "submit")
        ]

    def grade_all(self, learner: Learner) -> None:
        """Grade each program as a worker does, for a learner whose submissions stay."""
        with open_sandbox("student") as sandbox:
            for slug, names in GRADED.items():
                exercise = Exercise.objects.select_related("current").get(slug=slug)
                for name in names:
                    for kind in ("check", "submit"):
                        self._clock.go_on(minutes=2)
                        self._grade(exercise, name, kind, learner, sandbox)

    def _grade(
        self, exercise: Exercise, name: str, kind: str, learner: Learner, sandbox: Any
    ) -> None:
        code = program(exercise, name)
        row = submit_code(exercise=exercise, learner=learner, kind=kind, code=code)
        worker = Worker()
        while (lease := leases.lease_next(worker=worker.name, slow_too=True)) is not None:
            self._clock.go_on(seconds=1)
            worker.grade(lease, sandbox)
        row = Submission.objects.get(pk=row.pk)
        report = read_report(row.report, number=row.pk)
        assert report is not None
        if hasattr(row, "picture"):
            object.__setattr__(report, "picture", Picture.from_bytes(bytes(row.picture.arrays)))
        self._reports[exercise.slug, name, kind] = (code, report)
        say(f"{exercise.slug} {name or 'starter'} {kind}: {report.verdict}")

    def hand_in(self, slug: str, name: str, kind: str, learner: Learner) -> Submission:
        """Store a submission and record what grading the same program said."""
        exercise = Exercise.objects.select_related("current").get(slug=slug)
        code, report = self._reports[slug, name, kind]
        row = submit_code(exercise=exercise, learner=learner, kind=kind, code=code)
        self._clock.go_on(seconds=2)
        self.record(row, report)
        return row

    def record(self, row: Submission, report: Report) -> None:
        lease = leases.lease_next(worker="worker:1", slow_too=True)
        assert lease is not None
        assert lease.submission.pk == row.pk
        assert leases.record(lease=lease, report=report)

    def report(self, slug: str, name: str, kind: str = "submit") -> Report:
        return self._reports[slug, name, kind][1]


# ---- a learner at work


def given(drawn: SelectedQuestion, *, right: bool, rng: random.Random) -> Answer:
    """Return an answer to a question, right or wrong."""
    if drawn.options:
        fitting = [option for option in drawn.options if option.is_key == right]
        return int(rng.choice(fitting).pk)
    number = answer_to(drawn.version, drawn.instance)
    assert number is not None
    near = [str(miss.value) for miss in number.near]
    return number.text if right else rng.choice([*near, str(number.value * 3 + 7)])


def as_sent(drawn: SelectedQuestion, answer: Answer) -> SubmittedAnswer:
    instance = drawn.instance.pk if drawn.instance else None
    return SubmittedAnswer(answer, version=drawn.version.pk, instance=instance)


class Student:
    """One learner with an ability, on the clock of all."""

    def __init__(self, learner: Learner, clock: Clock, rng: random.Random) -> None:
        self.learner, self.clock, self.rng = learner, clock, rng
        self.ability = rng.uniform(0.3, 0.95)

    def right(self) -> bool:
        return self.rng.random() < self.ability

    def read(self, lessons: Iterable[Lesson]) -> None:
        """Read steps, answer their questions, predict."""
        for lesson in lessons:
            whole = self.rng.random() < 0.6
            steps = list(lesson.steps.all())
            for step in steps if whole else steps[: self.rng.randint(1, len(steps))]:
                self.clock.go_on(minutes=self.rng.randint(2, 9))
                self._read_step(lesson, step)

    def _read_step(self, lesson: Lesson, step: Step) -> None:
        kinds = parse_page(Step.objects.get(pk=step.pk).text, path=step.path).blocks
        for block in kinds:
            if block.kind == "question" and self.rng.random() < 0.7:
                self._answer_inline(str(block.options["slug"]), step.path)
            if block.kind == "predict" and self.rng.random() < 0.7:
                mark_seen(learner=self.learner, lesson=lesson, step=step)
        if self.rng.random() < 0.95:
            mark_read(learner=self.learner, lesson=lesson, step=step)
        else:
            mark_seen(learner=self.learner, lesson=lesson, step=step)

    def _answer_inline(self, slug: str, step: str) -> None:
        question = Question.objects.select_related("current").get(slug=slug)
        drawn = draw_steadily([question], learner=self.learner).get(question.pk)
        if drawn is not None:
            self.clock.go_on(seconds=40)
            sent = as_sent(drawn, given(drawn, right=self.right(), rng=self.rng))
            answer_inline(learner=self.learner, question=question, step=step, asked=sent)

    def take(self, quiz: Quiz, *, submit: bool) -> Attempt:
        """Begin an attempt, leave some questions blank, and submit it or not."""
        self.clock.go_on(minutes=self.rng.randint(5, 90))
        attempt = start_attempt(learner=self.learner, quiz=quiz)
        blank = 0.1 if submit else 0.5
        for response in attempt.responses.select_related("version", "instance"):
            if self.rng.random() < blank:
                continue
            self.clock.go_on(seconds=self.rng.randint(10, 80))
            answer(attempt=attempt, choices={response.pk: self._choice(response)})
        if submit:
            submit_attempt(attempt=attempt)
        return attempt

    def _choice(self, response: Response) -> Answer:
        if answer_of(response) is not None and self.rng.random() < 0.2:
            return "about two"  # kept as it was typed; no number
        options = tuple(response.version.options.filter(pk__in=response.option_order))
        drawn = SelectedQuestion(response.version, response.instance, options)
        return given(drawn, right=self.right(), rng=self.rng)

    def review(self, most: int) -> None:
        """Answer due cards."""
        for _ in range(most):
            due = next_due(self.learner)
            if due is None:
                return
            self.clock.go_on(seconds=self.rng.randint(20, 200))
            seen, right = due.card.reviews, self.right()
            if due.drawn is None:
                recall_card(card=due.card, seen=seen, remembered=right)
                continue
            sent = as_sent(due.drawn, given(due.drawn, right=right, rng=self.rng))
            question = due.drawn.version.question
            answer_card(card=due.card, seen=seen, question=question, asked=sent)

    def practise(self, slug: str) -> None:
        """Answer a question by itself, as the page of practice does."""
        question = Question.objects.select_related("current").get(slug=slug)
        drawn = draw_steadily([question], learner=self.learner)[question.pk]
        sent = as_sent(drawn, given(drawn, right=self.right(), rng=self.rng))
        answer_in_review(learner=self.learner, question=question, asked=sent)

    def code(self, programs: GradedPrograms) -> None:
        """Hand programs in, and leave drafts."""
        for slug in self.rng.sample(sorted(GRADED), self.rng.randint(1, 3)):
            for _ in range(self.rng.randint(1, 4)):
                self.clock.go_on(minutes=self.rng.randint(3, 40))
                kind = "submit" if self.rng.random() < 0.75 else "check"
                programs.hand_in(slug, self.rng.choice(programs.names(slug)), kind, self.learner)
        for exercise in self.rng.sample(list(Exercise.objects.order_by("slug")), 2):
            self.clock.go_on(minutes=1)
            text = f"# draft of learner {self.learner.pk}\nimport numpy as np\n"
            save_draft(exercise=exercise, learner=self.learner, code=text, based_on=None)


# ---- the people


def account(number: int) -> User:
    """Make an account with an address, whose password is `PASSWORD`."""
    name = {0: "ines", 1: "root"}.get(number, f"student{number:02}")
    make = User.objects.create_superuser if name == "root" else User.objects.create_user
    user: User = make(name, f"{name}@example.org", first_name=name.title(), last_name="Example")
    hashed = QuickHasher().encode(PASSWORD, f"{number:016}")
    User.objects.filter(pk=user.pk).update(password=hashed)
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=number % 3 != 2)
    return user


def newcomer(number: int) -> Learner:
    """Make the learner of this number; the first have accounts, some after beginning without."""
    if number >= WITH_ACCOUNT:
        return Learner.objects.create()
    user = account(number)
    if number % 5 == 0:  # began without an account, then signed up
        return adopt(learner=Learner.objects.create(), user=user)
    return Learner.objects.create(user=user)


def merge_two(clock: Clock, lessons: list[Lesson]) -> None:
    """Have an account with work of its own adopt what its owner did in another browser."""
    target = Learner.objects.get(user__username="student07")
    visitor = Learner.objects.create()
    student = Student(visitor, clock, random.Random("other browser"))
    student.read(lessons[:2])
    student.take(Quiz.objects.get(slug="rope-quiz"), submit=False)
    exercise = Exercise.objects.exclude(drafts__learner=target).order_by("slug")[0]
    for learner in (visitor, target):
        text = f"# from the browser of learner {learner.pk}\n"
        save_draft(exercise=exercise, learner=learner, code=text, based_on=None)
        clock.go_on(minutes=5)
    assert target.user is not None
    adopt(learner=visitor, user=target.user)
    assert Draft.objects.filter(learner=target, exercise=exercise).count() == 2


def teach(clock: Clock, editor: User, *, first_half: bool) -> None:
    """Write questions and quizzes as an instructor does: some before half of the work is done."""
    steps = {step.path for step in Step.objects.select_related("lesson").defer("text")}
    if first_half:
        question = Question.objects.select_related("current").get(slug="dog-and-man")
        content = question_drafts.editable(question).content
        changed = {**content, "prompt": f"{content['prompt']} Say it of these two."}
        revision = question_drafts.save_draft(
            question=question, content=changed, revision=question.revision, editor=editor
        )
        question_drafts.publish(question=question, revision=revision, steps=steps, editor=editor)
        edited = Quiz.objects.get(slug="alibi-quiz")
        new = {**quiz_drafts.content_of_quiz(edited), "title": "ALiBi, as Ines asks it"}
        revision = quiz_drafts.save_quiz_draft(
            quiz=edited, content=new, revision=edited.revision, editor=editor
        )
        quiz_drafts.publish_quiz(quiz=edited, revision=revision)
        return
    clock.go_on(minutes=10)
    withdrawn = Quiz.objects.get(slug="numerics-quiz")
    quiz_drafts.withdraw_quiz(quiz=withdrawn, revision=withdrawn.revision)
    question = Question.objects.select_related("current").get(slug="minus-sign-place")
    content = question_drafts.editable(question).content
    for text in ("first", "second"):
        revision = question_drafts.save_draft(
            question=question,
            content={**content, "prompt": f"A {text} draft of Ines’s own."},
            revision=question.revision,
            editor=editor,
        )
        question.revision = revision
    question_drafts.new_question(
        slug="ines-begins", content={**content, "prompt": "A new one."}, editor=editor
    )
    quiz = Quiz.objects.get(slug="rope-quiz")
    content = {**quiz_drafts.content_of_quiz(quiz), "summary": "A summary in a draft."}
    quiz_drafts.save_quiz_draft(quiz=quiz, content=content, revision=quiz.revision, editor=editor)
    quiz_drafts.new_quiz(
        slug="ines-own-quiz",
        content={"title": "Own", "summary": "", "questions": ["dog-and-man", "rope-signs"]},
        editor=editor,
    )


def add_versions() -> None:
    """Leave one exercise with a version that waits, and one with a version that was refused."""
    for slug, refused in (("rotary", False), ("relative-index", True)):
        exercise = Exercise.objects.select_related("current").get(slug=slug)
        assert exercise.current is not None
        files = dict(exercise.current.files)
        statement = next(name for name in files if name.endswith(".md"))
        files[statement] += "\nA sentence more.\n"
        definition = read_definition(slug, files)
        version = publishing.add_version(exercise=exercise, definition=definition, files=files)
        if refused:
            held = publishing.lease_unverified()
            assert held is not None
            publishing.refuse(version=held, problems=["wrong/sign.py: is not told apart"])
        assert version.number == 2


def leave_the_queue_busy(programs: GradedPrograms, clock: Clock, learners: list[Learner]) -> None:
    """Grade again, fail, and let rows wait: the last minutes before the upgrade."""
    ines = User.objects.get(username="ines")
    row = programs.hand_in("alibi-slopes", "wrong/no_8.py", "submit", learners[3])
    clock.go_on(minutes=1)
    assert grade_again(submission=Submission.objects.get(pk=row.pk), by=ines)
    programs.record(row, programs.report("alibi-slopes", "reference.py"))
    clock.go_on(minutes=1)
    table = Exercise.objects.select_related("current").get(slug="sinusoidal-table")
    failed = submit_code(exercise=table, learner=learners[4], kind="submit", code="x = 'trips'\n")
    for _ in range(3):
        lease = leases.lease_next(worker="worker:1")
        assert lease is not None
        leases.give_back(lease=lease, failure="The sandbox broke: words for the staff")
    assert Submission.objects.get(pk=failed.pk).verdict == "not_graded"
    clock.go_on(minutes=1)
    waiting = programs.hand_in("alibi-slopes", "raises", "submit", learners[5])
    clock.go_on(minutes=1)
    submit_code(exercise=table, learner=learners[30], kind="submit", code="y = 'waits'\n")
    submit_code(exercise=table, learner=learners[31], kind="check", code="y = 'waits too'\n")
    assert grade_again(submission=Submission.objects.get(pk=waiting.pk), by=ines)
    lease = leases.lease_next(worker="worker:1")  # in work when the site was stopped
    assert lease is not None


def fill(clock: Clock) -> None:
    """Make the people and let them work."""
    lessons = list(Lesson.objects.with_steps().order_by("number"))
    quizzes = list(Quiz.objects.order_by("place", "pk"))
    generated = sorted(set(Instance.objects.values_list("version__question__slug", flat=True)))
    learners = [newcomer(number) for number in range(LEARNERS)]
    ines = User.objects.get(username="ines")
    set_instructor(user=ines, teaches=True)
    User.objects.filter(username="ines").update(is_staff=True)
    programs = GradedPrograms(clock)
    programs.grade_all(learners[2])
    for number, learner in enumerate(learners):
        if number == LEARNERS // 2:
            teach(clock, ines, first_half=True)
        clock.at = BEGAN + timedelta(hours=20 * number + 1)
        student = Student(Learner.objects.get(pk=learner.pk), clock, random.Random(number))
        if number in (0, 1, LEARNERS - 1):
            continue  # those who teach do not count in a class; the last one did nothing
        student.read(lessons[: student.rng.randint(1, len(lessons))])
        for quiz in student.rng.sample(quizzes, student.rng.randint(1, 5)):
            for submit in student.rng.choice([[True], [True, True], [True, False], [False]]):
                student.take(quiz, submit=submit)
        if number % 3 != 2:
            student.code(programs)
        clock.go_on(days=1)
        student.review(student.rng.randint(0, 12))
        clock.go_on(days=3)
        student.review(student.rng.randint(0, 12))
        if number % 4 == 0:
            student.practise(student.rng.choice(generated))
        Learner.objects.filter(pk=learner.pk).update(last_seen_at=clock.at)
    clock.at = NOW - timedelta(hours=5)
    withdrawn = Quiz.objects.get(slug="numerics-quiz")
    Student(learners[8], clock, random.Random("submitted")).take(withdrawn, submit=True)
    Student(learners[33], clock, random.Random("begun")).take(withdrawn, submit=False)
    for number in (3, 9, 12, 31, 40):  # who come back, and have nothing due afterwards
        clock.at = NOW - timedelta(hours=4)
        Student(learners[number], clock, random.Random(f"back {number}")).review(200)
    merge_two(clock, lessons)
    teach(clock, ines, first_half=False)
    # A question and an exercise that are gone: their rows stay, and no page may trip over them.
    record_progress(learner=learners[9], kind="exercise", slug="no-longer-there", state="done")
    record_progress(learner=learners[9], kind="step", slug="gone/away", state="seen")
    add_versions()
    clock.at = NOW - timedelta(minutes=20)
    leave_the_queue_busy(programs, clock, learners)


def settle(clock: Clock) -> None:
    """Give drawn numbers lasting values, and leave out what no page shows: cases of packs."""
    clock.at = NOW
    for model, field in ((Learner, "uuid"), (Submission, "key"), (Draft, "token")):
        for pk in model._base_manager.values_list("pk", flat=True):
            name = uuid5(NAMES, f"{model._meta.label} {pk}")
            model._base_manager.filter(pk=pk).update(**{field: name})
    CasePack.objects.update(data=b"")
    LogEntry.objects.create(
        user=User.objects.get(username="root"),
        content_type=ContentType.objects.get_for_model(User),
        object_id=str(User.objects.get(username="ines").pk),
        object_repr="ines",
        action_flag=CHANGE,
        change_message="[]",
    )
    WorkerHeartbeat.objects.create(
        host="old", pid=1, seen_at=NOW, self_test_at=NOW - timedelta(hours=1), self_test_ok=True
    )
    WorkerHeartbeat.objects.update(started_at=NOW - timedelta(hours=1))
    refuse_a_poor_fixture()


def refuse_a_poor_fixture() -> None:
    """Raise AssertionError where something is missing: the test would prove less than it says."""
    wanted: dict[str, Callable[[], int]] = {
        "learners": lambda: int(Learner.objects.count() == LEARNERS),
        "blank answers": Response.objects.filter(
            answered_at=None, attempt__submitted_at__isnull=False
        ).count,
        "typed texts": Response.objects.filter(number=None).exclude(text="").count,
        "open attempts": Attempt.objects.filter(submitted_at=None).count,
        "inline responses": Response.objects.exclude(step="").count,
        "responses to instances": Response.objects.exclude(instance=None).count,
        "old versions": Response.objects.exclude(version__question__current=None)
        .exclude(version=models.F("version__question__current"))
        .count,
        "due cards": lambda: sum(due_count(one) for one in Learner.objects.all()),
        "cards that wait": ReviewCard.objects.filter(due_at__gt=NOW).count,
        "submissions": Submission.objects.exclude(report=None).count,
        "previous verdicts": Submission.objects.exclude(previous_verdicts=None).count,
        "pictures": Submission.objects.exclude(picture=None).count,
        "withdrawn quizzes": Quiz.objects.filter(is_published=False).exclude(title="").count,
    }
    for name, number in wanted.items():
        found = number()
        say(f"{name}: {found}")
        assert found, name


# ---- the pages that are compared after the upgrade

IN_FULL = [1, 2, 3, 4, 5, 6, 8, 10, 17, 31, 32, 34, 41, 50]  # learners; of the others, what sums up
OF_ALL = ["/me/progress/", "/review/", "/me/data/", "/me/data/export/", "/quiz/", "/map/outline/"]
OF_EVERYBODY = [
    "/",
    "/learn/",
    "/exercises/",
    "/map/",
    "/map/?focus=rope",
    "/deep-dive/",
    "/explore/",
]
STEPS_READ = 4


def list_pages() -> dict[str, list[str]]:
    """Return the addresses that are read, by person."""
    pages = {VISITOR: [*OF_EVERYBODY, *OF_ALL, *_content()]}
    for learner in Learner.objects.order_by("pk"):
        pages[f"learner {learner.pk}"] = list(OF_ALL)
        if learner.pk in IN_FULL:
            pages[f"learner {learner.pk}"] += [*OF_EVERYBODY, *_work(learner)]
    pages["learner 1"] += _teaching()
    pages["learner 2"] += ["/teach/people/", "/teach/people/?q=student"]
    return pages


def _content() -> Iterator[str]:
    """Yield the pages of the course itself, and predictions: they stand in a page's address."""
    for step in Step.objects.select_related("lesson").order_by("lesson__number", "number"):
        yield f"/learn/{step.path}/"
        for block in parse_page(step.text, path=step.path).blocks:
            if block.kind == "predict":
                yield f"/learn/{step.path}/?{block.options['id']}.predicted=2"
    for number in range(1, 4):
        yield f"/deep-dive/{number}/"
    for quiz in Quiz.objects.order_by("pk"):
        yield f"/quiz/{quiz.slug}/"
    for exercise in Exercise.objects.order_by("pk"):
        yield f"/exercises/{exercise.slug}/"


def _work(learner: Learner) -> Iterator[str]:
    """Yield the pages of what a learner did."""
    read = learner.progress.filter(kind="step").exclude(slug="gone/away").order_by("pk")
    inline = learner.own_responses.exclude(step="").order_by("pk").values_list("step", flat=True)
    steps = dict.fromkeys([*inline[:STEPS_READ], *read.values_list("slug", flat=True)])
    for path in list(steps)[: 2 * STEPS_READ]:
        yield f"/learn/{path}/"
    for lesson in dict.fromkeys(path.split("/")[0] for path in steps):
        yield f"/learn/{lesson}/"
    taken = set()
    for attempt in learner.attempts.select_related("quiz").order_by("pk"):
        taken.add(f"/quiz/{attempt.quiz.slug}/")
        yield f"/quiz/{attempt.quiz.slug}/attempt/{attempt.pk}/"
        yield f"/quiz/{attempt.quiz.slug}/attempt/{attempt.pk}/review/"
    yield from sorted(taken)
    tried = set()
    for row in learner.submissions.select_related("exercise_version__exercise").order_by("pk"):
        tried.add(f"/exercises/{row.exercise_version.exercise.slug}/")
        yield row.get_absolute_url()
        if row.pk % 5 == 0 and row.graded_at:
            yield f"{row.get_absolute_url()}report.json"
    for draft in learner.code_drafts.select_related("exercise"):
        tried.add(f"/exercises/{draft.exercise.slug}/")
    yield from sorted(tried)
    for pk in learner.own_responses.filter(step="").order_by("pk").values_list("pk", flat=True)[:6]:
        yield f"/review/answers/{pk}/"
    for card in learner.review_cards.filter(kind="question").order_by("pk")[:2]:
        yield f"/practice/{card.slug}/"


def _teaching() -> Iterator[str]:
    """Yield the instructors' pages."""
    yield from ("/teach/", "/teach/class/", "/teach/class/?quiz=rope-quiz", "/teach/exercises/")
    yield from ("/teach/learners/", "/teach/learners/?page=2", "/teach/learners/?q=student0")
    yield from ("/teach/attempts/", "/teach/attempts/?page=2", "/teach/submissions/")
    yield from ("/teach/questions/", "/teach/questions/?page=2", "/teach/quizzes/")
    for pk in Learner.objects.order_by("pk").values_list("pk", flat=True):
        yield f"/teach/learners/{pk}/"
    for pk in Attempt.objects.order_by("pk").values_list("pk", flat=True)[::20]:
        yield f"/teach/attempts/{pk}/"
    for pk in Submission.objects.order_by("pk").values_list("pk", flat=True)[::15]:
        yield f"/teach/submissions/{pk}/"
    for slug in ("rotary", "relative-index", "sinusoidal-table"):
        yield f"/teach/exercises/{slug}/"
    for slug in ("dog-and-man", "minus-sign-place", "ines-begins", "ntk-base", "slope-of-a-head"):
        yield f"/teach/questions/{slug}/"
    yield from ("/teach/questions/dog-and-man/versions/1/", "/teach/quizzes/rope-quiz/preview/")
    for quiz in Quiz.objects.order_by("pk"):
        yield f"/teach/quizzes/{quiz.slug}/"


def migration_state() -> dict[str, str]:
    """Return the newest migration of each app."""
    leaves = MigrationLoader(connection).graph.leaf_nodes()
    return dict(sorted(leaves))


def say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


def main() -> int:
    """Fill the database of this process, and write the two files beside this program."""
    with frozen_clock(BEGAN) as clock, the_same_in_every_run():
        set_defaults(clock)
        load_course()
        fill(clock)
        settle(clock)
        tables = read_tables(apps, without=LEFT_OUT)
    write_json(FOLDER / "old_database.json.xz", {"migrations": migration_state(), "tables": tables})
    write_json(FOLDER / "old_pages.json.xz", read_pages(list_pages()))
    return 0


if __name__ == "__main__":
    sys.exit(main())

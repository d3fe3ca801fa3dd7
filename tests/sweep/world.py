"""Two courses whose every name is the same, learners with work in both, and people of each role.

What only some may see bears a mark: the names of two learners' accounts and the text of their code.
"""

from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from decimal import Decimal

import numpy as np
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.contrib.auth.models import Group
from django.utils import timezone

from quizzes.assessment.models import Question, Quiz, Regrade
from quizzes.assessment.question_drafts import content_of
from quizzes.assessment.selection import draw
from quizzes.assessment.services import start_attempt, submit_attempt
from quizzes.assessment.single_question import SubmittedAnswer, answer_in_review, answer_inline
from quizzes.assessment.store import content_of_quiz, stored_quiz_hash
from quizzes.authoring.course_files import CourseFiles, read_course_files
from quizzes.authoring.loading import load
from quizzes.classes.messages import announce, comment_on
from quizzes.classes.models import Assignment, Cohort, Membership
from quizzes.classes.services import invite, open_class
from quizzes.content_files.files import DiskFiles
from quizzes.courses.models import Course, CourseStaff
from quizzes.exercises.drafts import save_draft
from quizzes.exercises.models import (
    CasePicture,
    CodeRun,
    Exercise,
    ExerciseVersion,
    MistakeDraft,
    SharedNumbers,
    Submission,
)
from quizzes.exercises.runs.code_figure import initial_selection, place_of
from quizzes.exercises.runs.samples import sample_facts
from quizzes.exercises.solution import ENOUGH_TRIES
from quizzes.grader.programs import (
    Counterexample,
    Expression,
    ProgramRun,
    Sample,
    ValuePicture,
    XRay,
)
from quizzes.learners.models import INSTRUCTORS, Learner, User
from quizzes.learners.services import note_missed
from quizzes.lessons.models import Plot
from quizzes.lessons.pictures.cleaning import CleanPicture
from quizzes.lessons.pictures.header import Header
from quizzes.lessons.pictures.picture_files import put_picture
from quizzes.lessons.plots.plot_drafts import BEGINNING
from quizzes.lessons.plots.plot_files import plot_from
from quizzes.lessons.plots.store import put_plot
from tests.courses import SLUG
from tests.drafts import create_draft
from tests.exercises.asking import with_everything
from tests.factories import create_learner, create_submission
from tests.shipped_course import load_shipped_course

FIRST, SECOND = SLUG, "second-course"
QUIZ, QUESTION, EXERCISE = "alibi-quiz", "adds-or-multiplies", "sinusoidal-table"
PLOT = "coin"
SOLVED, MISTAKE = "inv-freq", "as_column"  # solved by Ada alone; a known mistake of it
PICTURE, PIXELS = "cells", b"what no page of the sweep looks at"
PROOF = {
    "variants": [{"slug": MISTAKE}],
    "cases": [{"probe": "call", "raises": False, "passed_by": []}],
}
OWN = ("course", "concept map", "list of models")  # that bear the name of the course
PROVIDER = "uni"  # by whose account Ada can sign in
ADA, BEA = "ada-marked", "bea-marked"  # user names, and in their code


@dataclass(frozen=True)
class Work:
    """The numbers of one learner's rows in one course."""

    attempt: int  # submitted
    open_attempt: int
    answer: int  # given in practice
    card: int  # due, of the question below
    option: int  # of that question
    submission: int
    run: int  # that came to its end, with a picture
    tried: int  # a call on a wrong program
    sampled: int  # a batch of calls for a figure
    xray: int
    lab: int  # a run of the lab
    shared: str  # the token of its numbers


@dataclass(frozen=True)
class ClassWork:
    """The class that Ada is in, and the numbers of its rows."""

    cohort: str
    code: str
    token: str  # of the personal link of somebody invited
    member: int  # Ada's place
    invited: int
    announcement: int
    comment: int  # on Ada's submission
    failures: dict[str, int]  # by course: of somebody without an account, not graded
    assignment: int  # of the quiz


@dataclass
class World:
    """Accounts by role, and the work of both learners by course and user name."""

    users: dict[str, User] = field(default_factory=dict)
    work: dict[tuple[str, str], Work] = field(default_factory=dict)
    people: ClassWork | None = None


def make_world() -> World:
    """Make it all, in an empty database."""
    load_shipped_course()
    load(_renamed(read_course_files(DiskFiles(settings.COURSE)), SECOND))
    ExerciseVersion.objects.update(verification="ok", verified_at=timezone.now())
    ExerciseVersion.objects.filter(exercise__slug=SOLVED).update(proof=PROOF)
    world = World()
    instructors = Group.objects.get_or_create(name=INSTRUCTORS)[0]
    for name in (ADA, BEA):
        world.users[name] = User.objects.create_user(name)
    ada = world.users[ADA]
    SocialAccount.objects.create(pk=ada.pk, user=ada, provider=PROVIDER, uid="first")
    SocialAccount.objects.create(user=ada, provider=PROVIDER, uid="second")
    for role in ("viewer", "editor", "owner"):
        world.users[role] = user = User.objects.create_user(f"the-{role}")
        CourseStaff.objects.create(course=_course(FIRST), user=user, role=role)
    world.users["elsewhere"] = User.objects.create_user("editor-elsewhere")
    CourseStaff.objects.create(course=_course(SECOND), user=world.users["elsewhere"], role="editor")
    world.users["instructor"] = User.objects.create_user("no-role")
    for role in ("viewer", "editor", "owner", "elsewhere", "instructor"):
        world.users[role].groups.add(instructors)
    world.users["administrator"] = User.objects.create_user("staff-alone", is_staff=True)
    world.users["superuser"] = User.objects.create_superuser("root")
    for course in (FIRST, SECOND):
        for name in (ADA, BEA):
            learner = Learner.objects.get_or_create(user=world.users[name])[0]
            world.work[course, name] = _work(_course(course), learner, name)
        _drafts(_course(course), world.users["superuser"])
        put_picture(_course(course), PICTURE, CleanPicture(Header("png", 1, 1), PIXELS))
        _regrade(_course(course), world.users["superuser"])
    world.people = _classes(world)
    return world


def _regrade(course: Course, by: User) -> None:
    """Leave the question out for everybody, once."""
    question = Question.objects.get(course=course, slug=QUESTION)
    Regrade.objects.create(
        question=question,
        from_version=question.current,
        rule=Regrade.Rule.DROP,
        as_of=timezone.now(),
        by=by,
    )


def _classes(world: World) -> ClassWork:
    """Make a class with Ada and one with Bea, of the first course, each with staff of its own."""
    for role in ("teacher", "assistant", "other-teacher"):
        world.users[role] = User.objects.create_user(f"the-{role}")
    autumn = _class("autumn", world.users["teacher"], world.users[ADA])
    _class("spring", world.users["other-teacher"], world.users[BEA])
    _place(autumn, world.users["assistant"], "assistant")
    invited = Membership.objects.create(cohort=autumn, name="Who comes", login_id="later")
    token = invite(members=[invited], by=world.users["teacher"])[invited.pk]
    told = announce(cohort=autumn, by=world.users["teacher"], title="Welcome", text="")
    work = Submission.objects.get(pk=world.work[FIRST, ADA].submission)
    comment = comment_on(submission=work, cohort=autumn, by=world.users["teacher"], text="Good.")
    assigned = Assignment(
        cohort=autumn,
        quiz=Quiz.objects.get(course=_course(FIRST), slug=QUIZ),
        points=Decimal(10),
        opens_at=timezone.now() - timedelta(days=1),
        is_visible=True,
    )
    assigned.save()
    return ClassWork(
        cohort=autumn.slug,
        code=autumn.join_code,
        token=token,
        member=Membership.objects.get(cohort=autumn, user=world.users[ADA]).pk,
        invited=invited.pk,
        announcement=told.pk,
        comment=comment.pk,
        failures={course: _failure(course) for course in (FIRST, SECOND)},
        assignment=assigned.pk,
    )


def _failure(course: str) -> int:
    """Store a submission of somebody without an account that was not graded by our failure."""
    exercise = Exercise.objects.get(course__slug=course, slug=EXERCISE)
    failure = {"our_failure": "the disk was full", "tries_used": 3, "code": "x = 2"}
    return create_submission(exercise, create_learner(), "not_graded", **failure).pk


def _class(slug: str, teacher: User, student: User) -> Cohort:
    cohort = open_class(
        course=_course(FIRST),
        by=teacher,
        slug=slug,
        title=f"Class of {slug}",
        begins_on=date(2026, 9, 1),
        ends_on=date(2026, 12, 20),
    )
    _place(cohort, student, "student")
    return cohort


def _place(cohort: Cohort, user: User, role: str) -> None:
    """Put an account into a class, as if it had joined before all its work."""
    Membership.objects.create(
        cohort=cohort,
        user=user,
        role=role,
        state="active",
        joined_at=timezone.now() - timedelta(days=1),
    )


def _renamed(files: CourseFiles, slug: str) -> CourseFiles:
    """Return a course as if its folder had another name."""
    named = {kind: [replace(one, slug=slug) for one in files.sources[kind]] for kind in OWN}
    return replace(files, slug=slug, sources={**files.sources, **named})


def _course(slug: str) -> Course:
    return Course.objects.get(slug=slug)


def _work(course: Course, learner: Learner, name: str) -> Work:
    quiz = Quiz.objects.get(course=course, slug=QUIZ)
    attempt = start_attempt(learner=learner, quiz=quiz)
    submit_attempt(attempt=attempt)
    again = start_attempt(learner=learner, quiz=quiz)
    question = Question.objects.select_related("current", "course").get(
        course=course, slug=QUESTION
    )
    option = draw([question], learner=learner)[question.pk].options[0]
    asked = SubmittedAnswer(option.pk)
    step = question.current.step if question.current else ""
    answer_inline(learner=learner, question=question, step=step, answer=asked)
    answered = answer_in_review(learner=learner, question=question, answer=asked)
    note_missed(course.pk, learner=learner, kind="question", slug=QUESTION)
    card = learner.review_cards.get(course=course, slug=QUESTION)
    exercise = Exercise.objects.select_related("current").get(course=course, slug=EXERCISE)
    save_draft(exercise=exercise, learner=learner, code=f"draft = '{name}'", based_on=None)
    for _ in range(ENOUGH_TRIES if name == ADA else 1):  # then Ada may see a right solution
        submission = _submission(exercise, learner, name)
    rows = (attempt, again, answered, card, option, submission)
    runs = (
        _run(learner, name),
        _try(course, learner, name),
        _sample(exercise, learner, name),
        _xray(exercise, learner, name),
        lab := _lab(learner, name),
    )
    return Work(*(row.pk for row in (*rows, *runs)), shared=_shared(lab).token)


def _try(course: Course, learner: Learner, name: str) -> Submission:
    """Store what a call on a wrong program gave; the exercise is solved by Ada."""
    exercise = Exercise.objects.select_related("current").get(course=course, slug=SOLVED)
    if name == ADA:
        create_submission(exercise, learner, "correct", passed=5)
    row = Submission.objects.create(
        learner=learner, kind="run", code=f"x = '{name}'", graded_at=timezone.now()
    )
    result = Counterexample("witness", f"inv_freq('{name}')", got_text=f"'{name}'")
    CodeRun.objects.create(
        submission=row,
        call=f"'{name}'",
        outcome=result.as_json(),
        against=exercise.current,
        mistake=MISTAKE,
    )
    return row


def _run(learner: Learner, name: str) -> Submission:
    """Store a Run as a worker leaves it."""
    now, outcome = timezone.now(), ProgramRun(f"printed by {name}")
    row = Submission.objects.create(
        learner=learner, kind="run", code=f"x = '{name}'", graded_at=now
    )
    picture = ValuePicture("", np.eye(2), (2, 2)).to_bytes()
    CodeRun.objects.create(
        submission=row, call=f"'{name}'", outcome=outcome.as_json(), picture=picture
    )
    return row


def _sample(exercise: Exercise, learner: Learner, name: str) -> Submission:
    """Store what came of a batch of calls for the figure of an exercise."""
    assert exercise.current is not None
    row = Submission.objects.create(
        learner=learner, kind="run", code=f"x = '{name}'", graded_at=timezone.now()
    )
    figure = exercise.current.definition.figure
    assert figure is not None
    start = initial_selection(figure)
    place, cells = place_of(start), start.compute().values
    result = Sample((cells,), ("",), problem=f"stopped by {name}")
    CodeRun.objects.create(
        submission=row,
        call=f"'{name}'",
        outcome=result.as_json(),
        picture=result.picture,
        against=exercise.current,
        sample=sample_facts("positions", [place], [cells.shape]),
    )
    return row


def _lab(learner: Learner, name: str) -> Submission:
    """Store what came of a program of the lab."""
    row = Submission.objects.create(
        learner=learner, kind="run", code=f"x = '{name}'", graded_at=timezone.now()
    )
    result = Sample((np.eye(3, 2),), ("",), problem=f"stopped by {name}")
    CodeRun.objects.create(
        submission=row,
        call="f(n, d)",
        outcome=result.as_json(),
        picture=result.picture,
        sample=sample_facts("n", [{"n": 3, "d": 2}], [(3, 2)]),
    )
    return row


def _shared(row: Submission) -> SharedNumbers:
    """Share the numbers of a program, under a name that everybody with the link may read."""
    numbers, now = np.eye(3, 2).tobytes(), timezone.now()
    facts = {"name": "waves", "n": 3, "d": 2, "numbers": numbers, "made_at": now}
    return SharedNumbers.objects.create(learner=row.learner, **facts)


def _xray(exercise: Exercise, learner: Learner, name: str) -> Submission:
    """Store what the expressions of a program were."""
    row = Submission.objects.create(
        learner=learner, kind="run", code=f"x = '{name}'", graded_at=timezone.now()
    )
    seen = Expression([(1, 4, 1, 7)], f"'{name}'", 1, "", "text", f"'{name}'")
    result = XRay(call="f(1)", expressions=(seen,), compared=True)
    CodeRun.objects.create(
        submission=row, call="f(1)", outcome=result.as_json(), looks_into=exercise.current
    )
    return row


def _submission(exercise: Exercise, learner: Learner, name: str) -> Submission:
    """Store a graded submission as a worker leaves it."""
    report = with_everything()
    assert report.picture is not None
    stored = {"known_mistake": "swap", "report": report.as_json(), "code": f"x = '{name}'"}
    row = create_submission(exercise, learner, report.verdict.value, **stored)
    CasePicture.objects.create(submission=row, arrays=report.picture.to_bytes())
    return row


def _drafts(course: Course, editor: User) -> None:
    question = Question.objects.select_related("current").get(course=course, slug=QUESTION)
    assert question.current is not None
    content = content_of(question.current)
    create_draft(question, content, edited_by=editor, base=question.current.content_hash)
    quiz = Quiz.objects.get(course=course, slug=QUIZ)
    content = content_of_quiz(quiz)
    create_draft(quiz, content, edited_by=editor, base=stored_quiz_hash(quiz))
    plot = plot_from(PLOT, BEGINNING, [], path="")
    put_plot(Plot(course=course, slug=PLOT), plot, by=editor)
    exercise = Exercise.objects.get(course=course, slug=EXERCISE)
    files = {"wrong/twice.py": '"""Does: You double it."""\n\nx = 1\n'}
    MistakeDraft.objects.create(
        exercise=exercise, fingerprint="0", files=files, edited_by=editor, state="refused"
    )

"""A learner's misconceptions: the known mistakes they made in code and chose in questions."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache

from django.db.models import QuerySet

from quizzes.assessment.models import Option, Response
from quizzes.assessment.services import answer_of
from quizzes.courses.addresses import picture_address, step_address
from quizzes.courses.models import Course, OldName
from quizzes.courses.old_names import new_names
from quizzes.exercises.failure_picture import captions_of
from quizzes.exercises.models import CasePicture, Submission
from quizzes.exercises.services import course_exercises
from quizzes.grader.judge import RESERVED_MISTAKES, KnownMistake
from quizzes.learners.models import Learner
from quizzes.learners.services import hidden_slugs
from quizzes.statements import Param, Reader
from quizzes.study.own_answers import AnsweredQuestion, answered_questions, submit_counts

LOOKED_AT = 500  # answers, the newest
LATEST = 50  # submissions before the one that solved an exercise
CARDS = 6  # of mistakes at most: each has two pictures
# Of a version, not the files, the outline and the proof, which would be read once for every row.
_READ = (
    "known_mistake",
    "report",
    "graded_at",
    "submitted_at",
    "exercise_version__title",
    "exercise_version__step",
    "exercise_version__exercise__slug",
    "exercise_version__exercise__course__slug",
)


# Of the two pictures of a mistake, in the order in which they stand.
CAPTIONS = {"yours": "Yours", "reference": "Expected"}
_FIRST_SENTENCE = re.compile(r"(?<=[.!?]) (?=[A-Z`])")


@dataclass(frozen=True)
class MistakePicture:
    """One of the two pictures of a mistake in code, as a card shows it."""

    address: str
    caption: str
    alt: str


@dataclass(frozen=True)
class Misconception:
    """One known mistake, "<exercise>/<variant>", made in code or in questions.

    `settled`: since the last time the exercise was solved, or the question answered right. What
    only a card shows is there where it is one: the pictures, and the title and address of its
    exercise, which stay "" where learners do not meet it any more.
    """

    course: str
    name: str
    sentence: str
    step: str
    in_questions: int
    last_at: datetime
    settled: bool
    title: str = ""
    exercise_address: str = ""
    code: "CodeMistake | None" = None  # as the newest submission made it
    pictures: tuple[MistakePicture, ...] = ()

    @property
    def in_code(self) -> int:
        return self.code.times if self.code else 0

    @property
    def submission(self) -> str:
        """Return the address of the newest submission that made it, "" for none."""
        return self.code.address if self.code else ""

    @property
    def step_address(self) -> str:
        """Return the address of the step that explains it; "" when not known."""
        return step_address(self.course, self.step) if self.step.count("/") == 1 else ""

    @property
    def fix_address(self) -> str:
        """Return where it is fixed: code in its exercise, an answer after its step; "" if nowhere.

        The step of a mistake in code has a link of its own.
        """
        if self.code:
            return self.exercise_address or self.submission
        return self.step_address or self.exercise_address

    @property
    def explanation_address(self) -> str:
        """Return the step that explains it, "" where `fix_address` leads there already."""
        return self.step_address if self.step_address != self.fix_address else ""

    @property
    def does(self) -> str:
        """Return what the learner did: the first sentence, by which a card is named."""
        return _FIRST_SENTENCE.split(self.sentence, maxsplit=1)[0]

    @property
    def should(self) -> str:
        """Return the other sentences: what is right."""
        return self.sentence[len(self.does) :].strip()


@dataclass(frozen=True)
class _Sign:
    name: str
    sentence: str
    step: str
    at: datetime
    settled: bool
    code: "CodeMistake | None" = None


def misconceptions_of(course: Course, learner: Learner | None) -> list[Misconception]:
    """Return a learner's mistakes in a course: open ones first, the newest first. Few queries."""
    if learner is None:
        return []
    signs: dict[str, list[_Sign]] = {}
    for sign in (*_in_code(course, learner), *_in_questions(course, learner)):
        signs.setdefault(sign.name, []).append(sign)
    found = [_put_together(course.slug, name, made) for name, made in signs.items()]
    return sorted(found, key=lambda entry: (entry.settled, -entry.last_at.timestamp()))


def _put_together(course: str, name: str, signs: list[_Sign]) -> Misconception:
    newest = max(signs, key=lambda sign: sign.at)
    return Misconception(
        course=course,
        name=name,
        sentence=newest.sentence,
        step=newest.step,
        in_questions=sum(sign.code is None for sign in signs),
        last_at=newest.at,
        settled=newest.settled,
        code=next((sign.code for sign in signs if sign.code), None),
    )


@dataclass(frozen=True)
class MistakesToWatch:
    """A learner's mistakes as the progress page shows them: the newest open ones as cards.

    `folded`: those without a card, by what is said of them.
    """

    cards: Sequence[Misconception] = ()
    folded: Sequence[tuple[str, Sequence[Misconception]]] = ()


def mistakes_to_watch(course: Course, learner: Learner | None) -> MistakesToWatch:
    """Return a learner's mistakes in a course for the progress page.

    One query more than `misconceptions_of`, where a card is of code.
    """
    mistakes = misconceptions_of(course, learner)
    watched = [mistake for mistake in mistakes if not mistake.settled]
    folded = (
        ("More that are open", watched[CARDS:]),
        ("Right since then", mistakes[len(watched) :]),
    )
    cards = _as_cards(course, watched[:CARDS])
    return MistakesToWatch(cards, [(says, some) for says, some in folded if some])


def _as_cards(course: Course, mistakes: Sequence[Misconception]) -> list[Misconception]:
    """Return mistakes with their exercise, and what code gave and what was expected, drawn.

    One query for all pictures. A single number, and what was never stored, has none.
    """
    known = course_exercises(course) if mistakes else ()
    exercises = {exercise.slug: exercise for exercise in known}
    keys = [mistake.code.submission for mistake in mistakes if mistake.code]
    stored = CasePicture.objects.filter(submission__in=keys) if keys else ()
    arrays = {row.submission_id: row.readable_arrays for row in stored}
    cards = []
    for mistake in mistakes:
        exercise, code = exercises.get(mistake.name.partition("/")[0]), mistake.code
        drawn = arrays.get(code.submission) if code else None
        cards.append(
            replace(
                mistake,
                title=exercise.current.title if exercise and exercise.current else "",
                exercise_address=exercise.get_absolute_url() if exercise else "",
                pictures=_pictures(
                    course.slug, code.exercise, code.submission, code.picture_version, drawn
                )
                if code and drawn
                else (),
            )
        )
    return cards


def _pictures(
    course: str, exercise: str, submission: int, version: str, arrays: bytes
) -> tuple[MistakePicture, ...]:
    said = {caption.name: caption for caption in captions_of(arrays)}
    own = (course, exercise, submission)
    return tuple(
        MistakePicture(
            f"{picture_address(*own, layer, version)}&size=small", caption, said[layer].alt
        )
        for layer, caption in CAPTIONS.items()
        if layer in said
    )


def _in_code(course: Course, learner: Learner) -> Iterator[_Sign]:
    for made in code_mistakes(course, learner):
        yield _Sign(made.name, made.sentence, made.step, made.last_at, made.solved_since, made)


def _in_questions(course: Course, learner: Learner) -> Iterator[_Sign]:
    answers = answered_questions(course, learner)[:LOOKED_AT]
    mistaken = [answer.key for answer in answers if answer.may_name_mistake]
    if not mistaken:
        return
    rows = Response.objects.select_related("version", "instance", "choice").in_bulk(mistaken)
    several = {pk for row in rows.values() for pk in row.choices or ()}
    options = Option.objects.in_bulk(several) if several else {}
    made = {key: _mistake_in(rows[key], options) for key in mistaken if key in rows}
    now_named = _exercises_now(course, {name.partition("/")[0] for name, _ in made.values()})
    right_since = _last_right(answers)
    for answer in answers:
        name, sentence = made.get(answer.key, ("", ""))
        if name:
            exercise, _, variant = name.partition("/")
            name = f"{now_named.get(exercise, exercise)}/{variant}"
            last_right = right_since.get(answer.slug)
            settled = last_right is not None and last_right > answer.at
            yield _Sign(name, sentence, rows[answer.key].version.step, answer.at, settled)


def _exercises_now(course: Course, named: set[str]) -> dict[str, str]:
    """Return the names of exercises by those from before, which old questions still bear.

    No query where each is the name of an exercise: a name that is used again leads nowhere else.
    """
    former = named - {"", *(exercise.slug for exercise in course_exercises(course))}
    return new_names(course, OldName.Kind.EXERCISE, former) if former else {}


def _last_right(answers: Iterable[AnsweredQuestion]) -> dict[str, datetime]:
    """Return the time when each question was last answered right; give the newest first."""
    times: dict[str, datetime] = {}
    for answer in answers:
        if answer.is_right:
            times.setdefault(answer.slug, answer.at)
    return times


def _mistake_in(row: Response, options: Mapping[int, Option]) -> tuple[str, str]:
    """Return the known mistake that a wrong answer shows, with its sentence; "" for none."""
    if row.is_right:
        return "", ""
    if row.choice is not None:
        return row.choice.mistake, row.choice.reason
    for chosen in row.choices or ():
        option = options.get(chosen)
        if option is not None and option.mistake and not option.is_key:
            return option.mistake, option.reason
    answer = answer_of(row)
    miss = answer.near_miss(row.number) if answer is not None and row.number is not None else None
    return (miss.mistake, miss.reason) if miss is not None else ("", "")


# ---- known mistakes in code


@dataclass(frozen=True)
class CodeMistake:
    """One known mistake of one exercise: its sentence, how often, and when last.

    `name` is "<exercise>/<known mistake>"; `requirement` is the line of the statement it breaks.
    """

    name: str
    exercise: str
    title: str
    sentence: str
    step: str
    requirement: str
    times: int
    last_at: datetime
    solved_since: bool
    submission: int  # the newest that made it
    picture_version: str
    address: str  # of that submission
    exercise_address: str


def code_mistakes(course: Course, learner: Learner | None) -> list[CodeMistake]:
    """Return the mistakes of all submissions in a course, the newest first. Two queries at most."""
    if learner is None:
        return []
    counts = [count for count in submit_counts(course, learner) if count.mistakes]
    hidden = hidden_slugs(learner, course.pk, "exercise") if counts else ()
    solved_at = {count.slug: count.solved_at for count in counts if count.slug not in hidden}
    if not solved_at:
        return []
    made = _mistaken().read(learner=learner.pk, course=course.pk)
    shown = [row for row in made if row.exercise_version.exercise.slug in solved_at]
    return list(_counted(shown, solved_at))


def mistakes_before(
    submission: Submission,
) -> tuple[list[CodeMistake], tuple[MistakePicture, ...]]:
    """Return the mistakes that its learner submitted before it, and pictures of the newest drawn.

    Of the same exercise, the newest first; of many submissions, the latest. Two queries at most.
    """
    exercise = submission.exercise_version.exercise
    which = {"learner": submission.learner_id, "exercise": exercise.pk, "before": submission.pk}
    rows = _mistaken_before().read(**which)
    drawn = next((row for row in rows if hasattr(row, "picture")), None)
    arrays = drawn.picture.readable_arrays if drawn is not None else None
    pictures: tuple[MistakePicture, ...] = ()
    if drawn is not None and arrays is not None:
        own = (exercise.course.slug, exercise.slug, drawn.pk, drawn.picture_version)
        pictures = _pictures(*own, arrays)
    return list(_counted(rows, {exercise.slug: submission.graded_at})), pictures


@cache
def _mistaken() -> Reader[Submission]:
    mine = _mistaken_rows().filter(exercise_version__exercise__course=Param("course"))
    return Reader(mine.only(*_READ))


@cache
def _mistaken_before() -> Reader[Submission]:
    mine = _mistaken_rows().filter(
        exercise_version__exercise=Param("exercise"), pk__lt=Param("before")
    )
    return Reader(mine.select_related("picture").only(*_READ, "picture__submission")[:LATEST])


def _mistaken_rows() -> QuerySet[Submission]:
    sent = Submission.objects.filter(learner=Param("learner"), kind=Submission.Kind.SUBMIT)
    made = sent.exclude(known_mistake="").order_by("-graded_at", "-pk")
    return made.select_related("exercise_version__exercise__course")


def _counted(
    rows: Iterable[Submission], solved: Mapping[str, datetime | None]
) -> Iterable[CodeMistake]:
    of_name: dict[str, list[Submission]] = {}
    sayings: dict[str, KnownMistake | None] = {}  # of the newest submission of each
    for row in rows:
        exercise = row.exercise_version.exercise.slug
        for slug, mistake in _made_in(row, exercise, sayings).items():
            sayings.setdefault(f"{exercise}/{slug}", mistake)
            of_name.setdefault(f"{exercise}/{slug}", []).append(row)
    for name, found in of_name.items():
        newest, said = found[0], sayings[name]
        exercise = newest.exercise_version.exercise.slug
        last_at, solved_at = newest.graded_at or newest.submitted_at, solved[exercise]
        yield CodeMistake(
            name=name,
            exercise=exercise,
            title=newest.exercise_version.title,
            sentence=said.sentence if said else _unreadable(newest),
            step=(said.step if said else None) or newest.exercise_version.step,
            requirement=said.breaks if said else "",
            times=len(found),
            last_at=last_at,
            solved_since=solved_at is not None and solved_at > last_at,
            submission=newest.pk,
            picture_version=newest.picture_version,
            address=newest.get_absolute_url(),
            exercise_address=newest.exercise_version.exercise.get_absolute_url(),
        )


def _made_in(
    row: Submission, exercise: str, known: Mapping[str, KnownMistake | None]
) -> dict[str, KnownMistake | None]:
    """Return the mistakes of one submission with what was said of each, where that is needed.

    To read a report back checks each of its fields, so it is read only where it says something
    that the row does not: the sentence of a mistake that is not `known` yet, or a second mistake.
    """
    name = row.known_mistake
    if f"{exercise}/{name}" in known and not row.has_second_mistake:
        return {name: None}
    report = row.verdict_report
    said = report.known_mistake if report else None
    made = {name: said or RESERVED_MISTAKES.get(name)}
    if report and report.second_mistake and report.second_mistake.kind == "mistake":
        made[report.second_mistake.slug] = report.second_mistake
    return made


def _unreadable(row: Submission) -> str:
    """Return the little that is known of a mistake whose report cannot be read."""
    return (
        f"Known mistake “{row.known_mistake}”. Its explanation can no longer be read, but"
        f" submission {row.pk} can be graded again."
    )

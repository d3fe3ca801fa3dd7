"""This week of a class: one row for each known mistake, and what was done about it."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import F, QuerySet

from quizzes.classes.models import Cohort, Deed, Membership
from quizzes.classes.week.calendar import Week
from quizzes.classes.week.known_mistakes import MistakeFacts, mistake_facts
from quizzes.classes.week.signs import Sign, Signs, read_signs
from quizzes.courses.addresses import step_address
from quizzes.exercises.models import Submission
from quizzes.grader.judge import CaseResult, Report
from quizzes.learners.models import Progress

MOST_SHOWN = 12  # rows with samples; those that concern fewer are named in one line each
SAMPLES = 2


@dataclass(frozen=True)
class Sample:
    """One piece of work that made the mistake; of code with a case that shows it."""

    text: str  # the code, or the answer
    submission: int | None
    question: str = ""
    case: CaseResult | None = None
    requirement: str = ""
    failing: int = 0
    picture: bytes | None = None  # the arrays of the case that shows it
    picture_version: str = ""


@dataclass(frozen=True)
class DeedSummary:
    """What was done about a mistake, and how it is since with those that it concerned."""

    deed: Deed
    reached: int
    over_now: int
    again: int  # made it once more since

    @property
    def is_deleted(self) -> bool:
        """Return whether they were told by an announcement that was deleted since."""
        return self.deed.kind == Deed.Kind.TELL and self.deed.announcement_id is None


@dataclass
class MistakeRow:
    """One known mistake in one week. Learners are named by their keys."""

    facts: MistakeFacts
    concerned: dict[int, datetime]  # and when each made it last, also after the week
    over: set[int]
    last_week: int
    coders: set[int]  # of those concerned: who made it in code
    chosen_in: dict[int, set[str]]  # who made it in questions, and in which
    reason: str
    step_read: int = 0
    samples: Sequence[Sample] = ()
    deeds: Sequence[DeedSummary] = ()

    @property
    def name(self) -> str:
        return self.facts.name

    @property
    def questions(self) -> list[str]:
        return sorted({slug for slugs in self.chosen_in.values() for slug in slugs})

    @property
    def sentence(self) -> str:
        """Return the sentence for a learner who makes it: the question's, or else its name."""
        return self.facts.sentence or self.reason or f"The known mistake {self.name}."

    @property
    def requirement(self) -> str:
        """Return the line of the statement that the samples break, that with most failing cases."""
        worst = max(self.samples, key=lambda sample: sample.failing, default=None)
        return (worst.requirement if worst else "") or self.facts.breaks


@dataclass(frozen=True)
class ThisWeek:
    """The rows of a week: the mistakes that concern most first. `signs`: what they were made of."""

    week: Week
    signs: Signs
    rows: Sequence[MistakeRow] = field(default_factory=list)
    further: Sequence[MistakeRow] = field(default_factory=list)  # without samples

    def row(self, name: str) -> MistakeRow | None:
        return next((one for one in (*self.rows, *self.further) if one.name == name), None)


def read_week(cohort: Cohort, members: Mapping[int, Membership], week: Week) -> ThisWeek:
    """Return the known mistakes of a week with the facts of their rows.

    `members`: the active students of the class, by learner. Nine queries, some of them only
    where there is a mistake.
    """
    signs = read_signs(cohort, members, week.previous.begins_at)
    rows = mistake_rows(cohort, signs, week)
    shown, further = rows[:MOST_SHOWN], rows[MOST_SHOWN:]
    _count_readers(cohort, rows)
    _add_samples(shown, signs, week)
    _add_deeds(cohort, rows, signs, members, week)
    return ThisWeek(week, signs, shown, further)


def mistake_rows(cohort: Cohort, signs: Signs, week: Week) -> list[MistakeRow]:
    """Return the mistakes of a week, those that concern most first. One query."""
    in_week = {name: list(_within(made, week)) for name, made in signs.made.items()}
    facts = mistake_facts(cohort.course, [name for name, made in in_week.items() if made])
    rows = [
        _row(facts[name], made, signs, week)
        for name, made in in_week.items()
        if made and facts[name].kind == "mistake"
    ]
    return sorted(rows, key=lambda row: (-len(row.concerned), -row.last_week, row.name))


def _within(made: Iterable[Sign], week: Week) -> Iterable[Sign]:
    begins, ends = week.begins_at, week.ends_at
    return (sign for sign in made if begins <= sign.at < ends)


def _row(facts: MistakeFacts, made: Sequence[Sign], signs: Signs, week: Week) -> MistakeRow:
    every = signs.made[facts.name]
    newest = _newest(every)
    concerned = {sign.learner: newest[sign.learner] for sign in made}
    return MistakeRow(
        facts=facts,
        concerned=concerned,
        over={one for one, at in concerned.items() if signs.is_over(facts.name, one, at)},
        last_week=len({sign.learner for sign in _within(every, week.previous)}),
        coders={sign.learner for sign in made if not sign.question},
        chosen_in=_questions_by_learner(made),
        reason=next((sign.reason for sign in reversed(made) if sign.reason), ""),
    )


def _questions_by_learner(made: Iterable[Sign]) -> dict[int, set[str]]:
    found: dict[int, set[str]] = defaultdict(set)
    for sign in made:
        if sign.question:
            found[sign.learner].add(sign.question)
    return dict(found)


def _newest(made: Iterable[Sign]) -> dict[int, datetime]:
    found: dict[int, datetime] = {}
    for sign in made:
        found[sign.learner] = max(sign.at, found.get(sign.learner, sign.at))
    return found


def _count_readers(cohort: Cohort, rows: Sequence[MistakeRow]) -> None:
    """Count who read the step that explains it, after the mistake. One query."""
    steps = {one.facts.step for one in rows if one.facts.step}
    if not steps:
        return
    read = Progress.objects.filter(
        course=cohort.course_id,
        kind=Progress.Kind.STEP,
        slug__in=steps,
        learner__in={one for row in rows for one in row.concerned},
    )
    at = {
        (learner, slug): time
        for learner, slug, time in read.values_list("learner", "slug", "updated_at")
    }
    for row in rows:
        times = ((at.get((one, row.facts.step)), made) for one, made in row.concerned.items())
        row.step_read = sum(time is not None and time > made for time, made in times)


# ---- samples


def _add_samples(rows: Sequence[MistakeRow], signs: Signs, week: Week) -> None:
    """Put the two newest pieces of work by two students beside each mistake. One query."""
    chosen = {row.name: _chosen(_within(signs.made[row.name], week)) for row in rows}
    keys = [one.submission for made in chosen.values() for one in made if one.submission]
    submissions = Submission.objects.select_related("picture").only(
        "code",
        "report",
        "graded_at",
        "cases_passed",
        "cases_total",
        "picture__arrays",
        "picture__submission",
    )
    codes = submissions.in_bulk(keys) if keys else {}
    for row in rows:
        row.samples = [
            _of_code(codes[one.submission], row.facts)
            if one.submission in codes
            else Sample(one.text, None, question=one.question)
            for one in chosen[row.name]
        ]


def _chosen(made: Iterable[Sign]) -> list[Sign]:
    """Return the newest signs of different students, code before answers."""
    of_learner: dict[int, Sign] = {}

    def worth(sign: Sign) -> tuple[bool, datetime]:
        return sign.submission is not None, sign.at

    for sign in sorted(made, key=worth):
        of_learner[sign.learner] = sign
    return sorted(of_learner.values(), key=worth, reverse=True)[:SAMPLES]


def _of_code(row: Submission, facts: MistakeFacts) -> Sample:
    report = row.verdict_report
    named = report.known_mistake if report else None
    return Sample(
        text=row.code,
        submission=row.pk,
        case=telling_case(report) if report else None,
        requirement=named.breaks if named and named.slug == facts.slug else "",
        failing=(row.cases_total or 0) - (row.cases_passed or 0),
        picture=row.picture.readable_arrays if hasattr(row, "picture") else None,
        picture_version=row.picture_version,
    )


def telling_case(report: Report) -> CaseResult | None:
    """Return the case that shows the mistake best: the smallest failing one, else the first."""
    if report.smallest_failing is not None:
        return report.smallest_failing
    return next((one for one in report.cases if not one.passed), None)


# ---- what was done


def _add_deeds(
    cohort: Cohort,
    rows: Sequence[MistakeRow],
    signs: Signs,
    members: Mapping[int, Membership],
    week: Week,
) -> None:
    """Put what was done since the week before beside each mistake. One query."""
    by_name = {row.name: row for row in rows}
    if not by_name:
        return
    learners = {member.pk: learner for learner, member in members.items()}
    deeds: dict[int, Deed] = {}
    reached_by: dict[int, set[int]] = defaultdict(set)
    about = deeds_about(cohort, by_name, week).select_related("by")
    for one in about.annotate(reached=F("members")):  # a row for each of them
        deeds[one.pk] = one
        if (member := one.reached) is not None:
            reached_by[one.pk].add(member)
    found: dict[str, list[DeedSummary]] = {}
    for deed in deeds.values():
        made = signs.made[deed.mistake]
        reached = reached_by[deed.pk]
        theirs = {learners[pk] for pk in reached if pk in learners}
        found.setdefault(deed.mistake, []).append(
            DeedSummary(
                deed,
                reached=len(reached),
                over_now=count_over(signs, deed.mistake, theirs),
                again=len({one.learner for one in made if one.at > deed.at} & theirs),
            )
        )
    for name, done in found.items():
        by_name[name].deeds = done


def deeds_about(cohort: Cohort, names: Iterable[str], week: Week) -> QuerySet[Deed]:
    """Return the deeds about these mistakes since the week before a week, oldest first."""
    return Deed.objects.filter(
        cohort=cohort, mistake__in=list(names), at__gte=week.previous.begins_at
    )


def count_over(signs: Signs, name: str, learners: Collection[int]) -> int:
    """Count these people who got it right after they last made the mistake."""
    newest = _newest(signs.made[name])
    return sum(signs.is_over(name, one, newest[one]) for one in learners if one in newest)


def step_of(cohort: Cohort, row: MistakeRow) -> str:
    """Return the address of the step that explains a mistake, "" where none does."""
    step = row.facts.step
    return step_address(cohort.course.slug, step) if step.count("/") == 1 else ""

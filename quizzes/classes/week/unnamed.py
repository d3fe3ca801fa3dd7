"""Wrong submissions of a week that give the same results, and that no known mistake names."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from quizzes.classes.models import Cohort
from quizzes.classes.week.calendar import Week
from quizzes.classes.week.reader import telling_case
from quizzes.classes.week.signs import Signs, SubmissionRow
from quizzes.exercises.models import MistakeDraft, Submission
from quizzes.exercises.naming.drafts import open_drafts
from quizzes.exercises.naming.status import DraftStatus, status_of
from quizzes.grader.judge import CaseResult

LEAST_STUDENTS = 2  # what one student alone does is seen on that student's page
MOST_GROUPS = 6
SHOWN = {DraftStatus.IN_VERIFICATION, DraftStatus.NAMING}  # of published drafts


@dataclass
class UnnamedGroup:
    """Submissions to one exercise with one fingerprint: those of the week, newest first.

    `over`: how many of its students have solved the exercise since. `code` and `case`: of the
    newest submission, with the smallest input for which it is wrong. `draft`: of its name, if that
    is being written or verified, or if learners meet it (`is_named`).
    """

    exercise: str
    title: str
    fingerprint: str
    rows: Sequence[SubmissionRow]
    over: int
    code: str = ""
    case: CaseResult | None = None
    draft: MistakeDraft | None = None
    is_named: bool = False

    @property
    def students(self) -> int:
        return len({row.learner for row in self.rows})

    @property
    def newest(self) -> SubmissionRow:
        return self.rows[0]


@dataclass(frozen=True)
class Unnamed:
    """The groups of a week, the largest first; `single`: students whose code is in none."""

    groups: Sequence[UnnamedGroup] = ()
    single: int = 0

    @property
    def students(self) -> int:
        return len({row.learner for group in self.groups for row in group.rows})

    @property
    def shown_groups(self) -> Sequence[UnnamedGroup]:
        return self.groups[:MOST_GROUPS]

    @property
    def more(self) -> int:
        return len(self.groups) - len(self.shown_groups)

    @property
    def exercises(self) -> int:
        return len({group.exercise for group in self.groups})


def unnamed_groups(signs: Signs, week: Week) -> Unnamed:
    """Return the groups of a week, without what is read for a page. No query."""
    rows: dict[tuple[str, str], list[SubmissionRow]] = defaultdict(list)
    for row in signs.sent:
        if row.fingerprint and week.begins_at <= row.at < week.ends_at:
            rows[row.exercise, row.fingerprint].insert(0, row)
    groups = [
        UnnamedGroup(exercise, same[0].title, fingerprint, same, _over(signs, same))
        for (exercise, fingerprint), same in rows.items()
    ]
    large = [group for group in groups if group.students >= LEAST_STUDENTS]
    large.sort(key=lambda group: (-group.students, group.exercise, group.fingerprint))
    in_groups = {row.learner for group in large for row in group.rows}
    single = {row.learner for group in groups for row in group.rows} - in_groups
    return Unnamed(large, len(single))


def read_unnamed(cohort: Cohort, signs: Signs, week: Week) -> Unnamed:
    """Return the groups with a sample of each, and the draft of its name. Two queries at most."""
    unnamed = unnamed_groups(signs, week)
    if not unnamed.groups:
        return unnamed
    shown = unnamed.shown_groups
    keys = [group.newest.pk for group in shown]
    codes = Submission.objects.only("code", "report", "graded_at").in_bulk(keys)
    drafts = open_drafts({group.exercise for group in shown}, cohort.course_id)
    by_group: dict[tuple[str, str], MistakeDraft] = {}
    for draft in sorted(
        drafts, key=lambda draft: draft.published_id is not None
    ):  # open ones first
        if draft.published is None or status_of(draft) in SHOWN:
            by_group.setdefault((draft.exercise.slug, draft.fingerprint), draft)
    for group in shown:
        group.draft = by_group.get((group.exercise, group.fingerprint))
        group.is_named = group.draft is not None and status_of(group.draft) is DraftStatus.NAMING
        if (row := codes.get(group.newest.pk)) is not None:
            group.code, report = row.code, row.verdict_report
            group.case = telling_case(report) if report else None
    return unnamed


def group_of(signs: Signs, week: Week, exercise: str, fingerprint: str) -> UnnamedGroup | None:
    """Return the group that a form names, None where it is not there."""
    groups = unnamed_groups(signs, week).groups
    return next(
        (
            group
            for group in groups
            if (group.exercise, group.fingerprint) == (exercise, fingerprint)
        ),
        None,
    )


def _over(signs: Signs, rows: Sequence[SubmissionRow]) -> int:
    newest = {row.learner: row.at for row in reversed(rows)}
    key = f"{rows[0].exercise}/"
    return sum(signs.is_over(key, learner, at) for learner, at in newest.items())

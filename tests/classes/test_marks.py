"""Marks against an oracle written apart, over the whole table "What counts"."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from quizzes.classes.marks.cells import (
    Cell,
    Result,
    State,
    SubmissionFacts,
    SubmittedWork,
    counted_submissions,
    lesson_mark,
    mark,
    overridden,
    total,
)
from quizzes.classes.rules import Rule, WorkKind, date_fault, effective, lengthened
from tests.classes import marks_oracle as oracle
from tests.examples import examples

START = datetime(2026, 10, 20, tzinfo=UTC)
SECONDS = 12 * 24 * 60 * 60
ZONES = [ZoneInfo(name) for name in ("UTC", "Europe/Vienna", "America/New_York", "Asia/Kolkata")]
VERDICTS = ["correct", "correct_other_convention", "known_mistake", "wrong", "", "not_graded"]

HOURS = st.integers(0, SECONDS // 3600).map(lambda hours: hours * 3600)
NEAR_HOURS = st.builds(lambda at, off: max(0, at + off), HOURS, st.sampled_from([-1, 0, 1]))
TIMES = HOURS | NEAR_HOURS | st.integers(0, SECONDS)
PERCENTS = st.sampled_from([0, 1, 10, 33, 50, 99, 100]) | st.integers(0, 100)
POINTS = st.sampled_from(["1.00", "10.00", "0.01", "7.77", "9999.99", "3.00"]).map(Decimal)


@dataclass
class Fields:
    """The columns of an assignment, without a database."""

    work_kind: WorkKind
    points: Decimal
    opens_at: datetime
    due_at: datetime | None
    closes_at: datetime | None
    grace_minutes: int
    late_percent_per_day: int
    attempts: int | None
    minutes: int | None
    counts: str
    exercise_counts: str
    other_convention_counts: bool
    old_rules_until: datetime | None
    elapsed_days_until: datetime | None
    zone: ZoneInfo


@dataclass
class Own:
    opens_at: datetime | None
    due_at: datetime | None
    closes_at: datetime | None
    attempts: int | None
    minutes: int | None
    earlier_on_purpose: bool
    is_excused: bool


def when(seconds):
    return None if seconds is None else START + timedelta(seconds=seconds)


@st.composite
def some_rules(draw, kind):
    dates = sorted(draw(st.lists(TIMES, min_size=3, max_size=3)))
    opens, due, closes = dates
    return {
        "kind": kind,
        "points": Fraction(draw(POINTS)),
        "opens": opens,
        "due": draw(st.sampled_from([None, due])),
        "closes": draw(st.sampled_from([None, closes])),
        "grace": draw(st.sampled_from([0, 0, 1, 10, 1440])),
        "start": START,
        "zone": draw(st.sampled_from(ZONES)),
        "late": 0 if kind == "lesson" else draw(PERCENTS),
        "attempts": draw(st.none() | st.integers(1, 4)),
        "minutes": draw(st.none() | st.integers(1, 600)) if kind == "quiz" else None,
        "counts": draw(st.sampled_from(["best", "last"])) if kind == "quiz" else "best",
        "cases": kind == "exercise" and draw(st.booleans()),
        "other": draw(st.booleans()),
        "upgraded": draw(st.none() | TIMES),
        "days_upgraded": draw(st.none() | TIMES),
    }


@st.composite
def some_exception(draw):
    return draw(
        st.none()
        | st.fixed_dictionaries(
            {
                "opens": st.none() | TIMES,
                "due": st.none() | TIMES,
                "closes": st.none() | TIMES,
                "attempts": st.none() | st.integers(1, 6),
                "minutes": st.none() | st.integers(1, 600),
                "on_purpose": st.booleans(),
                "excused": st.booleans() if draw(st.integers(0, 3)) == 0 else st.just(False),
            }
        )
    )


def the_rule(rules, exception, extra=0):
    fields = Fields(
        WorkKind(rules["kind"]),
        Decimal(rules["points"].numerator) / rules["points"].denominator,
        when(rules["opens"]),
        when(rules["due"]),
        when(rules["closes"]),
        rules["grace"],
        rules["late"],
        rules["attempts"],
        rules["minutes"],
        rules["counts"],
        "cases" if rules["cases"] else "solved",
        rules["other"],
        when(rules["upgraded"]),
        when(rules["days_upgraded"]),
        rules["zone"],
    )
    own = None
    if exception is not None:
        dates = [when(exception[name]) for name in ("opens", "due", "closes")]
        numbers = (exception["attempts"], exception["minutes"])
        own = Own(*dates, *numbers, exception["on_purpose"], exception["excused"])
    return effective(fields, own, extra)


def said(cell):
    """Return a cell in the oracle's words."""
    words = {
        State.EXCUSED: "excused",
        State.WAITING: "waiting",
        State.OUR_FAILURE: "our failure",
        State.MISSED: "missed",
    }
    word = words.get(cell.state)
    if word is None and cell.value is not None:
        word = "marked"
    if word is None:
        word = "open" if cell.state == State.OPEN else "none"
    return word, None if cell.value is None else Fraction(cell.value), cell.counts


SOME_ATTEMPTS = st.lists(
    st.tuples(TIMES, st.integers(0, 1200), st.sampled_from([0, 100, 300, 700, 1200])), max_size=5
)


@examples(150)
@given(some_rules("quiz"), some_exception(), SOME_ATTEMPTS, TIMES, st.booleans())
def test_a_quiz_is_marked_as_the_table_says(rules, exception, attempts, now, is_open):
    attempts = sorted({at: (at, e, p) for at, e, p in attempts}.values())
    plain = [
        {"at": at, "earned": Fraction(min(e, p), 100), "possible": Fraction(p, 100)}
        for at, e, p in attempts
    ]
    work = [
        SubmittedWork(key, when(at), Decimal(min(e, p)) / 100, Decimal(p) / 100)
        for key, (at, e, p) in enumerate(attempts)
    ]
    found = mark(the_rule(rules, exception), work, now=when(now), is_open=is_open)
    expected = oracle.mark(oracle.own_rules(rules, exception), plain, now, is_open)
    assert said(found) == expected


# "unparsed" is could_not_run, of code that Python could not read.
SOME_SUBMITS = st.lists(
    st.tuples(
        TIMES, st.sampled_from([*VERDICTS, "unparsed"]), st.integers(0, 9), st.integers(1, 9)
    ),
    max_size=7,
).map(lambda rows: [(*row[:2], 0 if row[1] == "unparsed" else row[2], row[3]) for row in rows])


def facts_of(submits):
    return [
        SubmissionFacts(
            key,
            when(at),
            "could_not_run" if verdict == "unparsed" else verdict,
            min(passed, all_),
            all_,
            verdict != "unparsed",
        )
        for key, (at, verdict, passed, all_) in enumerate(submits)
    ]


@examples(200)
@given(some_rules("exercise"), some_exception(), SOME_SUBMITS, TIMES)
def test_an_exercise_is_marked_as_the_table_says(rules, exception, submits, now):
    submits = sorted({one[0]: one for one in submits}.values())
    plain = [
        {"at": at, "verdict": verdict, "passed": min(passed, all_), "total": all_}
        for at, verdict, passed, all_ in submits
    ]
    facts = facts_of(submits)
    rule = the_rule(rules, exception)
    found = mark(rule, counted_submissions(rule, reversed(facts)), now=when(now))
    assert said(found) == oracle.mark(oracle.own_rules(rules, exception), plain, now, False)


@examples(100)
@given(
    some_rules("lesson"),
    some_exception(),
    st.lists(st.none() | TIMES, min_size=1, max_size=9),
    TIMES,
)
def test_a_lesson_is_marked_by_the_steps_done_in_time(rules, exception, done, now):
    found = lesson_mark(the_rule(rules, exception), [when(at) for at in done], now=when(now))
    assert said(found) == oracle.lesson(oracle.own_rules(rules, exception), done, now)


@st.composite
def some_cells(draw):
    rules = draw(some_rules("exercise"))
    exception, now = draw(some_exception()), draw(TIMES)
    submits = sorted({one[0]: one for one in draw(SOME_SUBMITS)}.values())
    return rules, exception, submits, now


@examples(200)
@given(st.lists(some_cells(), max_size=6))
def test_a_total_is_of_what_is_due_or_marked(assigned):
    cells, plain = [], []
    for rules, exception, submits, now in assigned:
        rule = the_rule(rules, exception)
        facts = facts_of(submits)
        cells.append((rule.points, mark(rule, counted_submissions(rule, facts), now=when(now))))
        work = [{"at": a, "verdict": v, "passed": min(p, t), "total": t} for a, v, p, t in submits]
        found = oracle.mark(oracle.own_rules(rules, exception), work, now, False)
        plain.append((rules["points"], *found))
    found = total(cells)
    percent = None if found.percent is None else Fraction(found.percent)
    numbers = (Fraction(found.earned), Fraction(found.possible), found.due, percent, found.so_far)
    assert numbers == oracle.totals(plain)


@given(st.integers(1, 1440), st.integers(0, 300))
def test_extra_time_lengthens_minutes_and_moves_no_date(minutes, extra):
    assert lengthened(minutes, extra) == oracle.minutes_allowed(minutes, extra)
    plain = {"kind": "quiz", "points": Fraction(1), "opens": 0, "due": 60, "closes": 7200}
    plain |= {"late": 0, "attempts": None, "minutes": minutes, "counts": "best", "grace": 0}
    plain |= {"cases": False, "other": True, "upgraded": None, "days_upgraded": None}
    rule = the_rule(plain | {"zone": ZONES[0]}, None, extra)
    assert (rule.due_at, rule.closes_at) == (when(60), when(7200))
    assert rule.deadline(START) == min(
        when(7200), START + timedelta(minutes=oracle.minutes_allowed(minutes, extra))
    )


RULE = Rule(WorkKind.QUIZ, Decimal(10), START, START + timedelta(days=1), None, late_percent=10)


@given(st.decimals(0, 9999, places=2), st.booleans())
def test_an_override_replaces_points_after_everything(points, is_excused):
    rule = Rule(
        **{name: getattr(RULE, name) for name in RULE.__slots__} | {"is_excused": is_excused}
    )
    cell = mark(rule, [SubmittedWork(1, START + timedelta(days=2))], now=START + timedelta(days=3))
    by_hand = overridden(cell, points, "spoke in class")
    assert (by_hand.state, by_hand.value, by_hand.counts) == (State.OVERRIDDEN, points, True)
    assert by_hand.would_be == cell


def test_the_second_at_which_work_is_due_is_in_time_and_the_next_one_is_not():
    due = RULE.due_at
    assert RULE.kept_percent(due) == 100
    assert RULE.kept_percent(due + timedelta(microseconds=1)) == 90
    assert RULE.kept_percent(due + timedelta(hours=24)) == 90
    assert RULE.kept_percent(due + timedelta(hours=24, microseconds=1)) == 80
    assert RULE.kept_percent(due + timedelta(days=400)) == 0
    assert RULE.lateness(due) == timedelta()
    assert RULE.lateness(due + timedelta(seconds=29)) == timedelta(seconds=29)


def test_of_two_open_results_the_one_that_could_raise_the_mark_takes_it_away():
    late = START + timedelta(days=5)
    full = SubmittedWork(1, START, Decimal(1), Decimal(1))
    waits = SubmittedWork(2, late, result=Result.WAITING)
    assert mark(RULE, [full, waits], now=late).value == Decimal(10)
    half = SubmittedWork(1, START, Decimal(1), Decimal(4))
    assert mark(RULE, [half, waits], now=late).state == State.WAITING
    failed = SubmittedWork(2, late, result=Result.OUR_FAILURE)
    assert mark(RULE, [half, failed], now=late).state == State.OUR_FAILURE


def test_the_last_attempt_counts_though_a_clock_was_put_back_before_it():
    rule = replace(RULE, last_counts=True)
    first = SubmittedWork(1, START + timedelta(hours=2), Decimal(0), Decimal(1))
    last = SubmittedWork(2, START + timedelta(hours=1), Decimal(1), Decimal(1))
    assert mark(rule, [first, last], now=START + timedelta(hours=3)).value == Decimal(10)


@given(st.tuples(*[st.none() | st.integers(0, 3)] * 3))
def test_dates_are_in_order_or_the_fault_names_one_of_them(dates):
    opens, due, closes = dates
    there = [one for one in dates if one is not None]
    fault = date_fault(when(opens), when(due), when(closes))
    assert (fault is None) == (there == sorted(there))


def test_a_percent_has_one_digit_rounded_half_up():
    cell = Cell(State.SUBMITTED, Decimal(1))
    assert total([(Decimal(16), cell)]).percent == Decimal("6.3")  # of 6.25

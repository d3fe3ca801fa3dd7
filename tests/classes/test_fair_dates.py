"""Dates that punish nobody: the later of two counts, and late days end on the class's clock."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from quizzes.classes.dates import length
from quizzes.classes.marks.cells import State, SubmittedWork, mark
from quizzes.classes.marks.words import short_state, why
from quizzes.classes.rules import (
    DATES,
    LIMITS,
    NEVER,
    Rule,
    WorkKind,
    below_class,
    date_fault,
    effective,
)
from tests.classes.test_marks import Fields, Own
from tests.examples import examples

DAY, HOUR, SECOND = timedelta(days=1), timedelta(hours=1), timedelta(seconds=1)
# Half an hour of change in Lord Howe; no change in Kolkata; midnight is skipped in Santiago and
# Beirut; winter is the exception in Casablanca; Apia skipped a whole day in 2011.
ZONES = [
    ZoneInfo(name)
    for name in (
        "UTC",
        "Europe/Vienna",
        "America/New_York",
        "America/Santiago",
        "Australia/Lord_Howe",
        "Asia/Kolkata",
        "Asia/Beirut",
        "Africa/Casablanca",
        "Pacific/Apia",
    )
]
# Around the changes of the clocks more often than elsewhere: they are all within these days.
STARTS = [datetime(2026, month, day) for month in (3, 4, 9, 10, 11) for day in (1, 8, 25, 29)]
MINUTES = st.integers(0, 14 * 24 * 60).map(lambda minutes: timedelta(minutes=minutes))
WALL_TIMES = st.builds(
    lambda start, span: start + span, st.sampled_from([*STARTS, datetime(2011, 12, 22)]), MINUTES
)


def is_twice(wall, zone):
    first, second = (wall.replace(tzinfo=zone, fold=fold).utcoffset() for fold in (0, 1))
    return first > second


@st.composite
def some_due(draw):
    """A due time as the form takes it: no clock skips it or shows it twice."""
    zone, wall = draw(st.sampled_from(ZONES)), draw(WALL_TIMES)
    due = wall.replace(tzinfo=zone).astimezone(UTC)
    assume(not is_twice(wall, zone) and due.astimezone(zone).replace(tzinfo=None) == wall)
    return due, zone


SPANS = st.integers(0, 60 * 24 * 12).map(lambda minutes: timedelta(minutes=minutes)) | st.builds(
    lambda days, off: days * DAY + off,
    st.integers(0, 12),
    st.sampled_from([-HOUR, -SECOND, timedelta(0), SECOND, HOUR, HOUR + SECOND]),
)
GRACES = st.sampled_from([timedelta(), timedelta(minutes=10), DAY])


def late_rule(due, zone, percent=10, **more):
    return Rule(WorkKind.QUIZ, Decimal(10), due, due, None, percent, zone=zone, **more)


@examples(150)
@given(some_due(), SPANS, SPANS, GRACES)
def test_lateness_never_falls_with_time(due_in, first, second, grace):
    due, zone = due_in
    rule = late_rule(due, zone, grace=grace)
    early, late = sorted((due + first, due + second))
    assert rule.late_days(early) <= rule.late_days(late)
    assert rule.lateness(early) <= rule.lateness(late)
    for at in (early, late):
        assert (rule.late_days(at) > 0) == (rule.lateness(at) > timedelta()) == rule.is_due(at)


@examples(150)
@given(some_due(), st.integers(1, 400), GRACES)
@example((datetime(2026, 10, 24, 18, tzinfo=UTC), ZONES[1]), 1, timedelta())
@example((datetime(2026, 3, 28, 19, tzinfo=UTC), ZONES[1]), 1, timedelta())
def test_a_late_day_ends_at_the_due_time_on_the_clock(due_in, days, grace):
    due, zone = due_in
    rule = late_rule(due, zone, grace=grace)
    wall = due.astimezone(zone).replace(tzinfo=None) + days * DAY
    end = wall.replace(tzinfo=zone, fold=1).astimezone(UTC)
    assume(end.astimezone(zone).replace(tzinfo=None) == wall)  # not in what a clock skips
    assert rule.late_days(end + grace) == days
    assert rule.late_days(end + grace + SECOND) == days + 1
    other = replace(rule, in_elapsed_days=True)
    assert other.late_days(due + days * DAY + grace) == days
    assert other.late_days(due + days * DAY + grace + SECOND) == days + 1


@pytest.mark.parametrize(
    ("due", "submitted", "days", "said"),
    [
        ("2026-10-24T20:00", "2026-10-24T20:00", 0, ""),
        ("2026-10-24T20:00", "2026-10-24T20:01", 1, "late 1 min"),
        ("2026-10-24T20:00", "2026-10-25T20:00", 1, "late 25 h"),  # a night of an hour more
        ("2026-10-24T20:00", "2026-10-25T20:01", 2, "late 25 h"),
        ("2026-03-28T20:00", "2026-03-29T20:00", 1, "late 23 h"),  # and of an hour less
        ("2026-03-28T20:00", "2026-03-29T20:01", 2, "late 23 h"),
        ("2026-03-28T02:30", "2026-03-29T01:59", 1, "late 23 h"),
        ("2026-03-28T02:30", "2026-03-29T03:00", 2, "late 23 h"),  # the clock skips 2:30
        ("2026-10-24T02:30", "2026-10-25T01:30", 1, "late 23 h"),
        ("2026-10-23T20:00", "2026-10-29T20:00", 6, "late 6 days"),
    ],
)
def test_a_night_of_the_clock_change_is_a_day(due, submitted, days, said):
    vienna = ZoneInfo("Europe/Vienna")
    due, at = (
        datetime.fromisoformat(one).replace(tzinfo=vienna).astimezone(UTC)
        for one in (due, submitted)
    )
    cell = mark(late_rule(due, vienna), [SubmittedWork(1, at, Decimal(1), Decimal(1))], now=at)
    assert (cell.value, cell.late_days) == (10 - days, days)
    assert short_state(cell) == said
    assert (cell.state == State.LATE) == bool(days)


@pytest.mark.parametrize(
    ("span", "words"),
    [
        (timedelta(milliseconds=1), "1 s"),
        (timedelta(seconds=29), "29 s"),
        (timedelta(seconds=59.9), "59 s"),
        (timedelta(minutes=1), "1 min"),
        (timedelta(minutes=59, seconds=59), "59 min"),
        (timedelta(hours=3, minutes=20), "3 h"),
        (timedelta(hours=47, minutes=59), "47 h"),
        (timedelta(hours=48), "2 days"),
        (timedelta(days=6, hours=3), "6 days"),
    ],
)
def test_lateness_is_said_in_its_largest_unit(span, words):
    due = datetime(2026, 5, 1, 12, tzinfo=UTC)
    at = due + span
    rule = late_rule(due, ZONES[0])
    cell = mark(rule, [SubmittedWork(1, at, Decimal(1), Decimal(1))], now=at)
    assert length(cell.late) == words
    assert short_state(cell) == f"late {words}"
    lost = 10 * cell.late_days
    said = " ".join(why(cell, rule, ZONES[0], at))
    assert f"It was {words} late and lost {lost} % of what it earned ({cell.late_days} late" in said


# ---- exceptions


@st.composite
def some_fields(draw):
    due, zone = draw(some_due())
    opens = due - draw(MINUTES)
    closes = due + draw(MINUTES)
    return Fields(
        draw(st.sampled_from(WorkKind)),
        Decimal(10),
        opens,
        draw(st.sampled_from([None, due, due])),
        draw(st.sampled_from([None, closes, closes])),
        draw(st.sampled_from([0, 0, 5])),
        draw(st.sampled_from([0, 10, 100])),
        draw(st.none() | st.integers(1, 4)),
        draw(st.none() | st.integers(1, 90)),
        "best",
        "solved",
        True,
        None,
        None,
        zone,
    )


@st.composite
def some_own(draw, fields, on_purpose):
    """An exception with dates near those of the class, as the form takes them."""
    base = fields.opens_at.astimezone(fields.zone).replace(tzinfo=None)
    dates = []
    for _ in DATES:
        wall = base + draw(MINUTES) - 5 * DAY
        assume(not is_twice(wall, fields.zone))
        there = wall.replace(tzinfo=fields.zone).astimezone(UTC)
        dates.append(draw(st.sampled_from([None, there])))
    numbers = draw(st.none() | st.integers(1, 6)), draw(st.none() | st.integers(1, 120))
    return Own(*dates, *numbers, on_purpose, draw(st.just(False)))


def least_moments(*rules):
    """The moments near which two rules may differ."""
    ends = [getattr(rule, name) for rule in rules for name in DATES]
    return [
        end + days * DAY + off
        for end in ends
        if end is not None
        for days in (0, 1, 3)
        for off in (-SECOND, timedelta(), SECOND, HOUR, -HOUR)
    ]


def is_no_worse(rule, other, at):
    """Whether work at a time earns no less by a rule than by another, and more of it is taken."""
    return (
        rule.kept_percent(at) >= other.kept_percent(at)
        and rule.late_days(at) <= other.late_days(at)
        and rule.lateness(at) <= other.lateness(at)
        and rule.is_closed(at) <= other.is_closed(at)
        and rule.is_due(at) <= other.is_due(at)
        and (rule.deadline(at) or NEVER) >= (other.deadline(at) or NEVER)
        and (rule.attempts or 10**9) >= (other.attempts or 10**9)
    )


@examples(100)
@given(st.data())
def test_an_exception_makes_nobody_worse_without_the_tick(data):
    fields = data.draw(some_fields())
    own = data.draw(some_own(fields, on_purpose=False))
    common, rule = effective(fields), effective(fields, own)
    for at in least_moments(common, rule):
        assert is_no_worse(rule, common, at), at
    for name in below_class(fields, own):
        assert getattr(rule, name) == getattr(common, name)
    # What is not less counts as it is: an exception has an effect.
    for name in set(DATES + LIMITS) - set(below_class(fields, own)):
        if getattr(own, name) is not None:
            assert getattr(rule, name) == getattr(own, name)


@examples(100)
@given(st.data(), st.booleans())
def test_a_later_class_makes_nobody_later(data, on_purpose):
    fields = data.draw(some_fields())
    own = data.draw(st.none() | some_own(fields, on_purpose=on_purpose))
    moved = replace(fields)
    for name in DATES[1:]:
        if getattr(fields, name) is not None:
            wall = getattr(fields, name).astimezone(fields.zone) + data.draw(MINUTES)
            assume(not is_twice(wall.replace(tzinfo=None), fields.zone))
            setattr(moved, name, data.draw(st.sampled_from([None, wall.astimezone(UTC)])))
    before, now = effective(fields, own), effective(moved, own)
    for at in least_moments(before, now):
        assert is_no_worse(now, before, at), at


@examples(100)
@given(st.data())
def test_a_purpose_counts_whatever_the_class_has(data):
    fields = data.draw(some_fields())
    own = data.draw(some_own(fields, on_purpose=True))
    rule = effective(fields, own)
    for name in (*DATES, "attempts", "minutes"):
        expected = getattr(own, name)
        assert getattr(rule, name) == (getattr(fields, name) if expected is None else expected)


@examples(100)
@given(st.data(), st.booleans())
def test_a_lifted_exception_leaves_dates_in_order(data, on_purpose):
    """What stays of an exception in order fits into the dates of a class in order."""
    fields = data.draw(some_fields())
    own = data.draw(some_own(fields, on_purpose=on_purpose))
    assume(date_fault(own.opens_at, own.due_at, own.closes_at) is None)
    rule = effective(fields, own)
    assume(date_fault(rule.opens_at, rule.due_at, rule.closes_at) is None)
    lifted = replace(own, earlier_on_purpose=False)
    for name in below_class(fields, own):
        setattr(lifted, name, None)
    assert below_class(fields, lifted) == []
    rule = effective(fields, lifted)
    assert date_fault(rule.opens_at, rule.due_at, rule.closes_at) is None

"""The line of time of a class's assignments."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.classes.rules import Rule, WorkKind
from quizzes.teaching.work.time_line import DAY, MOST_TICKS, REACH, time_line_of

ZONE = ZoneInfo("Europe/Vienna")
NOW = datetime(2026, 6, 10, 9, tzinfo=UTC)
HALF_A_TENTH = 0.051  # places are rounded
near = st.timedeltas(-REACH, REACH - 180 * DAY // 2).map(lambda ago: NOW + ago)


def rule_of(opens: datetime, due: datetime | None = None, closes: datetime | None = None) -> Rule:
    return Rule(WorkKind.QUIZ, Decimal(1), opens, due, closes)


@given(
    opens=st.lists(near, max_size=6),
    lengths=st.lists(st.integers(1, 45), min_size=6, max_size=6),
)
def test_places_are_in_proportion_to_time(opens, lengths) -> None:
    """One scale for all, from a day before the first date to a day after the last."""
    rules = [
        rule_of(
            at,
            at + timedelta(days=days) if days % 3 else None,
            at + timedelta(days=2 * days) if days % 2 else None,
        )
        for at, days in zip(opens, lengths, strict=False)
    ]
    line = time_line_of(rules, NOW, ZONE)
    dates = [at for rule in rules for at in (rule.opens_at, rule.due_at, rule.closes_at) if at]
    first, last = min([NOW, *dates]) - DAY, max([NOW, *dates]) + DAY

    def place(at: datetime) -> float:
        return 100 * (at - first).total_seconds() / (last - first).total_seconds()

    placed = [(NOW, line.now)]
    for rule, span in zip(rules, line.spans, strict=True):
        placed.append((rule.opens_at, span.opens))
        assert (span.due is None) == (rule.due_at is None)
        placed += [(rule.due_at, span.due)] if rule.due_at and span.due is not None else []
        placed += [(rule.closes_at, span.closes)] if rule.closes_at else []
        assert rule.closes_at or span.closes == 100
        assert span.ends == (span.closes if span.due is None else span.due)
    for tick in line.ticks:
        midnight = datetime(tick.day.year, tick.day.month, tick.day.day, tzinfo=ZONE)
        placed.append((midnight, tick.at))
    for at, percent in placed:
        assert percent == pytest.approx(place(at), abs=HALF_A_TENTH)
    assert len(line.ticks) <= MOST_TICKS
    assert all(tick.day.strftime("%a") == "Mon" for tick in line.ticks)


@given(
    far=st.one_of(
        st.integers(183, 3_000).map(lambda days: NOW - days * DAY),
        st.integers(183, 3_000).map(lambda days: NOW + days * DAY),
        st.just(datetime(9999, 12, 31, 23, 59, tzinfo=UTC)),
    )
)
def test_far_dates_leave_room_for_near(far) -> None:
    """A date of two years ago, or of the last year there is, moves no other date."""
    term = [rule_of(NOW - 10 * DAY, NOW, NOW + 10 * DAY), rule_of(NOW, NOW + 20 * DAY)]
    alone, line = time_line_of(term, NOW, ZONE), time_line_of([*term, rule_of(far)], NOW, ZONE)
    assert line.spans[:2] == alone.spans
    assert (line.now, line.ticks) == (alone.now, alone.ticks)
    assert line.spans[2].opens == (0 if far < NOW else 100)
    late = time_line_of([*term, rule_of(min(far, NOW), far, far)], NOW, ZONE).spans[2]
    assert (late.due, late.ends) == (None, 0 if far < NOW else 100)


def test_line_of_an_old_class_has_its_dates() -> None:
    old = NOW - 400 * DAY
    line = time_line_of([rule_of(old, old + 100 * DAY)], NOW, ZONE)
    assert 0 < line.spans[0].opens < line.spans[0].ends < line.now < 100

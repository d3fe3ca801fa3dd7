"""The line of time of a class's assignments."""

from datetime import datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from quizzes.classes.rules import Rule, WorkKind
from quizzes.teaching.work.time_line import MOST_TICKS, time_line_of

moments = st.datetimes(datetime(2026, 1, 1), datetime(2026, 12, 31)).map(
    lambda at: at.replace(tzinfo=ZoneInfo("UTC"))
)


@given(
    opens=st.lists(moments, max_size=6),
    lengths=st.lists(st.integers(1, 90), min_size=6, max_size=6),
    now=moments,
)
def test_dates_stand_on_the_line_in_order(opens, lengths, now) -> None:
    """Later is further right, on one scale for all; at most five Mondays are named."""
    zone = ZoneInfo("Europe/Vienna")
    rules = [
        Rule(
            WorkKind.QUIZ,
            Decimal(1),
            at,
            at + timedelta(days=days) if days % 3 else None,
            at + timedelta(days=2 * days) if days % 2 else None,
        )
        for at, days in zip(opens, lengths, strict=False)
    ]
    line = time_line_of(rules, now, zone)
    placed = [(now, line.now)]
    for rule, span in zip(rules, line.spans, strict=True):
        placed.append((rule.opens_at, span.opens))
        placed += [(rule.due_at, span.due)] if rule.due_at and span.due is not None else []
        placed += [(rule.closes_at, span.closes)] if rule.closes_at else []
        assert 0 <= span.opens <= span.ends <= span.closes <= 100
    placed.sort()
    assert [place for _, place in placed] == sorted(place for _, place in placed)
    assert len(line.ticks) <= MOST_TICKS
    assert all(tick.day.strftime("%a") == "Mon" for tick in line.ticks)

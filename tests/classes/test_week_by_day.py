"""A mistake's week by day: whom it concerned, who is over it, against a replay of what happened."""

import re
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzes.classes.models import Membership
from quizzes.classes.week.calendar import Week
from quizzes.classes.week.day_counts import count_by_day
from quizzes.classes.week.signs import Sign, Signs
from quizzes.teaching.week.curve import BASE, TOP, curve_of
from tests.classes.pages import teach_class
from tests.classes.planted import add_question, add_students, hand_in
from tests.classes.test_week import made_in_code, solved, this, week_of
from tests.factories import DAY, MISTAKE, create_quiz

NAME, QUESTION = "table/swap", 7
ZONES = ("Europe/Vienna", "America/New_York", "Pacific/Auckland")
MONDAYS = (date(2026, 3, 23), date(2026, 6, 1), date(2026, 10, 19))  # two with a clock change
Event = tuple[int, int, str]  # learner, minute of the week, what happened

# Minutes of the week, some before it; a pair of things in one minute would have no order.
events = st.lists(
    st.tuples(
        st.integers(1, 4),
        st.integers(-2_000, 10_200),
        st.sampled_from(["made", "solved", "answered"]),
    ),
    max_size=30,
    unique_by=lambda event: event[1],
)


def signs_of(happened: list[Event], week: Week) -> Signs:
    signs = Signs()
    signs.offers[NAME].add(QUESTION)
    for learner, minute, what in sorted(happened, key=lambda event: event[1]):
        at = week.begins_at + timedelta(minutes=minute)
        if what == "made":
            signs.made[NAME].append(Sign(learner, at, None, "", "", ""))
        else:
            key = ("exercise", "table") if what == "solved" else ("question", QUESTION)
            signs.note_right(learner, key, at)
    return signs


def replay(happened: list[Event], week: Week, now: datetime) -> list[tuple[int, int]]:
    """Walk through what happened in the week; each student is in one state at a time."""
    days, state = [], dict.fromkeys(range(1, 5), "untouched")
    waiting = sorted(happened, key=lambda event: event[1])
    waiting = [event for event in waiting if event[1] >= 0]
    for day in range(7):
        local = datetime(week.monday.year, week.monday.month, week.monday.day, tzinfo=week.zone)
        starts = local + timedelta(days=day)  # on the clock of the zone
        if starts.astimezone(UTC) > now:
            break
        midnight = (starts + timedelta(days=1)).astimezone(UTC)
        while waiting and week.begins_at + timedelta(minutes=waiting[0][1]) < midnight:
            learner, _, what = waiting.pop(0)
            if what == "made":
                state[learner] = "in it"
            elif state[learner] == "in it":
                state[learner] = "over it"
        values = list(state.values())
        days.append((len(values) - values.count("untouched"), values.count("over it")))
    return days


@settings(max_examples=60, deadline=None)
@given(
    happened=events,
    monday=st.sampled_from(MONDAYS),
    zone=st.sampled_from(ZONES),
    hours=st.integers(0, 200),
)
def test_days_match_a_replay_of_events(happened, monday, zone, hours) -> None:
    week = Week(monday, ZoneInfo(zone))
    now = week.begins_at + timedelta(hours=hours, seconds=30)
    happened = [event for event in happened if event[1] < hours * 60]
    signs = signs_of(happened, week)
    made = [sign for sign in signs.made[NAME] if week.begins_at <= sign.at < week.ends_at]
    counted = count_by_day(signs, NAME, made, week, now)
    assert [(day.concerned, day.over) for day in counted] == replay(happened, week, now)


def test_curve_is_as_high_as_its_counts() -> None:
    week = Week(date(2026, 6, 1), ZoneInfo("UTC"))
    happened = [(1, 60, "made"), (2, 2_000, "made"), (1, 2_100, "solved")]
    signs = signs_of(happened, week)
    now = week.begins_at + 3 * DAY
    curve = curve_of(count_by_day(signs, NAME, signs.made[NAME], week, now))
    assert curve is not None
    heights = [float(point.split(",")[1]) for point in curve.concerned.split()]
    assert heights == [(TOP + BASE) / 2, TOP, TOP, TOP]
    assert curve.over.startswith(f"8,{BASE} ")
    assert curve.words == "By day from Monday: 1, 2, 2, 2 students so far; 0, 1, 1, 1 got past it"
    assert curve_of([]) is None


@pytest.mark.django_db
def test_page_shows_a_hand_built_week(cohort, exercise, teacher) -> None:
    """Two make it on Monday, in code and by an answer, and get past it on Tuesday.

    The first makes it again on Wednesday and solves it on Saturday; a third makes it on Thursday.
    """
    week = this(cohort).previous
    ada, bea, cem = add_students(cohort, 3)
    Membership.objects.update(joined_at=week.begins_at - 30 * DAY)

    def at(day: int) -> datetime:
        return week.begins_at + day * DAY + timedelta(hours=12)

    quiz = create_quiz("by-day", [add_question(cohort.course, "rows", mistakes={2: MISTAKE})])
    made_in_code(exercise, [ada], at(0))
    hand_in(quiz, [bea], [[2]], at(0))
    solved(exercise, [ada], at(1))
    hand_in(quiz, [bea], [[1]], at(1))
    made_in_code(exercise, [ada], at(2))
    made_in_code(exercise, [cem], at(3))
    solved(exercise, [ada], at(5))
    row = week_of(cohort, week).row(MISTAKE)
    assert row is not None
    assert [day.concerned for day in row.days] == [2, 2, 2, 3, 3, 3, 3]
    assert [day.over for day in row.days] == [0, 2, 1, 1, 1, 2, 2]
    page = teacher.get(f"{teach_class()}?week={week.name}").content.decode()
    said = (
        "By day from Monday: 2, 2, 2, 3, 3, 3, 3 students so far; 0, 2, 1, 1, 1, 2, 2 got past it"
    )
    assert said in re.sub(r"\s+", " ", page)

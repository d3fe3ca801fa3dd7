"""A mistake's week by day: whom it concerned, who got past it, against a replay of events."""

import re
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.template.loader import render_to_string
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzes.classes.models import Membership
from quizzes.classes.week.calendar import Week
from quizzes.classes.week.day_counts import DayCount, count_by_day
from quizzes.classes.week.known_mistakes import MistakeFacts
from quizzes.classes.week.reader import MOST_SHOWN, MistakeRow
from quizzes.classes.week.signs import Sign, Signs
from quizzes.teaching.week import week_views
from quizzes.teaching.week.curve import BASE, TOP, curve_of
from quizzes.teaching.week.week_views import MOST_IN_DIGEST
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
    counted = count_by_day(signs, NAME, week, now)
    assert [(day.concerned, day.past) for day in counted] == replay(happened, week, now)


def test_curve_is_as_high_as_its_counts() -> None:
    week = Week(date(2026, 6, 1), ZoneInfo("UTC"))
    happened = [(1, 60, "made"), (2, 2_000, "made"), (1, 2_100, "solved")]
    signs = signs_of(happened, week)
    now = week.begins_at + 3 * DAY
    curve = curve_of(count_by_day(signs, NAME, week, now))
    assert curve is not None
    heights = [float(point.split(",")[1]) for point in curve.concerned.points.split()]
    assert heights == [(TOP + BASE) / 2, TOP, TOP, TOP]
    assert curve.past.points.startswith(f"8,{BASE} ")
    assert curve.words == "By day from Monday: 1, 2, 2, 2 students so far; 0, 1, 1, 1 got past it"


@pytest.mark.parametrize("days", range(4))
def test_curve_begins_on_third_day(days: int) -> None:
    assert (curve_of([DayCount(1, 0)] * days) is None) == (days < 3)


@given(counts=st.lists(st.tuples(st.integers(0, 300), st.integers(0, 300)), min_size=3, max_size=7))
def test_each_line_ends_in_a_dot(counts) -> None:
    days = [DayCount(concerned, min(concerned, past)) for concerned, past in counts]
    drawn = render_to_string("teaching/week/_curve.html", {"curve": curve_of(days)})
    for line in ("concerned", "past"):
        (points,) = re.findall(rf'<polyline class="curve__{line}" points="([^"]+)"', drawn)
        dots = re.findall(rf'<circle class="curve__{line}" cx="(\d+)" cy="([\d.]+)" r="', drawn)
        assert [",".join(dot) for dot in dots] == [points.split()[-1]]


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
    days = count_by_day(week_of(cohort, week).signs, MISTAKE, week, timezone.now())
    assert [day.concerned for day in days] == [2, 2, 2, 3, 3, 3, 3]
    assert [day.past for day in days] == [0, 2, 1, 1, 1, 2, 2]
    page = teacher.get(f"{teach_class()}?week={week.name}").content.decode()
    said = (
        "By day from Monday: 2, 2, 2, 3, 3, 3, 3 students so far; 0, 2, 1, 1, 1, 2, 2 got past it"
    )
    assert said in re.sub(r"\s+", " ", page)


@pytest.mark.django_db
def test_each_shown_mistake_has_a_curve(cohort, exercise, teacher, monkeypatch) -> None:
    """Those past the twelfth too; nobody counts days that no page shows."""
    names = []

    def count_and_note(signs: Signs, name: str, week: Week, now: datetime) -> list[DayCount]:
        names.append(name)
        return count_by_day(signs, name, week, now)

    monkeypatch.setattr(week_views, "count_by_day", count_and_note)
    monkeypatch.setattr("quizzes.teaching.week.curve.FEWEST_DAYS", 1)  # also on a Monday
    (student,) = add_students(cohort, 1)
    Membership.objects.update(joined_at=timezone.now() - 30 * DAY)
    for number in range(MOST_SHOWN + 3):
        made_in_code(exercise, [student], this(cohort).begins_at, f"slip-{number}")
    page = teacher.get(teach_class()).content.decode()
    for drawn in ('<svg class="curve"', 'class="key"', 'class="key key--past"'):
        assert page.count(drawn) == MOST_SHOWN + 3
    assert len(names) == len(set(names)) == MOST_SHOWN + 3
    names.clear()
    page = teacher.get("/teach/").content.decode()
    assert page.count('<svg class="curve"') == len(names) == MOST_IN_DIGEST
    names.clear()
    named = {"week": this(cohort).name, "mistake": f"{exercise.slug}/slip-1"}
    assert teacher.get(teach_class("week/right/"), named).status_code == 200
    assert names == []


def test_no_key_without_a_curve() -> None:
    facts = MistakeFacts(MISTAKE)
    row = MistakeRow(facts, {1: datetime.now(UTC)}, set(), 0, {1}, {}, "")
    for curve, keys in ((None, 0), ("drawn", 2)):
        shown = {"row": {"row": row, "curve": curve}}
        page = render_to_string("teaching/week/_numbers.html", shown)
        assert page.count('class="key') == keys

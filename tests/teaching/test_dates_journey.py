"""In a browser: an extension and then more time for all, 29 s late, a night of the clock change."""

import json

import pytest
from playwright.sync_api import Page, expect

from tests.browser import sideways_scroll
from tests.teaching.browsing import new_slug, sign_in, wrong_with

pytestmark = pytest.mark.slow

# Dates that are always over, or always to come: the test says the same on any day.
MAKE = """
import json
from datetime import datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo
from django.utils import timezone
from quizzes.assessment.models import Attempt, Quiz
from quizzes.classes.models import Assignment, Cohort, Membership
from quizzes.courses.models import Course
from quizzes.learners.models import Learner, User

def vienna(text):
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo("Europe/Vienna"))

slug, teacher = "{slug}", User.objects.get(username="{teacher}")
quiz = Quiz.objects.filter(course__slug="positional-encodings").open().order_by("pk").first()
cohort = Cohort.objects.create(
    course=quiz.course, slug=slug, title="Class " + slug, timezone="Europe/Vienna",
    begins_on="2025-01-01", ends_on="2099-12-31", join_code=slug[-8:].upper(),
)
joined = dict(cohort=cohort, state="active", joined_at=vienna("2025-01-01T08:00"))
Membership.objects.create(user=teacher, role="instructor", name="Ines", **joined)
people = []
for name in ("Ada", "Ben"):
    user = User.objects.create_user(name.lower() + "-" + slug)
    Learner.objects.create(user=user)
    people.append(Membership.objects.create(user=user, role="student", name=name, **joined))

def assign(opens, due, closes, submitted):
    made = Assignment.objects.create(
        cohort=cohort, quiz=quiz, points=Decimal(10), late_percent_per_day=10, is_visible=True,
        opens_at=vienna(opens), due_at=vienna(due), closes_at=vienna(closes),
    )
    if submitted:
        Attempt.objects.create(
            learner=people[0].user.learner, quiz=quiz, sitting=made.sitting, earned=1, possible=1,
            submitted_at=vienna(submitted), ended_by="learner",
        )
    return [made.pk, people[0].pk]

print(json.dumps([
    assign("2098-05-01T08:00", "2098-05-16T20:00", "2098-06-16T20:00", ""),
    assign("2025-05-01T08:00", "2025-05-16T20:00", "2025-06-16T20:00", "2025-05-16T20:00:29"),
    assign("2025-10-01T08:00", "2025-10-25T20:00", "2025-11-16T20:00", "2025-10-26T20:00"),
]))
"""


def give(page: Page, name: str, due: str) -> None:
    page.get_by_role("checkbox", name=name).check()
    page.get_by_label("Due", exact=False).first.fill(due)
    page.get_by_role("button", name="Apply to the selected students").click()


@pytest.mark.parametrize(
    ("width", "scheme"),
    [(1280, "light"), pytest.param(390, "dark", marks=pytest.mark.soak)],
)
def test_dates_punish_nobody_in_a_browser(site, new_page, page_errors, width, scheme):
    page_errors.allow("status of 400")  # the refused date
    page = new_page(viewport={"width": width, "height": 844}, color_scheme=scheme)
    sign_in(site, page)
    slug = new_slug("dates")
    name, _ = site.login("instructor")
    moved, seconds, night = json.loads(site.run(MAKE.format(slug=slug, teacher=name)))
    here = f"{site.url}/teach/classes/{slug}"

    page.goto(f"{here}/assignments/{moved[0]}/exceptions/")
    give(page, "Ben", "2098-05-15T20:00")
    expect(page.get_by_text("This is earlier than the class’s Friday 16 May")).to_be_visible()
    give(page, "Ada", "2098-05-17T20:00")
    page.wait_for_load_state()
    expect(page.locator(".messages")).to_contain_text("Changed for Ada and Ben.")
    page.goto(f"{here}/assignments/{moved[0]}/")
    page.get_by_label("Due").fill("2098-05-20T20:00")
    page.get_by_role("button", name="Save").click()
    notice = page.get_by_text(
        "exceptions are now earlier than the class’s dates: Ada and Ben. Lift them?"
    )
    expect(notice).to_be_visible()
    assert sideways_scroll(page) == 0
    if width == 1280:  # it looks at the phone as well
        assert wrong_with(page, every_look=False) == []
    page.get_by_role("button", name="Lift them").click()
    expect(page.locator(".messages")).to_contain_text("Lifted for Ada and Ben.")
    expect(page.get_by_text("Everybody follows the class’s rules.")).to_be_visible()

    page.goto(f"{here}/marks/")
    row = page.get_by_role("row").filter(has_text="Ada")
    expect(row).to_contain_text("late 29 s")
    expect(row).to_contain_text("late 25 h")
    said = {seconds[0]: "It was 29 s late", night[0]: "It was 25 h late"}
    for assignment, words in said.items():
        page.goto(f"{here}/marks/{assignment}/{seconds[1]}/")
        expect(
            page.get_by_text(f"{words} and lost 10 % of what it earned (1 late day).")
        ).to_be_visible()
        assert sideways_scroll(page) == 0

"""After the fact, by keyboard in a real browser: a key put right, numbers drawn again, code."""

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.course_folders import POSITIONAL
from tests.courses import at
from tests.teaching.browsing import (
    new_slug,
    press_and_look_until_focused,
    published_question,
    published_quiz,
    sign_in,
    submitted,
    wrong_with,
)
from tests.teaching.forms import teach
from tests.whole_site import Site

pytestmark = pytest.mark.soak  # the gate has the same without a browser

LOOK, PATIENCE = 500, 120  # milliseconds between looks at what a worker does, seconds in all
# A generated question whose key is one too large, with numbers that a worker draws.
WRONG_KEY = """
def generate(rng, exercise):
    n = int(rng.integers(3, 9))
    return {
        "prompt": f"How many heads has a model with {n} heads?",
        "facts": {"n": n},
        "proof": n + 1,
        "answer": {"value": n + 1, "plus_minus": 0.1, "reason": "Count them."},
    }
"""
NEW_VERSION = """
from quizzes.assessment.models import Question, QuestionVersion
from quizzes.courses.models import Course
course = Course.objects.get(slug="positional-encodings")
like = Question.objects.get(course=course, slug="slope-of-a-head").current
asked, _ = Question.objects.get_or_create(course=course, slug={slug!r})
asked.current = QuestionVersion.objects.create(
    question=asked, number={number}, content_hash="{number}", kind="numeric", step=like.step,
    prompt="How many heads?", generator=like.generator | {{"generate.py": {program!r}}},
)
asked.save()
"""
# The same exercise as version 2 with the same cases, and a right submission that version 1 refused.
SECOND_VERSION = """
from quizzes.exercises.models import CasePack, Exercise, ExerciseVersion, Submission
from quizzes.grader.judge.report import Report, Verdict
sent = Submission.objects.select_related("exercise_version__exercise").get(pk={number})
version, exercise = sent.exercise_version, sent.exercise_version.exercise
packs = list(version.packs.filter(retired_at=None))
version.pk, version.number, version.content_hash = None, version.number + 1, "{number}"
version._state.adding = True
version.save()
for pack in packs:
    CasePack.objects.create(version=version, seed=pack.seed, data=pack.data)
Exercise.objects.filter(pk=exercise.pk).update(current=version)
Submission.objects.filter(pk=sent.pk).update(
    verdict="wrong", report=Report(Verdict.WRONG, cases_passed=1, cases_total=3).as_json()
)
"""
ONE_VERSION = """
from quizzes.exercises.models import Exercise
exercise = Exercise.objects.get(slug="{slug}")
Exercise.objects.filter(pk=exercise.pk).update(current=exercise.versions.get(number=1))
"""


def press(page: Page, selector: str) -> None:
    """Go to a button or a link by Tab, looking at every focus, and press it."""
    press_and_look_until_focused(page, selector)
    page.keyboard.press("Enter")


def look_until(site: Site, page: Page, what: Locator, look_again: Callable[[], object]) -> None:
    """Look at a page again and again until a worker has done something for it."""
    deadline = time.monotonic() + PATIENCE
    while not what.count():
        assert time.monotonic() < deadline, f"no worker did it:\n{site.log()}"
        page.wait_for_timeout(LOOK)
        look_again()


def type_note(page: Page, note: str) -> None:
    press_and_look_until_focused(page, "#note")
    page.keyboard.type(note)


def regrade(page: Page, note: str) -> None:
    """By keyboard: give the question that is open another key, and follow what its page offers."""
    press_and_look_until_focused(page, "[name=key]:checked")
    page.keyboard.press("ArrowDown")
    press(page, "button[value=publish]")
    expect(page.get_by_text("2 answers were marked with version 1")).to_be_visible()
    press(page, "a[href*='/regrade/']")
    expect(page.get_by_role("heading", name="Preview")).to_be_visible()
    rows = page.get_by_role("region", name="Changes to answers").locator("tbody tr")
    expect(rows).to_have_text(["1 right not right", "1 not right right"])
    assert wrong_with(page, every_look=False) == []
    type_note(page, note)
    press(page, "button[value=apply]")
    expect(page.get_by_text("Done: 2 answers regraded.")).to_be_visible()
    expect(page.locator(".messages")).to_be_focused()


def test_what_the_class_chose_stands_beside_the_question_and_a_wrong_key_is_put_right(
    site, new_page
):
    page = sign_in(site, new_page(color_scheme="light", reduced_motion="reduce"))
    slug = published_question(site, page, "Which wave is the longest?")
    quiz = published_quiz(site, page, slug)
    learners = []
    for right in (True, False):
        learner = new_page()
        learners.append(learner)
        learner.goto(site.url + at(f"/quiz/{quiz}/"))
        learner.get_by_role("button", name="Start").click()
        choices = learner.locator("label.choice")
        (choices.filter(has_text="π") if right else choices.filter(has_not_text="π")).click()
        learner.get_by_role("button", name="Submit", exact=True).click()
        expect(learner.get_by_role("heading", level=1)).to_contain_text("of 1 right")
    page.goto(site.url + teach(f"class/?quiz={quiz}"))
    row = page.get_by_role("row").filter(has_text=slug)
    expect(row).to_contain_text("50 %")
    expect(row).to_contain_text("1 of 2")
    page.goto(site.url + teach(f"questions/{slug}/"))
    expect(page.get_by_role("region", name="Table of answers")).to_contain_text("50 %")
    regrade(page, "The key was *wrong*.")
    for learner, told in zip(
        learners, ("no longer counts as right", "now counts as right"), strict=True
    ):
        learner.reload()
        expect(learner.get_by_text(f"your answer {told}")).to_be_visible()
        expect(learner.locator(".notice em")).to_have_text("wrong")
    assert wrong_with(learners[0], every_look=False) == []
    press_and_look_until_focused(page, "button[value=undo]")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Undone: 2 answers restored.")).to_be_visible()
    learners[0].reload()
    expect(learners[0].get_by_text("1 of 1 right")).to_be_visible()
    expect(learners[0].get_by_text("Corrected on")).to_have_count(0)


@pytest.mark.sandbox
def test_a_drawn_question_is_marked_by_the_numbers_of_its_new_version(site, new_page):
    slug = new_slug("drawn")
    program = {"slug": slug, "number": 1, "program": WRONG_KEY}
    site.run(NEW_VERSION.format(**program))
    page = sign_in(site, new_page(color_scheme="light", reduced_motion="reduce"))
    quiz = published_quiz(site, page, slug)
    learner = new_page()
    start = learner.get_by_role("button", name="Start")
    learner.goto(site.url + at(f"/quiz/{quiz}/"))
    look_until(site, learner, start, learner.reload)  # a worker draws its first numbers
    start.click()
    asked = learner.locator("fieldset.question")
    expect(asked).to_have_count(1)
    heads = re.search(r"model with (\d) heads", asked.inner_text())
    assert heads is not None
    learner.locator("fieldset.question input[type=text]").fill(heads[1])
    learner.get_by_role("button", name="Submit", exact=True).click()
    expect(learner.get_by_role("heading", level=1)).to_contain_text("0 of 1 right")
    mended = {"number": 2, "program": WRONG_KEY.replace("n + 1", "n")}
    site.run(NEW_VERSION.format(**program | mended))
    page.goto(site.url + teach(f"questions/{slug}/"))
    expect(page.get_by_text("1 answer was marked with version 1")).to_be_visible()
    press(page, "a[href*='/regrade/']")
    expect(page.get_by_text("0 of 1 sets of numbers have been drawn")).to_be_visible()
    press(page, "button[value=draw]")
    expect(page.get_by_role("heading", name="Preview")).to_be_visible()
    changes = page.get_by_role("region", name="Changes to answers").locator("tbody tr")
    look_until(site, page, changes, page.reload)  # as the page asks: "load this page again"
    expect(changes).to_have_text(["1 not right right"])
    assert wrong_with(page, every_look=False) == []
    type_note(page, "The key was *one too large*.")
    press(page, "button[value=apply]")
    expect(page.get_by_text("Done: 1 answer regraded.")).to_be_visible()
    learner.reload()
    expect(learner.get_by_role("heading", level=1)).to_contain_text("1 of 1 right")
    expect(learner.locator(".notice em")).to_have_text("one too large")


@pytest.mark.sandbox
def test_code_is_graded_beside_applied_told_and_undone_by_keyboard(site, new_page):
    slug = "t5-bucket"
    right = (POSITIONAL / f"exercises/{slug}/reference.py").read_text()
    learner = new_page(color_scheme="light", reduced_motion="reduce")
    number = submitted(site, learner, slug, right)
    learner.goto(site.url + at(f"/exercises/{slug}/submissions/{number}/"))
    site.run(SECOND_VERSION.format(number=number))
    try:
        page = sign_in(site, new_page(color_scheme="light", reduced_motion="reduce"))
        page.goto(site.url + teach(f"exercises/{slug}/"))
        press(page, "a[href*='/regrade/']")
        press(page, "button[value=begin]")
        expect(page.get_by_text("will be graded for the preview")).to_be_visible()
        expect(page.locator(".messages")).to_be_focused()

        def look_again() -> None:  # as the page asks
            with page.expect_navigation():
                press(page, f"main a[href$='/{slug}/regrade/']")

        look_until(site, page, page.get_by_text("been graded with the new version"), look_again)
        rows = page.get_by_role("region", name="Changes to submissions").locator("tbody tr")
        expect(rows).to_have_text(["1 Not yet: the result differs Correct"])
        assert wrong_with(page, every_look=False) == []
        learner.reload()
        expect(learner.locator("[data-verdict=wrong]")).to_be_visible()
        type_note(page, "A case was *wrong*.")
        press(page, "button[value=apply]")
        expect(page.get_by_text("submission regraded.")).to_be_visible()
        expect(page.locator(".messages")).to_be_focused()
        learner.reload()
        expect(learner.locator("[data-verdict=correct]")).to_be_visible()
        expect(learner.locator(".notice em")).to_have_text("wrong")
        assert wrong_with(learner, every_look=False) == []
        press(page, "button[value=undo]")
        expect(page.get_by_text("Undone: 1 submission restored.")).to_be_visible()
        learner.reload()
        expect(learner.locator("[data-verdict=wrong]")).to_be_visible()
        expect(learner.get_by_text("Corrected on")).to_have_count(0)
    finally:
        site.run(ONE_VERSION.format(slug=slug))

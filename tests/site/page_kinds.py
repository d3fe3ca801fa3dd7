"""One page of each kind that the site has, whose it is, and the status that it answers with.

For the contact sheets of tools/take_contact_sheets.py, and for tests of all kinds at all widths.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Page, expect

COURSE = "/c/positional-encodings"
CODE = f"{COURSE}/exercises/"
TEACH = "/teach/courses/positional-encodings"
CLASS = "/teach/classes/{class}"
SPRING = (
    "title=Spring&course=positional-encodings&begins_on=2027-03-01&ends_on=2027-06-25"
    "&zone=Europe/Vienna"
)
SHORT_LESSON = "learned"
EXERCISE, SOLVED, QUIZ = "sinusoidal-table", "inv-freq", "alibi-quiz"
ASKED, PRACTISED = "alibi-where", "adds-or-multiplies"  # the first by that quiz
GRADING_MS = 60_000
# A visitor with nothing, one with work, an account in no class, one in a class, the one that
# teaches it, a superuser, and an account with a second factor.
NEWCOMER, READER, LEARNER, MEMBER, TEACHER = "newcomer", "reader", "learner", "member", "teacher"
OPERATOR, PROTECTED = "operator", "protected"

Look = Callable[[Page], object]


@dataclass(frozen=True)
class Kind:
    """A page: its address, whose it is, and what is done on it before it is looked at.

    `address` may have a number or a name of prepared work, as `{attempt}`; `status` is its answer.
    `busy`: one of the eight that are looked at in every way. `work`: what a reader has done before;
    others see no difference.
    """

    name: str
    address: str
    reader: str = NEWCOMER
    act: Look | None = None
    busy: bool = False
    work: tuple[str, ...] = ("lesson", "quiz", "attempt", "mistake", "solved")
    status: int = 200


def _open_search(page: Page) -> None:
    page.keyboard.press("/")
    page.keyboard.type("rotary")
    expect(page.locator("dialog[open] a").first).to_be_visible()


def _check(page: Page) -> None:
    """Check the starter, which fails; a page without a script goes to the check's own page."""
    tab = page.get_by_role("tab", name="Code")
    if tab.is_visible():
        tab.click()
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator("[data-verdict]").first).to_be_visible(timeout=GRADING_MS)


def _run(page: Page) -> None:
    """Run the starter with a call for some rows; without a script it has its own page."""
    tab = page.get_by_role("tab", name="Code")
    if tab.is_visible():
        tab.click()
    page.get_by_label("Call", exact=True).fill("sinusoidal_table(n=12, d=6)")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator("[data-verdict=run]").first).to_be_visible(timeout=GRADING_MS)


def _see_run(page: Page) -> None:
    """Run the starter as a form without a script does: the Run has a page of its own."""
    page.get_by_label("Call", exact=True).evaluate("field => { field.value = 'sum(range(5))' }")
    with page.expect_navigation():
        page.locator("#code-form button[value=run]").evaluate(
            """button => {
              const kind = document.createElement("input");
              Object.assign(kind, {type: "hidden", name: "kind", value: "run"});
              button.form.append(kind);
              button.form.submit();
            }"""
        )
    expect(page.get_by_role("heading", level=1)).to_have_text("Run")
    expect(page.locator("[data-verdict=run]").first).to_be_visible(timeout=GRADING_MS)


def _check_in_step(page: Page) -> None:
    """Open the exercise of a step in its place, and check the starter; without a script, there."""
    _open_screens(page)
    page.get_by_role("link", name="Write the code").click()
    expect(page.locator("#bench")).to_be_visible()
    _check(page)


def _look_inside(page: Page) -> None:
    """X-ray the starter; a page without a script goes to a page of its own."""
    tab = page.get_by_role("tab", name="Code")
    if tab.is_visible():
        tab.click()
    page.get_by_role("button", name="X-ray", exact=True).click()
    expect(page.locator("[data-verdict=xray]").first).to_be_visible(timeout=GRADING_MS)


def _try_call(page: Page) -> None:
    """Try the call that stands there on the wrong program."""
    page.get_by_role("button", name="Try it", exact=True).click()
    expect(page.locator("#counterexample-result p").first).to_be_visible(timeout=GRADING_MS)


def _see_figure(page: Page) -> None:
    """Run the code that stands there for the figure; without a script it has a page."""
    if not page.locator(".cm-editor").count():
        return
    page.get_by_role("button", name="See it on the figure").click()
    words = page.locator("#code-figure-words")
    expect(words).to_contain_text("positions = 24", timeout=GRADING_MS)


def _run_listing(page: Page) -> None:
    """Change a listing and run it; without a script it is as printed."""
    _open_screens(page)
    edit = page.get_by_role("button", name="Edit", exact=True).first
    if edit.is_visible():
        edit.click()
        page.locator(".listing__field").first.fill("print('at distance  100: 0.4', 1)")
        page.get_by_role("button", name="Run", exact=True).first.click()
        expect(page.locator(".listing__lines").first).to_be_visible(timeout=GRADING_MS)


def _read_config(page: Page) -> None:
    """Paste a config.json whose layers differ, and have it read."""
    config = {
        "model_type": "smollm3",
        "num_hidden_layers": 8,
        "hidden_size": 512,
        "num_attention_heads": 4,
        "max_position_embeddings": 65_536,
        "rope_theta": 5_000_000,
        "no_rope_layer_interval": 4,
    }
    page.get_by_label("Paste a config.json").fill(json.dumps(config))
    page.get_by_role("button", name="Read it").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("no position")


def _run_in_lab(page: Page) -> None:
    """Run the program that stands there; it has a page of its own."""
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator("#figure-heatmap")).to_be_visible(timeout=GRADING_MS)


def _share(page: Page) -> None:
    """Run the program that stands there, and share its numbers."""
    _run_in_lab(page)
    page.get_by_label("Name", exact=True).fill("Sines and cosines")
    page.get_by_role("button", name="Share the numbers").click()
    expect(page.get_by_role("button", name="Stop sharing")).to_be_visible()


def _check_slip(page: Page) -> None:
    page.get_by_role("button", name="Check it").click()
    expect(page.locator("[data-verdict]").first).to_be_visible(timeout=GRADING_MS)


def _open_screens(page: Page) -> None:
    """Open every screen of a step."""
    page.evaluate("location.hash = document.querySelectorAll('[data-screens] > *').length")


def _refuse_sign_up(page: Page) -> None:
    page.get_by_label("User name").fill("a b")
    page.get_by_label("Password").first.fill("12345678")
    page.get_by_role("button", name="Sign up").click()
    expect(page.locator("[aria-invalid=true]").first).to_be_visible()


KINDS = (
    Kind("start page", "/", busy=True),
    Kind("start page, answered", "/?notices=yes"),
    Kind("start page, its program checked", "/", act=_check_slip),
    Kind("start page of a reader", "/", READER),
    Kind("courses", "/courses/"),
    Kind("another course", "/c/attention-from-scratch/"),
    Kind("lessons", f"{COURSE}/learn/", busy=True),
    Kind("lesson finished", f"{COURSE}/learn/?finished={SHORT_LESSON}", READER, work=("lesson",)),
    Kind("first step", f"{COURSE}/learn/why-order/shuffled-sentence/"),
    Kind(
        "step with figures",
        f"{COURSE}/learn/sinusoidal-values/seeing-it/",
        act=_open_screens,
        busy=True,
    ),
    Kind(
        "step with formulas", f"{COURSE}/learn/relative-shift/after-projections/", act=_open_screens
    ),
    Kind("step with an exercise", f"{COURSE}/learn/sinusoidal-values/code-it/", act=_open_screens),
    Kind("deeper step", f"{COURSE}/learn/why-order/equivariance/", act=_open_screens),
    Kind("notation", f"{COURSE}/learn/reference/notation/"),
    Kind("card", f"{COURSE}/deep-dive/3/"),
    Kind("explorer", "/explore/"),
    Kind("models", f"{COURSE}/models/"),
    Kind("models, compared", f"{COURSE}/models/pictures/?of=smollm3-3b&of=phi-2"),
    Kind("models, a config read", f"{COURSE}/models/", act=_read_config),
    Kind("explorer, compared", "/explore/?enc=nope/compare&enc=rope/scores", busy=True),
    Kind("lab", "/lab/"),
    Kind("lab, run", "/lab/", READER, act=_run_in_lab),
    Kind("lab, numbers shared", "/lab/", LEARNER, act=_share),
    Kind("lab, numbers no longer shared", "/lab/shared/gone/", status=404),
    Kind("values of a figure", "/figures/sinusoidal/heatmap.html"),
    Kind("quizzes", f"{COURSE}/quiz/"),
    Kind("quiz", f"{COURSE}/quiz/{QUIZ}/", READER),
    Kind(
        "attempt",
        f"{COURSE}/quiz/{QUIZ}/attempt/{{attempt}}/",
        READER,
        busy=True,
        work=("attempt",),
    ),
    Kind("quiz review", f"{COURSE}/quiz/{QUIZ}/attempt/{{submitted}}/review/", READER),
    Kind("exercises", CODE, READER),
    Kind("exercise", f"{CODE}{EXERCISE}/", act=_check, busy=True),
    Kind("exercise, run", f"{CODE}{EXERCISE}/", act=_run),
    Kind("page of a Run", f"{CODE}{EXERCISE}/", act=_see_run),
    Kind(
        "step with an exercise, checked",
        f"{COURSE}/learn/rope/code-it/",
        act=_check_in_step,
    ),
    Kind("exercise with its figure", f"{CODE}{EXERCISE}/", READER, act=_see_figure),
    Kind("exercise, X-ray", f"{CODE}{EXERCISE}/", act=_look_inside),
    Kind("step with a listing, run", f"{COURSE}/learn/alibi/reach/", act=_run_listing),
    Kind("exercise with history", f"{CODE}{EXERCISE}/", READER),
    Kind("submission with a mistake", f"{CODE}{EXERCISE}/submissions/{{mistake}}/", READER),
    Kind("submission solved", f"{CODE}{SOLVED}/submissions/{{solved}}/", READER, work=("solved",)),
    Kind(
        "counterexample",
        f"{CODE}{SOLVED}/counterexample/",
        READER,
        act=_try_call,
        work=("solved",),
    ),
    Kind("right solution", f"{CODE}{SOLVED}/solution/", READER),
    Kind("map", f"{COURSE}/map/", busy=True),
    Kind("map, a concept open", f"{COURSE}/map/?focus=rope", READER),
    Kind("map as an outline", f"{COURSE}/map/outline/"),
    Kind("progress", f"{COURSE}/progress/", READER, busy=True),
    Kind("review", "/review/", READER),
    Kind("practice", f"{COURSE}/practice/{PRACTISED}/", READER),
    Kind("answer in practice", "/review/answers/{answer}/", READER, work=("answer",)),
    Kind("my data", "/me/data/", READER),
    Kind("search", f"{COURSE}/search/?q=rotary"),
    Kind("search dialog", "/", act=_open_search),
    Kind("accessibility", "/accessibility/"),
    Kind("sign in", "/accounts/login/"),
    Kind("sign up, refused", "/accounts/signup/", act=_refuse_sign_up),
    Kind("password reset", "/accounts/password/reset/"),
    Kind("password reset, sent", "/accounts/password/reset/done/"),
    Kind("password reset, a dead link", "/accounts/password/reset/key/1-gone/"),
    Kind("password reset, changed", "/accounts/password/reset/key/done/"),
    Kind("address confirmed, a dead link", "/accounts/confirm-email/gone/"),
    Kind("address to confirm", "/accounts/confirm-email/", MEMBER),
    Kind("account disabled", "/accounts/inactive/"),
    Kind("e-mail addresses", "/accounts/email/", MEMBER),
    Kind("password", "/accounts/password/change/", MEMBER),
    Kind("sessions", "/accounts/sessions/", MEMBER),
    Kind("ways to sign in", "/accounts/providers/", MEMBER),
    Kind("sign out", "/accounts/logout/", MEMBER),
    Kind("confirm with the password", "/accounts/reauthenticate/", MEMBER),
    Kind("second factor", "/accounts/2fa/", MEMBER),
    Kind("second factor to set up", "/accounts/2fa/totp/activate/", OPERATOR),
    Kind("second factor set up", "/accounts/2fa/", PROTECTED),
    Kind("second factor to remove", "/accounts/2fa/totp/deactivate/", PROTECTED),
    Kind("recovery codes", "/accounts/2fa/recovery-codes/", PROTECTED),
    Kind("new recovery codes", "/accounts/2fa/recovery-codes/generate/", PROTECTED),
    Kind("confirm with a code", "/accounts/2fa/reauthenticate/", PROTECTED),
    Kind("join by code", "/join/"),
    Kind("join a class", "/join/{code}/"),
    Kind("invitation, a dead link", "/invited/gone/", status=404),
    Kind("classes, none", "/class/", LEARNER),
    Kind("classes", "/class/", TEACHER),
    Kind("class of a learner", "/class/{class}/", MEMBER),
    Kind("messages", "/messages/", MEMBER),
    Kind("no such page", "/no/such/page/", status=404),
    Kind("no access", "/teach/", MEMBER, status=403),
    Kind("teach: overview", "/teach/", TEACHER),
    Kind("teach: course", f"{TEACH}/", TEACHER),
    Kind("teach: class", f"{TEACH}/class/", TEACHER),
    Kind("teach: copy a course", f"{TEACH}/copy/", TEACHER),
    Kind("teach: new course", "/teach/new-course/", TEACHER),
    Kind("teach: upload a course", "/teach/new-course/upload/", TEACHER),
    Kind("teach: contents", f"{TEACH}/contents/", TEACHER),
    Kind("teach: works", f"{TEACH}/contents/works/", TEACHER),
    Kind("teach: pictures", f"{TEACH}/contents/pictures/", TEACHER),
    Kind("teach: upload", f"{TEACH}/contents/upload/", TEACHER),
    Kind("teach: lessons", f"{TEACH}/lessons/", TEACHER),
    Kind("teach: lesson", f"{TEACH}/lessons/{SHORT_LESSON}/", TEACHER),
    Kind("teach: version of a lesson", f"{TEACH}/lessons/{SHORT_LESSON}/versions/1/", TEACHER),
    Kind("teach: preview of a lesson", f"{TEACH}/lessons/{SHORT_LESSON}/preview/", TEACHER),
    Kind("teach: questions", f"{TEACH}/questions/", TEACHER),
    Kind("teach: question", f"{TEACH}/questions/which-paper/", TEACHER),
    Kind("teach: version of a question", f"{TEACH}/questions/{ASKED}/versions/1/", TEACHER),
    Kind("teach: quizzes", f"{TEACH}/quizzes/", TEACHER),
    Kind("teach: quiz", f"{TEACH}/quizzes/test-your-understanding/", TEACHER),
    Kind("teach: version of a quiz", f"{TEACH}/quizzes/{QUIZ}/versions/1/", TEACHER),
    Kind("teach: preview of a quiz", f"{TEACH}/quizzes/{QUIZ}/preview/", TEACHER),
    Kind("teach: plots", f"{TEACH}/plots/", TEACHER),
    Kind("teach: exercises", f"{TEACH}/exercises/", TEACHER),
    Kind("teach: exercise", f"{TEACH}/exercises/{EXERCISE}/", TEACHER),
    Kind("teach: write an exercise", f"{TEACH}/exercises/{EXERCISE}/write/", TEACHER),
    Kind("teach: version of an exercise", f"{TEACH}/exercises/{EXERCISE}/versions/1/", TEACHER),
    Kind("teach: preview of an exercise", f"{TEACH}/exercises/{EXERCISE}/preview/", TEACHER),
    Kind(
        "teach: regrade answers",
        f"{TEACH}/questions/{ASKED}/regrade/?version=1&rule=drop",
        TEACHER,
    ),
    Kind("teach: regrade submissions", f"{TEACH}/exercises/{EXERCISE}/regrade/", TEACHER),
    Kind("teach: course, its people", f"{TEACH}/people/", OPERATOR),
    Kind("teach: course, its log", f"{TEACH}/log/", OPERATOR),
    Kind("teach: accounts", "/teach/people/", OPERATOR),
    Kind("teach: log of the site", "/teach/log/", OPERATOR),
    Kind("teach: sign-on", "/teach/sign-on/", OPERATOR),
    Kind("teach: classes", "/teach/classes/", TEACHER),
    Kind("teach: next term", f"/teach/next-term/?model={{class}}&{SPRING}", TEACHER),
    Kind("class: this week", f"{CLASS}/", TEACHER),
    Kind("class: not a mistake", f"{CLASS}/week/right/?{{not_a_mistake}}", TEACHER),
    Kind("class: people", f"{CLASS}/people/", TEACHER),
    Kind("class: person", f"{CLASS}/people/{{person}}/", TEACHER),
    Kind("class: roster", f"{CLASS}/roster/", TEACHER),
    Kind("class: mailed links", f"{CLASS}/links/", TEACHER),
    Kind("class: announcements", f"{CLASS}/announcements/", TEACHER),
    Kind("class: settings", f"{CLASS}/settings/", TEACHER),
    Kind("class: log", f"{CLASS}/log/", TEACHER),
    Kind("class: assignments", f"{CLASS}/assignments/", TEACHER),
    Kind("class: new assignment", f"{CLASS}/assignments/new/?quiz={QUIZ}", TEACHER),
    Kind("class: assignment", f"{CLASS}/assignments/{{assignment}}/", TEACHER),
    Kind("class: exceptions", f"{CLASS}/assignments/{{assignment}}/exceptions/", TEACHER),
    Kind("class: extra time", f"{CLASS}/extra-time/", TEACHER),
    Kind("class: marks", f"{CLASS}/marks/", TEACHER),
    Kind("class: mark", f"{CLASS}/marks/{{assignment}}/{{person}}/", TEACHER),
    Kind("class: files of marks", f"{CLASS}/exports/", TEACHER),
    Kind("class: results", f"{CLASS}/results/?{{results}}", TEACHER),
    Kind("class: answers to a question", f"{CLASS}/results/{{question}}/answers/", TEACHER),
    Kind("class: attempts", f"{CLASS}/attempts/", TEACHER),
    Kind("class: attempt", f"{CLASS}/attempts/{{sat}}/", TEACHER),
    Kind("class: submissions", f"{CLASS}/submissions/", TEACHER),
    Kind("class: submission", f"{CLASS}/submissions/{{sent}}/", TEACHER),
)

"""Writing questions in the browser: who may, drafts, what is missing, publishing, the list."""

import pytest

from quizzes.assessment.models import Question, QuestionVersion
from tests.drafts import content_of_draft, question_drafts
from tests.teaching.forms import address, form, teach

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]


def test_visitor_finds_typed_text_again(client, quiz):
    answer = client.post(address(), form())
    assert answer.status_code == 403  # a redirect would lose it
    assert "Count on your fingers." in answer.content.decode()


def test_a_question_from_nothing_to_published(ada, client):
    made = ada.post(teach("questions/"), {"slug": "two-and-two"})
    assert made.url == address("two-and-two")
    empty = ada.get(made.url).content.decode()
    assert "Fix this before publishing" in empty
    ada.post(made.url, form("two-and-two", keep_last="on"), follow=True)
    question = Question.objects.get(slug="two-and-two")
    assert question.current.keep_last
    assert question.current.number == 1
    assert [(one.text, one.is_key) for one in question.current.options.all()] == [
        ("five", False),
        ("four", True),
    ]
    assert question.current.tags == ["sums", "easy"]
    assert not question_drafts().exists()
    assert question.loaded_hash == ""


@pytest.mark.covering(most=6)
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"prompt": " "}, "Question</a>: must not be empty"),
        ({"key": ""}, "Options</a>: mark the right one"),
        ({"key": "7"}, "Options</a>: mark the right one"),
        ({"reason-1": ""}, "Option 1, reason</a>: must not be empty"),
        ({"text-2": ""}, "Option 2, answer</a>: must not be empty"),
        ({"text-1": "Four"}, "appears here twice"),
        ({"text-1": "", "reason-1": "", "key": "2"}, "must be between 2 and 8"),
        (
            {"prompt": "Is it <b>two</b>?"},
            "Question</a>: “&lt;b&gt;”: HTML shows as typed; write **",
        ),
        ({"text-1": "==five=="}, "Option 1, answer</a>: “==five==”: highlighting"),
        ({"text-1": "# five"}, "Option 1, answer</a>: “# five”: a heading"),
        ({"reason-1": "So[^1]."}, "Option 1, reason</a>: “[^1]”: a footnote"),
        ({"prompt": "Is \\(x of it?"}, "Question</a>: “\\(x of it?”: a formula without its end"),
        ({"step": ""}, "Step</a>: must not be empty"),
        ({"step": "sums/gone"}, "Step</a>: there is no step sums/gone"),
        ({"prompt": r"$\frac{1$"}, "frac"),
        ({"text-1": "x" * 401}, "401 characters"),
        ({"prompt": "x" * 4001}, "4001 characters"),
    ],
)
def test_what_is_missing_is_named_and_the_draft_is_kept(ada, quiz, change, words):
    before = Question.objects.get(slug="one").current
    page = ada.post(address(), form(**change), follow=True).content.decode()
    assert "Saved, not published" in page
    assert words in page
    assert Question.objects.get(slug="one").current == before
    assert question_drafts().get().slug == "one"


def test_learners_are_asked_the_published_version_until_then(ada, quiz):
    before = Question.objects.get(slug="one").current
    page = ada.post(address(), form(do="save"), follow=True).content.decode()
    assert "Saved as a draft" in page
    assert Question.objects.get(slug="one").current == before
    ada.post(address(), form(do="discard"))
    assert not question_drafts().exists()


def test_the_preview_saves_nothing_and_shows_nothing_hostile(ada, quiz):
    data = form(prompt="<script>alert(1)</script>", **{"text-1": "<img src=x onerror=alert(1)>"})
    page = ada.post(address(name="question-preview"), data).content.decode()
    assert "<script>alert" not in page
    assert "<img" not in page
    assert "Count on your fingers." in page
    assert not question_drafts().exists()


def test_a_duplicate_is_a_draft_of_its_own(ada, quiz):
    assert ada.post(address(name="question-duplicate"), {"slug": "copy"}).url == address("copy")
    assert content_of_draft()["prompt"] == "What is $1 + 1$?"
    taken = ada.post(address(name="question-duplicate"), {"slug": "two"})
    assert taken.status_code == 400
    assert "there is already a question two" in taken.content.decode()
    assert ada.post(address(name="question-duplicate"), {"slug": "No!"}).status_code == 400


@pytest.mark.both_databases
@pytest.mark.covering(most=2)
@pytest.mark.parametrize(
    ("words", "found"),
    [("two-and", 1), ("fingers", 0), ("SUMS", 3), ("$1 none", 3), ("$1 two-and", 0)],
)
def test_the_search_looks_into_names_texts_and_steps(ada, quiz, words, found):
    ada.post(teach("questions/"), {"slug": "two-and-two"})
    page = ada.get(teach("questions/"), {"q": words})
    assert len(page.context["page"]) == found


@pytest.mark.both_databases
def test_the_list_shows_a_prompt_as_learners_read_it(ada, quiz):
    QuestionVersion.objects.filter(question__slug="one").update(
        prompt="Is $\\omega_2$ *all* of [`a < b`](/x/), "
        '{{ value alibi_slope(n_heads=12, head=1, rule="geometric") :.2f }}?\n\nMore.'
    )
    listed = ada.get(teach("questions/")).content.decode()
    assert '<em>all</em> of <code class="code--short">a &lt; b</code>, 0.63?' in listed
    assert "<msub>" in listed
    for source in ("omega_2", "{{ value", "*all*", 'href="/x/"', "More."):
        assert source not in listed


def test_no_null_reaches_the_database(ada, quiz):
    before = Question.objects.get(slug="one").current.prompt
    refused = ada.post(address(), form(prompt="What\0?", tags="a\0b"))
    assert refused.status_code == 400
    assert Question.objects.get(slug="one").current.prompt == before
    assert not question_drafts().exists()


@pytest.mark.both_databases
def test_the_list_is_filtered_by_tag(ada, quiz):
    ada.post(address(), form(tags="sums, easy"))
    page = ada.get(teach("questions/"), {"tag": "easy"})
    assert [one.slug for one in page.context["page"]] == ["one"]
    assert page.context["tags"] == ["easy", "sums"]
    assert not ada.get(teach("questions/"), {"tag": "eas"}).context["page"]


@pytest.mark.both_databases
@pytest.mark.parametrize("tag", ["ÄLiBi", "äLIBI"])
def test_the_case_of_a_tags_letters_does_not_filter(ada, quiz, tag):
    for name, tags in (("one", ["älibi"]), ("two", ["ÄLiBi", "sums"])):
        QuestionVersion.objects.filter(question__slug=name).update(tags=tags)
    page = ada.get(teach("questions/"), {"tag": tag})
    assert [one.slug for one in page.context["page"]] == ["one", "two"]
    assert page.context["tags"] == ["sums", "ÄLiBi"]
    assert "<option selected>ÄLiBi</option>" in page.content.decode()


def test_saving_what_is_published_makes_no_draft(ada, quiz):
    ada.post(address(), form())
    page = ada.post(address(), form(do="save"), follow=True).content.decode()
    assert "Nothing was changed." in page
    assert not question_drafts().exists()


def test_no_break_spaces_of_options_stay(ada, quiz):
    ada.post(address(), form(**{"text-1": "10\u202f000  tokens\u00a0or more"}))
    options = Question.objects.get(slug="one").current.options.all()
    assert options[0].text == "10\u202f000 tokens\u00a0or more"

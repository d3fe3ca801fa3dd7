"""The page of a submission within its list: before, after, and comments on a line of the code."""

import random
import re
from datetime import timedelta
from html import unescape

import pytest
from django.utils import timezone

from quizzes.classes.access import submissions_seen
from quizzes.classes.models import Comment, Membership
from quizzes.exercises.models import Submission
from quizzes.pages.markdown import LineLinks, count_lines, highlight_code
from tests.classes.pages import count_queries, teach_class
from tests.exercises.making import ready_exercise
from tests.factories import (
    assign,
    browser_of,
    create_class,
    create_exercise,
    create_member,
    create_submission,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]
CODE = "import numpy as np\n\n\ndef f(x):\n    return x < 1 & 2\n"


def hand_in(cohort, exercise, member, verdict="wrong", code=CODE, **facts):
    work = cohort.assignments.filter(exercise=exercise).first() or assign(cohort, exercise)
    made = create_submission(work, member, verdict, timezone.now() - timedelta(minutes=9))
    Submission.objects.filter(pk=made.pk).update(code=code, **facts)
    return made


def another_exercise(course):
    return create_exercise()


def links(browser, address):
    """Return where the page of a submission leads: to the one before, the list, and the next."""
    page = browser.get(address)
    assert page.status_code == 200
    html = page.content.decode()
    navs = re.findall(r'<nav class="cluster teach-neighbours".*?</nav>', html, re.DOTALL)
    assert len(navs) == 2
    assert re.sub("aria-label=.*?>", "", navs[0]) == re.sub("aria-label=.*?>", "", navs[1])
    found = dict(re.findall(r'rel="(prev|next)" href="([^"]+)"', navs[0]))
    listed = re.search(r'href="([^"]+/submissions/(?:\?[^"]*)?)"', navs[0])
    return (
        unescape(found.get("prev", "")),
        unescape(listed[1]),
        unescape(found.get("next", "")),
    )


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.soak)])
def test_next_and_previous_walk_the_list_and_end(cohort, teacher, seed):
    """Every submission of every filtered list, from both ends, and nothing of another list."""
    draw = random.Random(seed)
    exercises = [ready_exercise(), another_exercise(cohort.course)]
    people = [create_member(cohort, name) for name in ("ada", "bob", "cy")]
    create_member(create_class("spring", course=cohort.course), "eve")
    for _ in range(9):
        mistake = draw.choice(["", "swap"])
        verdict = "known_mistake" if mistake else draw.choice(["wrong", "correct", ""])
        hand_in(cohort, draw.choice(exercises), draw.choice(people), verdict, known_mistake=mistake)
    Submission.objects.filter(pk=Submission.objects.first().pk).update(kind="check")
    filters = ["", f"?exercise={exercises[0].slug}", "?verdict=wrong", "?verdict=waiting"]
    filters += [f"?member={people[1].pk}", f"?exercise={exercises[0].slug}&mistake=swap"]
    filters += [f"?exercise={exercises[1].slug}&verdict=correct&member={people[0].pk}"]
    for query in filters:
        listed = teach_class(f"submissions/{query}")
        rows = [row.work.pk for row in teacher.get(listed).context["rows"]]
        pages = [teach_class(f"submissions/{pk}/{query}") for pk in rows]
        for place, page in enumerate(pages):
            before = pages[place - 1] if place else ""
            after = pages[place + 1] if place + 1 < len(pages) else ""
            assert links(teacher, page) == (before, listed, after), page
        shown = teacher.get(listed).content.decode()
        assert all(f'href="{page}"'.replace("&", "&amp;") in shown for page in pages)


def test_a_submission_that_left_the_list_leads_on(cohort, teacher):
    exercise, ada = ready_exercise(), create_member(cohort, "ada")
    first, second, third = (hand_in(cohort, exercise, ada) for _ in range(3))
    Submission.objects.filter(pk=second.pk).update(verdict="correct")
    query = "?verdict=wrong"
    assert links(teacher, teach_class(f"submissions/{second.pk}/{query}")) == (
        teach_class(f"submissions/{third.pk}/{query}"),
        teach_class(f"submissions/{query}"),
        teach_class(f"submissions/{first.pk}/{query}"),
    )


def test_no_page_leads_out_of_the_class(cohort, teacher):
    """Neighbours are what the class sees: not of removed members, nor of another class."""
    exercise = ready_exercise()
    ada, gone = create_member(cohort, "ada"), create_member(cohort, "gone")
    eve = create_member(other := create_class("spring", course=cohort.course), "eve")
    before = hand_in(cohort, exercise, gone)
    mine = hand_in(cohort, exercise, ada)
    hand_in(other, exercise, eve)
    Membership.objects.filter(pk=gone.pk).update(state="removed")
    page = teach_class(f"submissions/{mine.pk}/")
    assert links(teacher, page) == ("", teach_class("submissions/"), "")
    assert teacher.get(teach_class(f"submissions/{before.pk}/")).status_code == 404
    stranger = browser_of(create_member(other, "tom", role="instructor").user)
    assert stranger.get(page).status_code == 404
    assert stranger.get(f"{page}?line=1").status_code == 404
    # A member of another class, named in the address, filters nothing and is not named.
    named = teacher.get(f"{page}?member={eve.pk}").content.decode()
    assert "eve" not in named.casefold().split("<main")[1]
    assert submissions_seen(cohort).count() == 1


@pytest.mark.covering(most=2)
@pytest.mark.parametrize(
    "query", ["verdict=%00", "exercise=%27%22%3E", "member=99999", "line=%C2%B2"]
)
def test_an_odd_address_shows_the_submission(cohort, teacher, query):
    made = hand_in(cohort, ready_exercise(), create_member(cohort, "ada"))
    page = teacher.get(teach_class(f"submissions/{made.pk}/?{query}"))
    assert page.status_code == 200
    assert "'\">" not in page.content.decode()


@pytest.mark.both_databases
def test_a_longer_list_takes_no_more_queries(cohort, teacher):
    exercise, ada = ready_exercise(), create_member(cohort, "ada")
    made = [hand_in(cohort, exercise, ada) for _ in range(3)]
    page = teach_class(f"submissions/{made[1].pk}/?exercise={exercise.slug}&member={ada.pk}")
    few = count_queries(teacher, page)
    for name in ("bob", "cy"):
        other = create_member(cohort, name)
        for _ in range(4):
            hand_in(cohort, exercise, other)
    assert count_queries(teacher, page) == few


def test_each_number_of_a_line_leads_to_its_comment(cohort, teacher):
    made = hand_in(cohort, ready_exercise(), create_member(cohort, "ada"))
    address = teach_class(f"submissions/{made.pk}/?verdict=wrong")
    page = teacher.get(address).content.decode()
    found = re.findall(r'<a class="code__number" href="([^"]+)" aria-label="([^"]+)">', page)
    assert [words for _, words in found] == [f"Comment on line {n}" for n in range(1, 6)]
    for number, (href, _) in enumerate(found, start=1):
        path, _, fragment = unescape(href).partition("#")
        assert path == f"{address}&line={number}"
        opened = teacher.get(path).content.decode()
        assert f'id="{fragment}"' in opened
        assert re.search(rf'<input[^>]*name="line"[^>]*value="{number}"', opened)
        lines = re.findall(r'class="code__number"[^>]*aria-current', opened)
        assert len(lines) == 1
        assert re.search(rf'aria-current="true">{number}</a>', opened)


def test_a_comment_leads_back_into_the_list(cohort, teacher):
    made = hand_in(cohort, ready_exercise(), create_member(cohort, "ada"))
    here = teach_class(f"submissions/{made.pk}/?verdict=wrong")
    page = teacher.get(here).content.decode()
    action = re.search(r'id="write" method="post" action="([^"]+)"', page)
    sent = teacher.post(unescape(action[1]), {"line": 5, "text": "Why `&`?"})
    assert sent.url == here
    page = teacher.get(here).content.decode()
    assert 'on <a href="#line-5">line 5</a>' in page
    assert 'id="line-5"' in page
    refused = teacher.post(unescape(action[1]), {"line": 6, "text": "Why?"})
    assert refused.status_code == 400
    assert "line 6: the code has 5 lines" in refused.content.decode()
    assert refused.context["list"].verdict == "wrong"
    back = re.search(r'name="back" value="([^"]+)"', page)
    note = Comment.objects.get()
    gone = teacher.post(teach_class(f"comments/{note.pk}/withdraw/"), {"back": unescape(back[1])})
    assert gone.url == here


def test_pages_of_learners_have_no_links_on_lines(cohort):
    ada = create_member(cohort, "ada")
    made = hand_in(cohort, ready_exercise(), ada)
    page = browser_of(ada.user).get(made.get_absolute_url()).content.decode()
    assert "code__line" in page
    assert "code__number" not in page


@pytest.mark.parametrize(
    "code",
    [
        "x = 1",
        "\n\n",
        "",
        'a = """<b>\n&"""\n',
        "x = 1\r\ny = 2",
        "x = 1\ry",
        "a\x0cb\u2028c\x85d\ne",  # other ends of lines are none in Python
    ],
)
def test_links_change_no_line_of_the_code(code):
    shown = highlight_code(code, "python", numbered=True)
    links = LineLinks("?a=1&line=", "#w", "On")
    linked = highlight_code(code, "python", numbered=True, links=links)
    without = re.sub(r' id="line-\d+"|<a class="code__number".*?</a>', "", linked)
    assert without == shown
    assert shown.count('class="code__line"') == count_lines(code)
    link = r'id="line-(\d+)"><a class="code__number" href="\?a=1&amp;line=(\d+)#w"'
    numbers = range(1, count_lines(code) + 1)
    assert re.findall(link, linked) == [(str(n), str(n)) for n in numbers]

"""Search: what people type is found, what is withdrawn is not, and no answer is ever told."""

from pathlib import Path

import pytest
from django.utils import timezone

from quizzes.assessment.models import Option, Quiz
from quizzes.courses.models import Course
from quizzes.exercises.models import Exercise
from quizzes.lessons.models import Lesson
from quizzes.study.search_index import search_index
from tests.courses import at, some_course

pytestmark = pytest.mark.both_databases(postgresql="soak")
TERMS = Path(__file__).with_name("search_terms.txt")
WANTED = [
    [part.strip() for part in line.split("|")]
    for line in TERMS.read_text().splitlines()
    if line and not line.startswith("#")
]


def addresses(query: str) -> list[str]:
    return [hit.address for hit in search_index(Course.objects.first()).hits(query)]


def test_the_list_has_sixty_terms():
    assert len({term for term, _ in WANTED}) >= 60


def test_every_listed_term_is_found_in_the_first_three_hits(course):
    lost = {term: addresses(term)[:4] for term, want in WANTED if not _among(term, want)}
    assert not lost


def _among(term: str, want: str) -> bool:
    return any(want in address for address in addresses(term)[:3])


@pytest.mark.parametrize(
    "query", ["ro\u200btary", "\ufeffrotary\u200f", "ｒｏｔａｒｙ", "ro\u00adtary"]
)
def test_a_pasted_query_finds_what_a_typed_one_does(course, query):
    assert addresses(query) == addresses("rotary") != []
    (index,) = [search_index(Course.objects.first())]
    assert index.nearest("sinus\u200bodial") == "sinusoidal"


HIT = 'class="search__hit"'


@pytest.mark.parametrize(
    ("query", "words", "unsaid"),
    [
        ("rotary", f'{HIT} href="/c/positional-encodings/exercises/rotary/"', "No results"),
        ("sinusodial", "No results for “sinusodial”", HIT),
        ("sinusodial", '<a href="?q=sinusoidal">sinusoidal</a>', HIT),
        ("<b>x</b>", "&lt;b&gt;x", "<b>x"),
    ],
)
def test_page_lists_hits_or_the_nearest_word(client, course, query, words, unsaid):
    html = client.get(at("/search/"), {"q": query}).content.decode()
    assert words in html
    assert unsaid not in html


def test_a_course_without_anything_finds_nothing(client, db):
    some_course()
    assert client.get(at("/search/?q=anything")).status_code == 200
    assert client.get(at("/search/")).status_code == 200


@pytest.mark.both_databases
def test_what_is_withdrawn_or_not_published_is_not_found(course):
    before = addresses("rope")
    lesson = Lesson.objects.get(slug="rope")
    quiz = Quiz.objects.get(slug="rope-quiz")
    exercise = Exercise.objects.get(slug="rope-angles")
    things = [lesson, quiz, exercise]
    assert all(
        any(address.startswith(one.get_absolute_url()) for address in before) for one in things
    )
    Lesson.objects.filter(pk=lesson.pk).update(withdrawn_at=timezone.now())
    Exercise.objects.filter(pk=exercise.pk).update(withdrawn_at=timezone.now())
    Quiz.objects.filter(pk=quiz.pk).update(is_published=False)
    after = addresses("rope")
    assert after
    for one in things:
        assert not [address for address in after if address.startswith(one.get_absolute_url())]


def test_one_course_finds_nothing_of_another(course):
    other = some_course("another-course")
    found = [hit.kind for hit in search_index(other).hits("rope")]
    assert set(found) <= {"encoding", "view"}


def test_no_option_or_reason_is_in_the_index(course):
    index = search_index(Course.objects.first())
    quizzes = [part for part in index.parts if part.kind == "quiz"]
    words = set().union(*(part.text_words for part in quizzes))
    said = [option.reason for option in Option.objects.filter(is_key=True)[:50]]
    assert len(words) < 400
    assert not [one for one in said if one in " ".join(part.text for part in quizzes)]


@pytest.mark.both_databases
def test_the_index_is_made_once_for_a_version(course, django_assert_num_queries):
    first = search_index(Course.objects.first())
    course = Course.objects.first()
    with django_assert_num_queries(1):
        assert search_index(course) is first
    Quiz.objects.filter(slug="rope-quiz").update(title="Other")
    assert search_index(course) is not first

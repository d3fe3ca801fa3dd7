"""What is kept of rows is never older than they are, whoever changed them."""

import threading

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from quizzes.courses.models import Course
from quizzes.kept_rows import Kept, KeptQuery, Same

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def titles(slug):
    return Course.objects.filter(slug=slug).values_list("title", "sources")


def kept_title():
    return Kept(lambda slug: Course.objects.get(slug=slug), titles, values=(str,))


@pytest.fixture
def courses():
    for place, slug in enumerate(("first", "second")):
        Course.objects.create(slug=slug, title=slug, summary="x", place=place, sources={"a": slug})


def test_a_query_gives_the_rows_of_its_values(courses):
    query = KeptQuery(titles, values=(str,))
    for _ in range(2):
        assert query.rows("first") == (("first", '{"a": "first"}'),)
        assert query.rows("second")[0][0] == "second"
        assert query.rows("' OR 1=1 --") == ()


def test_numbers_and_texts_find_their_places(courses):
    def both(slug, key):
        return Course.objects.filter(pk=key, slug=slug).values_list("pk")

    query = KeptQuery(both, values=(str, int))
    first = Course.objects.get(slug="first").pk
    assert query.rows("first", first) == ((first,),)
    assert query.rows("second", first) == ()


def test_a_wrong_number_of_values_is_refused(courses):
    with pytest.raises(TypeError, match="2 values"):
        KeptQuery(titles, values=(str,)).rows("first", "second")


def test_a_value_that_is_no_parameter_is_refused(courses):
    with pytest.raises(ValueError, match="not among its parameters"):
        KeptQuery(lambda key: Course.objects.values_list("pk")).rows(1)


def test_it_is_made_once_while_no_row_changes(courses):
    kept = kept_title()
    first = kept("first")
    assert kept("second").title == "second"
    with CaptureQueriesContext(connection) as queries:
        assert kept("first") is first
    assert len(queries) == 1


@pytest.mark.parametrize("change", ["save", "update", "sql", "json"])
def test_a_change_is_seen_at_once(courses, change):
    kept = kept_title()
    kept("first")
    row = Course.objects.get(slug="first")
    if change == "save":
        row.title = "other"
        row.save()
    elif change == "update":
        Course.objects.filter(slug="first").update(title="other")
    elif change == "sql":
        with connection.cursor() as cursor:
            cursor.execute("UPDATE lessons_course SET title = 'other' WHERE slug = 'first'")
    else:
        Course.objects.filter(slug="first").update(sources={"a": "other"})
    found = kept("first")
    assert "other" in (found.title, found.sources["a"])


def test_what_was_rolled_back_is_forgotten(courses):
    kept = kept_title()
    with transaction.atomic():
        Course.objects.filter(slug="first").update(title="never")
        assert kept("first").title == "never"
        transaction.set_rollback(True)
    assert kept("first").title == "first"


def test_a_change_while_it_is_made_is_not_kept_under_the_older_rows(courses):
    def slow(slug):
        found = Course.objects.get(slug=slug)
        Course.objects.filter(slug=slug).update(title="later")
        return found.title

    kept = Kept(slow, titles, values=(str,))
    assert kept("first") == "first"
    assert kept("first") == "later"


def test_names_of_nothing_fill_no_memory(courses):
    kept = Kept(lambda slug: Course.objects.filter(slug=slug).first(), titles, values=(str,))
    for number in range(600):
        assert kept(f"none-{number}") is None
    assert kept._kept == {}


def test_threads_get_what_they_asked_for(courses, transactional_db):
    kept = kept_title()
    wrong = []

    def ask(slug):
        for _ in range(30):
            if kept(slug).title != slug:
                wrong.append(slug)
        connection.close()

    threads = [threading.Thread(target=ask, args=(slug,)) for slug in ("first", "second") * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_equal_models_are_not_the_same():
    one, other = Course(pk=1, title="one"), Course(pk=1, title="other")
    assert one == other
    assert Same(one) != Same(other)
    assert {Same(one): 1}[Same(one)] == 1

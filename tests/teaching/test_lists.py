"""Long lists: each row is on one page, whatever is added meanwhile, and nothing is counted."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from quizzes.courses.models import AuditEntry
from quizzes.teaching.lists import A_PAGE, NewestPage, newest_page

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]

ROWS = 2 * A_PAGE + 20
BY = ["pk", "at"]


def add(count: int, **facts: object) -> list[AuditEntry]:
    """Add entries, by threes of the same time."""
    now = timezone.now()
    return AuditEntry.objects.bulk_create(
        AuditEntry(
            by_number=1, act="looked", **{"at": now + timedelta(seconds=number // 3), **facts}
        )
        for number in range(count)
    )


def page(by: str, **address: str) -> NewestPage:
    with CaptureQueriesContext(connection) as asked:
        found = newest_page(RequestFactory().get("/", address), AuditEntry.objects.all(), by=by)
    said = " ".join(one["sql"] for one in asked).upper()
    assert "COUNT(" not in said
    assert "OFFSET" not in said
    return found


@pytest.mark.parametrize("by", BY)
def test_each_row_is_on_one_page_there_and_back(by):
    rows = [row.pk for row in reversed(add(ROWS))]
    pages = [page(by)]
    assert not pages[0].newer
    while pages[-1].older:
        pages.append(page(by, before=pages[-1].older))
        add(1, at=timezone.now() + timedelta(days=1))  # it moves no page
    assert [row.pk for one in pages for row in one] == rows
    assert [len(one.object_list) for one in pages] == [A_PAGE, A_PAGE, 20]
    back = page(by, after=pages[-1].newer)
    assert [row.pk for row in back] == rows[A_PAGE : 2 * A_PAGE]
    assert back.newer
    assert back.older
    first = page(by, after=str(rows[0]))
    assert len(first.object_list) == A_PAGE
    assert not first.newer


@pytest.mark.parametrize("by", BY)
@pytest.mark.parametrize("text", ["", "-1", "x", "٣", "9" * 18, "9" * 400, "1e3", "1\0"])
def test_an_address_that_names_no_row_shows_the_first_page_or_all_before_it(by, text):
    newest = [row.pk for row in reversed(add(A_PAGE + 1))][:A_PAGE]
    for name in ("before", "after"):
        assert [row.pk for row in page(by, **{name: text})] == newest


@pytest.mark.both_databases
@pytest.mark.parametrize("by", BY)
def test_a_list_of_one_page_and_an_empty_one_have_no_neighbours(by):
    for count in (0, A_PAGE):
        add(count)
        assert (page(by).newer, page(by).older) == ("", "")

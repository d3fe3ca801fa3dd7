"""Addresses of a class's pages, and how many queries a page takes."""

from django.db import connection
from django.test.utils import CaptureQueriesContext

from quizzes.classes.models import Cohort


def teach_class(path="", cohort="autumn"):
    """Return the address of a page about a class."""
    slug = cohort.slug if isinstance(cohort, Cohort) else cohort
    return f"/teach/classes/{slug}/{path}"


def count_queries(browser, page):
    """Return how many queries a page takes that was asked for before."""
    browser.get(page)
    with CaptureQueriesContext(connection) as captured:
        assert browser.get(page).status_code == 200
    return len(captured)

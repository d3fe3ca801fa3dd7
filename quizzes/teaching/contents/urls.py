"""Addresses of a course's contents, below `/teach/courses/<course>/`, and of a new course."""

from django.urls import URLPattern, path

from quizzes.teaching.contents import contents_views

IN_A_COURSE: list[URLPattern] = [
    path("contents/", contents_views.contents, name="contents"),
    path("contents/order/", contents_views.move, name="contents-order"),
    path("contents/download/", contents_views.download, name="contents-download"),
]

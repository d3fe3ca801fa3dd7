"""Addresses of a class's week, below `/teach/classes/<class>/`."""

from django.urls import URLPattern, path

from quizzes.teaching.naming import begin_views
from quizzes.teaching.week import week_views

IN_A_CLASS: list[URLPattern] = [
    path("", week_views.this_week, name="cohort"),
    path("week/deeds/", week_views.deed, name="class-deed"),
    path("week/deeds/<int:number>/undo/", week_views.undo, name="class-deed-undo"),
    path("week/name/", begin_views.begin, name="class-name-mistake"),
    path("week/right/", week_views.right, name="class-right"),
]

"""Addresses of the work of a class, below `/teach/classes/<class>/`."""

from django.urls import URLPattern, path

from quizzes.teaching.work import (
    assignment_views,
    exception_views,
    export_views,
    mark_views,
)

IN_A_CLASS: list[URLPattern] = [
    path("assignments/", assignment_views.assignments, name="class-assignments"),
    path("assignments/new/", assignment_views.new, name="class-assign"),
    path("assignments/<int:number>/", assignment_views.assignment, name="class-assignment"),
    path(
        "assignments/<int:number>/remove/",
        assignment_views.remove,
        name="class-assignment-remove",
    ),
    path(
        "assignments/<int:number>/class-only/",
        assignment_views.change_class_only,
        name="class-only",
    ),
    path(
        "assignments/<int:number>/exceptions/",
        exception_views.exceptions,
        name="class-exceptions",
    ),
    path("extra-time/", exception_views.extra_time, name="class-extra-time"),
    path("marks/", mark_views.table, name="class-marks"),
    path("marks/<int:number>/<int:member>/", mark_views.mark, name="class-mark"),
    path("exports/", export_views.exports, name="class-exports"),
    path("separator/", export_views.choose_separator, name="class-separator"),
    path("marks.csv", export_views.marks_csv, name="class-marks-csv"),
    path("responses.csv", export_views.responses_csv, name="class-responses-csv"),
    path("submissions.zip", export_views.submissions_zip, name="class-submissions-zip"),
]

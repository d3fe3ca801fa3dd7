"""Addresses of a course's contents, below `/teach/courses/<course>/`, and of a new course."""

from django.urls import URLPattern, path

from quizzes.teaching.contents import (
    contents_views,
    new_course_views,
    picture_views,
    upload_views,
    works_views,
)

IN_A_COURSE: list[URLPattern] = [
    path("contents/", contents_views.contents, name="contents"),
    path("contents/order/", contents_views.move, name="contents-order"),
    path("contents/works/", works_views.works, name="works"),
    path("contents/pictures/", picture_views.pictures, name="pictures"),
    path("contents/pictures/<slug:slug>/remove/", picture_views.remove, name="remove-picture"),
    path("contents/download/", contents_views.download, name="contents-download"),
    path("contents/upload/", upload_views.into_course, name="contents-upload"),
    path("contents/upload/apply/", upload_views.apply_to_course, name="contents-upload-apply"),
]
OF_THE_SITE: list[URLPattern] = [
    path("teach/new-course/", new_course_views.new_course, name="new-course"),
    path("teach/new-course/upload/", upload_views.as_new_course, name="upload-course"),
    path("teach/new-course/upload/apply/", upload_views.apply_as_new_course, name="apply-course"),
]

from typing import Any

from csp.constants import NONCE
from csp.decorators import csp_update
from django.urls import URLPattern, URLResolver, include, path, re_path

from quizzes.courses.views import in_home_course
from quizzes.teaching import (
    course_results,
    course_views,
    exercise_views,
    failure_views,
    overview,
    people_views,
    quiz_page,
    sign_on_views,
    staff_views,
    studio_views,
)
from quizzes.teaching.addresses import overview_address
from quizzes.teaching.contents import urls as contents_urls
from quizzes.teaching.naming import draft_views
from quizzes.teaching.people import class_views, log_views, member_views, next_term_views
from quizzes.teaching.people import urls as people_urls
from quizzes.teaching.regrade import exercise_views as code_regrade_views
from quizzes.teaching.regrade import question_views as regrade_views
from quizzes.teaching.results import urls as result_urls
from quizzes.teaching.week import urls as week_urls
from quizzes.teaching.work import urls as work_urls

# What stood under /teach/ before there were several courses, and stands within a course now.
SHORT = ("class", "exercises", "questions", "quizzes")
OF_CLASSES = ("attempts", "learners", "submissions")  # what are pages of classes now

FOLDERS = {
    "lesson": "lessons",
    "question": "questions",
    "quiz": "quizzes",
    "exercise": "exercises",
    "plot": "plots",
}

with_editor = csp_update({"style-src": NONCE})  # for the style element of an editor of code


def _at(kind: str, rest: str, view: Any, page: str) -> URLPattern:
    """Return the address of one view of `studio_views.py` for a kind: "<kind>-<page>"."""
    name = f"{kind}-{page}" if page else kind
    pattern: URLPattern = path(
        f"{FOLDERS[kind]}/<slug:slug>/{rest}", view, {"kind": kind}, name=name
    )
    return pattern


def _written(kind: str) -> list[URLPattern]:
    """Return the addresses of a kind that is written in the browser."""
    folder = FOLDERS[kind]
    return [
        path(f"{folder}/", studio_views.things, {"kind": kind}, name=folder),
        _at(kind, "", studio_views.thing, ""),
        *_past(kind),
    ]


def _past(kind: str) -> list[URLPattern]:
    """Return the addresses at which a thing is previewed, and an older version is looked at."""
    number = "versions/<int:number>/"
    return [
        _at(kind, "preview/", studio_views.preview, "preview"),
        _at(kind, number, studio_views.version, "version"),
        _at(kind, f"{number}bring-back/", studio_views.bring_back, "bring-back"),
    ]


def _withdrawn(kind: str) -> list[URLPattern]:
    """Return the addresses at which a thing is withdrawn and restored."""
    return [
        _at(kind, "withdraw/", studio_views.withdraw, "withdraw"),
        _at(kind, "restore/", studio_views.restore, "restore"),
    ]


IN_A_COURSE: list[URLPattern | URLResolver] = [
    path("", course_views.course_overview, name="course"),
    *contents_urls.IN_A_COURSE,
    path("listed/", course_views.change_listing, name="change-listing"),
    path("home/", course_views.make_home, name="make-home"),
    path("copy/", course_views.copy, name="copy"),
    path("people/", staff_views.staff, name="staff"),
    path("people/add/", staff_views.add, name="add-staff"),
    path("people/<int:number>/role/", staff_views.change, name="change-staff"),
    path("people/<int:number>/remove/", staff_views.remove, name="remove-staff"),
    path("class/", course_results.class_page, name="class"),
    path("log/", log_views.course_log, name="course-log"),
    path("failures/<int:number>/grade-anew/", failure_views.grade_failure, name="grade-again"),
    path("exercises/", studio_views.things, {"kind": "exercise"}, name="exercises"),
    path("exercises/<slug:slug>/", exercise_views.exercise, name="exercise"),
    _at("exercise", "write/", with_editor(studio_views.thing), "write"),
    *_past("exercise"),
    _at("exercise", "duplicate/", studio_views.duplicate, "duplicate"),
    path("exercises/<slug:slug>/verify/", exercise_views.verify_refused, name="verify-again"),
    *_withdrawn("exercise"),
    path("exercises/<slug:slug>/regrade/", code_regrade_views.exercise, name="regrade_exercise"),
    path(
        "exercises/<slug:slug>/mistakes/<int:number>/",
        draft_views.mistake_draft,
        name="mistake-draft",
    ),
    path(
        "exercises/<slug:slug>/mistakes/<int:number>/patch/",
        draft_views.patch,
        name="mistake-patch",
    ),
    *_written("lesson"),
    *_withdrawn("lesson"),
    *_written("plot"),
    *_withdrawn("plot"),
    *_written("question"),
    *_withdrawn("question"),
    path(
        "questions/<slug:slug>/duplicate/",
        studio_views.duplicate,
        {"kind": "question"},
        name="question-duplicate",
    ),
    path("questions/<slug:slug>/regrade/", regrade_views.question, name="regrade_question"),
    *_written("quiz"),
    path("quizzes/<slug:slug>/find/", quiz_page.find, name="find"),
]

app_name = "teaching"
urlpatterns: list[URLPattern | URLResolver] = [
    path("teach/", overview.overview, name="index"),
    path("teach/people/", people_views.people, name="people"),
    path("teach/people/<int:number>/role/", people_views.change_role, name="change-role"),
    path(
        "teach/people/<int:number>/password-link/",
        people_views.send_password_link,
        name="password-link",
    ),
    *contents_urls.OF_THE_SITE,
    path("teach/log/", log_views.site_log, name="site-log"),
    path("teach/sign-on/", sign_on_views.sign_on, name="sign-on"),
    path("teach/view-as/end/", member_views.end_view, name="end-view"),
    path("teach/classes/", class_views.classes, name="classes"),
    path("teach/next-term/", next_term_views.next_term, name="next-term"),
    path("teach/classes/<slug:cohort>/", include(week_urls.IN_A_CLASS)),
    path("teach/classes/<slug:cohort>/", include(people_urls.IN_A_CLASS)),
    path("teach/classes/<slug:cohort>/", include(work_urls.IN_A_CLASS)),
    path("teach/classes/<slug:cohort>/", include(result_urls.IN_A_CLASS)),
    path("teach/courses/<slug:course>/", include(IN_A_COURSE)),
    *(
        re_path(rf"^teach/{name}/.*$", class_views.moved, name=f"short-{name}")
        for name in OF_CLASSES
    ),
    *(
        re_path(
            rf"^teach/{name}/(?P<rest>.*)$",
            in_home_course,
            {"within": name, "root": overview_address},
            name=f"short-{name}",
        )
        for name in SHORT
    ),
]

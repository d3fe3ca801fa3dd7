from django.urls import URLPattern, URLResolver, include, path, re_path

from quizzes.courses.views import in_home_course
from quizzes.teaching import (
    course_results,
    course_views,
    exercise_views,
    failure_views,
    overview,
    people_views,
    question_views,
    quiz_views,
    sign_on_views,
    staff_views,
)
from quizzes.teaching.addresses import overview_address
from quizzes.teaching.naming import draft_views
from quizzes.teaching.people import class_views, log_views, member_views
from quizzes.teaching.people import urls as people_urls
from quizzes.teaching.regrade import exercise_views as code_regrade_views
from quizzes.teaching.regrade import question_views as regrade_views
from quizzes.teaching.results import urls as result_urls
from quizzes.teaching.week import urls as week_urls
from quizzes.teaching.work import urls as work_urls

# What stood under /teach/ before there were several courses, and stands within a course now.
SHORT = ("class", "exercises", "questions", "quizzes")
OF_CLASSES = ("attempts", "learners", "submissions")  # what are pages of classes now

IN_A_COURSE: list[URLPattern | URLResolver] = [
    path("", course_views.course_overview, name="course"),
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
    path("exercises/", exercise_views.exercises, name="exercises"),
    path("exercises/<slug:slug>/", exercise_views.exercise, name="exercise"),
    path("exercises/<slug:slug>/verify/", exercise_views.verify_refused, name="verify-again"),
    path("exercises/<slug:slug>/withdraw/", exercise_views.withdraw, name="withdraw-exercise"),
    path("exercises/<slug:slug>/restore/", exercise_views.restore, name="restore-exercise"),
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
    path("questions/", question_views.questions, name="questions"),
    path("questions/<slug:slug>/", question_views.question, name="question"),
    path("questions/<slug:slug>/preview/", question_views.preview, name="preview"),
    path("questions/<slug:slug>/duplicate/", question_views.duplicate, name="duplicate"),
    path("questions/<slug:slug>/withdraw/", question_views.withdraw, name="withdraw-question"),
    path("questions/<slug:slug>/restore/", question_views.restore, name="restore-question"),
    path("questions/<slug:slug>/versions/<int:number>/", question_views.version, name="version"),
    path(
        "questions/<slug:slug>/versions/<int:number>/bring-back/",
        question_views.bring_back,
        name="bring-back",
    ),
    path("questions/<slug:slug>/regrade/", regrade_views.question, name="regrade_question"),
    path("quizzes/", quiz_views.quizzes, name="quizzes"),
    path("quizzes/<slug:slug>/", quiz_views.quiz, name="quiz"),
    path("quizzes/<slug:slug>/find/", quiz_views.find, name="find"),
    path("quizzes/<slug:slug>/preview/", quiz_views.preview, name="quiz-preview"),
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
    path("teach/log/", log_views.site_log, name="site-log"),
    path("teach/sign-on/", sign_on_views.sign_on, name="sign-on"),
    path("teach/view-as/end/", member_views.end_view, name="end-view"),
    path("teach/classes/", class_views.classes, name="classes"),
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

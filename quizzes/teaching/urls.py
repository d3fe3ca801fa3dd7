from django.urls import URLPattern, URLResolver, path

from quizzes.teaching import (
    attempt_views,
    class_views,
    exercise_views,
    learner_views,
    overview,
    people_views,
    question_views,
    quiz_views,
    submission_views,
)

app_name = "teaching"
urlpatterns: list[URLPattern | URLResolver] = [
    path("teach/", overview.overview, name="index"),
    path("teach/class/", class_views.class_page, name="class"),
    path("teach/learners/", learner_views.learners, name="learners"),
    path("teach/learners/<int:number>/", learner_views.learner, name="learner"),
    path("teach/people/", people_views.people, name="people"),
    path("teach/people/<int:number>/role/", people_views.change_role, name="change-role"),
    path(
        "teach/people/<int:number>/password-link/",
        people_views.send_password_link,
        name="password-link",
    ),
    path("teach/attempts/", attempt_views.attempts, name="attempts"),
    path("teach/attempts/<int:number>/", attempt_views.attempt, name="attempt"),
    path("teach/submissions/", submission_views.submissions, name="submissions"),
    path("teach/submissions/<int:number>/", submission_views.submission, name="submission"),
    path(
        "teach/submissions/<int:number>/grade-anew/",
        submission_views.grade_anew,
        name="grade-anew",
    ),
    path("teach/exercises/", exercise_views.exercises, name="exercises"),
    path("teach/exercises/<slug:slug>/", exercise_views.exercise, name="exercise"),
    path("teach/exercises/<slug:slug>/verify/", exercise_views.verify_anew, name="verify_anew"),
    path("teach/questions/", question_views.questions, name="questions"),
    path("teach/questions/<slug:slug>/", question_views.question, name="question"),
    path("teach/questions/<slug:slug>/preview/", question_views.preview, name="preview"),
    path("teach/questions/<slug:slug>/duplicate/", question_views.duplicate, name="duplicate"),
    path(
        "teach/questions/<slug:slug>/versions/<int:number>/",
        question_views.version,
        name="version",
    ),
    path(
        "teach/questions/<slug:slug>/versions/<int:number>/bring-back/",
        question_views.bring_back,
        name="bring-back",
    ),
    path("teach/quizzes/", quiz_views.quizzes, name="quizzes"),
    path("teach/quizzes/<slug:slug>/", quiz_views.quiz, name="quiz"),
    path("teach/quizzes/<slug:slug>/find/", quiz_views.find, name="find"),
    path("teach/quizzes/<slug:slug>/preview/", quiz_views.preview, name="quiz-preview"),
]

"""All addresses: each application brings its own."""

from django.contrib import admin
from django.urls import include, path

from quizzes.learners.account_views import (
    email,
    password_again,
    password_reset,
    password_set,
    sessions,
    sign_up,
)

handler400 = "quizzes.config.faults.bad_request"
handler429 = "quizzes.config.faults.too_many_requests"
handler500 = "quizzes.config.faults.server_error"

urlpatterns = [
    path("admin/", admin.site.urls),
    # Before allauth's pages of these names.
    path("accounts/email/", email, name="account_email"),
    path("accounts/reauthenticate/", password_again, name="account_reauthenticate"),
    path("accounts/password/reset/", password_reset, name="account_reset_password"),
    path("accounts/password/set/", password_set, name="account_set_password"),
    path("accounts/signup/", sign_up, name="account_signup"),
    path("accounts/", include("quizzes.learners.sign_on.urls")),
    path("accounts/", include("allauth.account.urls")),
    path("accounts/2fa/", include("allauth.mfa.urls")),
    path("accounts/sessions/", sessions, name="usersessions_list"),
    path("", include("quizzes.courses.urls")),
    path("", include("quizzes.lessons.urls")),
    path("", include("quizzes.assessment.urls")),
    path("", include("quizzes.exercises.urls")),
    path("", include("quizzes.classes.urls")),
    path("", include("quizzes.teaching.urls")),
    path("", include("quizzes.study.urls")),
    path("", include("quizzes.operations.urls")),
]

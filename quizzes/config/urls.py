"""All addresses: each application brings its own."""

from django.contrib import admin
from django.urls import include, path

from quizzes.learners.account_views import email

handler400 = "quizzes.config.faults.bad_request"
handler429 = "quizzes.config.faults.too_many_requests"

urlpatterns = [
    path("admin/", admin.site.urls),
    path("accounts/email/", email, name="account_email"),  # before allauth's page of that name
    path("accounts/", include("allauth.account.urls")),
    path("", include("quizzes.learners.urls")),
    path("", include("quizzes.lessons.urls")),
    path("", include("quizzes.assessment.urls")),
    path("", include("quizzes.exercises.urls")),
    path("", include("quizzes.teaching.urls")),
    path("", include("quizzes.study.urls")),
]

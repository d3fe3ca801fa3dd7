from django.urls import URLPattern, URLResolver, path

from quizzes.study.healthz import healthz
from quizzes.study.views import home, progress

app_name = "study"
urlpatterns: list[URLPattern | URLResolver] = [
    path("", home, name="home"),
    path("me/progress/", progress, name="progress"),
    path("healthz", healthz, name="healthz"),
]

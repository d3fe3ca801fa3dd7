from django.urls import URLPattern, URLResolver, path

from quizzes.study.healthz import healthz

app_name = "study"
urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", healthz, name="healthz"),
]

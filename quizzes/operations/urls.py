from django.urls import URLPattern, URLResolver, path

from quizzes.operations.healthz import healthz

app_name = "operations"
urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", healthz, name="healthz"),
]

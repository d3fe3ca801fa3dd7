from django.urls import URLPattern, URLResolver, path

from quizzes.operations.healthz import healthz
from quizzes.operations.metrics import metrics
from quizzes.operations.robots import robots

app_name = "operations"
urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", healthz, name="healthz"),
    path("metrics", metrics, name="metrics"),
    path("robots.txt", robots, name="robots"),
]

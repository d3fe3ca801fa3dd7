from django.urls import URLPattern, URLResolver, path

from quizzes.lessons.figures import views as figure_views

app_name = "lessons"
urlpatterns: list[URLPattern | URLResolver] = [
    path("figures/<slug:encoding>/<slug:view>.<str:file>", figure_views.figure, name="figure"),
]

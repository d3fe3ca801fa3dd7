from django.urls import URLPattern, URLResolver, path

from quizzes.lessons import views
from quizzes.lessons.explorer_view import explorer
from quizzes.lessons.figures import views as figure_views
from quizzes.lessons.figures.views import predict

app_name = "lessons"
urlpatterns: list[URLPattern | URLResolver] = [
    path("learn/", views.index, name="index"),
    path("learn/<slug:lesson>/", views.lesson, name="lesson"),
    path("learn/<slug:lesson>/<slug:step>/", views.step, name="step"),
    path("learn/<slug:lesson>/<slug:step>/predict/<slug:block>/", predict, name="predict"),
    path("explore/", explorer, name="explore"),
    path("deep-dive/", views.card, name="cards"),
    path("deep-dive/<int:number>/", views.card, name="card"),
    path("figures/<slug:encoding>/<slug:view>.<str:file>", figure_views.figure, name="figure"),
]

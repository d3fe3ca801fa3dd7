from django.urls import URLPattern, URLResolver, include, path

from quizzes.lessons import views
from quizzes.lessons.explorer_view import explorer
from quizzes.lessons.figures import views as figure_views
from quizzes.lessons.figures.views import predict
from quizzes.lessons.pictures.picture_views import picture
from quizzes.lessons.released.model_views import models, pictures

of_a_lesson = [
    path("", views.lesson, name="lesson"),
    path("thumbnail/<str:scheme>.png", views.thumbnail, name="thumbnail"),
    path("<slug:step>/", views.step, name="step"),
    path("<slug:step>/thumbnail/<str:scheme>.png", views.step_thumbnail, name="step-thumbnail"),
    path("<slug:step>/predict/<slug:block>/", predict, name="predict"),
]

app_name = "lessons"
urlpatterns: list[URLPattern | URLResolver] = [
    path("c/<slug:course>/learn/<slug:lesson>/", include(of_a_lesson)),
    path("c/<slug:course>/deep-dive/", views.card, name="cards"),
    path("c/<slug:course>/deep-dive/<int:number>/", views.card, name="card"),
    path("c/<slug:course>/models/", models, name="models"),
    path("c/<slug:course>/models/pictures/", pictures, name="model-pictures"),
    path("c/<slug:course>/pictures/<slug:version>/<str:file>", picture, name="picture"),
    path("explore/", explorer, name="explore"),
    path("figures/encodings-<slug:scheme>.svg", figure_views.thumbnails, name="thumbnails"),
    path("figures/<slug:encoding>/<slug:view>.<str:file>", figure_views.figure, name="figure"),
]

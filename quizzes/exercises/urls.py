from django.urls import URLPattern, URLResolver, path

from quizzes.exercises import views

app_name = "exercises"
urlpatterns: list[URLPattern | URLResolver] = [
    path("exercises/", views.index, name="index"),
    path("exercises/<slug:slug>/", views.exercise, name="exercise"),
    path("exercises/<slug:slug>/draft/", views.draft, name="draft"),
    path("exercises/<slug:slug>/submissions/<int:number>/", views.submission, name="submission"),
    path("exercises/<slug:slug>/submissions/<int:number>/verdict/", views.verdict, name="verdict"),
    path("exercises/<slug:slug>/submissions/<int:number>/report.json", views.report, name="report"),
    path(
        "exercises/<slug:slug>/submissions/<int:number>/<slug:layer>.svg",
        views.picture,
        name="picture",
    ),
]

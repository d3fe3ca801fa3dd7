from django.urls import URLPattern, URLResolver, include, path

from quizzes.exercises import views
from quizzes.exercises.counterexamples import views as counterexample_views
from quizzes.exercises.runs import views as run_views
from quizzes.exercises.xray import views as xray_views

of_an_exercise = [
    path("", views.exercise, name="exercise"),
    path("draft/", views.draft, name="draft"),
    path("solution/", views.solution, name="solution"),
    path("counterexample/", counterexample_views.counterexample, name="counterexample"),
    path(
        "counterexample/<int:number>/",
        counterexample_views.counterexample_try,
        name="counterexample_try",
    ),
    path("runs/<int:number>/", run_views.run, name="run"),
    path("runs/<int:number>/value.svg", run_views.value, name="value"),
    path("xrays/<int:number>/", xray_views.xray, name="xray"),
    path("submissions/<int:number>/", views.submission, name="submission"),
    path("submissions/<int:number>/verdict/", views.verdict, name="verdict"),
    path("submissions/<int:number>/report.json", views.report, name="report"),
    path("submissions/<int:number>/<slug:layer>.svg", views.picture, name="picture"),
]

app_name = "exercises"
urlpatterns: list[URLPattern | URLResolver] = [
    path("c/<slug:course>/exercises/", views.index, name="index"),
    path("c/<slug:course>/exercises/<slug:slug>/", include(of_an_exercise)),
]

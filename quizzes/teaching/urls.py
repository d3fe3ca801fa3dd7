from django.urls import URLPattern, URLResolver, path
from django.views.generic import RedirectView

from quizzes.teaching import views, work

app_name = "teaching"
urlpatterns: list[URLPattern | URLResolver] = [
    path("teach/attempts/", work.attempts, name="attempts"),
    path("teach/attempts/<int:number>/", work.attempt, name="attempt"),
    path("teach/submissions/", work.submissions, name="submissions"),
    path("teach/", RedirectView.as_view(pattern_name="teaching:questions"), name="index"),
    path("teach/questions/", views.questions, name="questions"),
    path("teach/questions/<slug:slug>/", views.question, name="question"),
    path("teach/questions/<slug:slug>/preview/", views.preview, name="preview"),
    path("teach/questions/<slug:slug>/duplicate/", views.duplicate, name="duplicate"),
    path("teach/questions/<slug:slug>/versions/<int:number>/", views.version, name="version"),
]

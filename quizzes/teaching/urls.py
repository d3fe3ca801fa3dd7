from django.urls import URLPattern, URLResolver, path
from django.views.generic import RedirectView

from quizzes.teaching import question_views, version_views, work

app_name = "teaching"
urlpatterns: list[URLPattern | URLResolver] = [
    path("teach/attempts/", work.attempts, name="attempts"),
    path("teach/attempts/<int:number>/", work.attempt, name="attempt"),
    path("teach/submissions/", work.submissions, name="submissions"),
    path("teach/", RedirectView.as_view(pattern_name="teaching:questions"), name="index"),
    path("teach/questions/", question_views.questions, name="questions"),
    path("teach/questions/<slug:slug>/", question_views.question, name="question"),
    path("teach/questions/<slug:slug>/preview/", question_views.preview, name="preview"),
    path("teach/questions/<slug:slug>/duplicate/", question_views.duplicate, name="duplicate"),
    path(
        "teach/questions/<slug:slug>/versions/<int:number>/", version_views.version, name="version"
    ),
    path(
        "teach/questions/<slug:slug>/versions/<int:number>/bring-back/",
        question_views.bring_back,
        name="bring-back",
    ),
]

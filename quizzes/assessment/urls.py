from django.urls import URLPattern, URLResolver, path

from quizzes.assessment import views

app_name = "assessment"
urlpatterns: list[URLPattern | URLResolver] = [
    path("quiz/", views.index, name="index"),
    path("quiz/<slug:slug>/", views.quiz, name="quiz"),
    path("quiz/<slug:slug>/attempt/<int:number>/", views.attempt, name="attempt"),
    path("quiz/<slug:slug>/attempt/<int:number>/review/", views.review, name="review"),
    path("questions/<slug:slug>/answer/", views.answer_in_lesson, name="answer"),
]

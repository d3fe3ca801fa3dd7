from django.urls import URLPattern, URLResolver, include, path

from quizzes.assessment import views

of_a_quiz = [
    path("", views.quiz, name="quiz"),
    path("attempt/<int:number>/", views.attempt, name="attempt"),
    path("attempt/<int:number>/review/", views.review, name="review"),
]

app_name = "assessment"
urlpatterns: list[URLPattern | URLResolver] = [
    path("c/<slug:course>/quiz/", views.index, name="index"),
    path("c/<slug:course>/quiz/<slug:slug>/", include(of_a_quiz)),
    path("c/<slug:course>/questions/<slug:slug>/answer/", views.answer_in_lesson, name="answer"),
]

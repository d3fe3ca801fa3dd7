from django.urls import path

from quizzes.classes import join_views, learner_views, message_views

app_name = "classes"
urlpatterns = [
    path("join/", join_views.code, name="join-code"),
    path("join/<str:code>/", join_views.join, name="join"),
    path("invited/<str:token>/", join_views.invited, name="invited"),
    path("class/", learner_views.classes, name="classes"),
    path("class/<slug:cohort>/", learner_views.one_class, name="class"),
    path("messages/", message_views.messages, name="messages"),
]

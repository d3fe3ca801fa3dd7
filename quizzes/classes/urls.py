from django.urls import path

from quizzes.classes import join_views, message_views

app_name = "classes"
urlpatterns = [
    path("join/", join_views.code, name="join-code"),
    path("join/<str:code>/", join_views.join, name="join"),
    path("invited/<str:token>/", join_views.invited, name="invited"),
    path("messages/", message_views.messages, name="messages"),
]

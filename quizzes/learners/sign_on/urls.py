"""Addresses of sign-on, below `/accounts/`, with the names by which allauth finds its own."""

from django.urls import path

from quizzes.learners.sign_on import views

urlpatterns = [
    path("oidc/<slug:provider_id>/login/", views.leave, name="openid_connect_login"),
    path(
        "oidc/<slug:provider_id>/login/callback/",
        views.come_back,
        name="openid_connect_callback",
    ),
    path("providers/", views.connections, name="socialaccount_connections"),
    path("providers/signup/", views.sign_up, name="socialaccount_signup"),
]

from django.urls import URLPattern, URLResolver

app_name = "learners"
urlpatterns: list[URLPattern | URLResolver] = []

from django.urls import URLPattern, URLResolver

app_name = "assessment"
urlpatterns: list[URLPattern | URLResolver] = []

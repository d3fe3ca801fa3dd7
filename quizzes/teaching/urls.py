from django.urls import URLPattern, URLResolver

app_name = "teaching"
urlpatterns: list[URLPattern | URLResolver] = []

from django.apps import AppConfig


class CoursesConfig(AppConfig):
    name = "quizzes.courses"
    verbose_name = "Courses"
    default_auto_field = "django.db.models.BigAutoField"

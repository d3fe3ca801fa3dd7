from django.apps import AppConfig


class ConceptsConfig(AppConfig):
    name = "quizzes.concepts"
    verbose_name = "Concept map"
    default_auto_field = "django.db.models.BigAutoField"

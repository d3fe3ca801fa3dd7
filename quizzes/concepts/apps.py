from django.apps import AppConfig


class ConceptsConfig(AppConfig):
    name = "quizzes.concepts"
    verbose_name = "Concept map"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from quizzes.concepts.files import families_of_lessons
        from quizzes.pages.families import families

        families.fill(families_of_lessons)

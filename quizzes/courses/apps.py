from django.apps import AppConfig


class CoursesConfig(AppConfig):
    name = "quizzes.courses"
    verbose_name = "Courses"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_in

        from quizzes.courses.sign_in_again import drop_work_of_others

        user_logged_in.connect(drop_work_of_others, dispatch_uid="drop_work_of_others")

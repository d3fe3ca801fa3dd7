from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class CoursesConfig(AppConfig):
    name = "quizzes.courses"
    verbose_name = "Courses"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_in

        from quizzes.courses.sign_in_again import drop_work_of_others

        user_logged_in.connect(drop_work_of_others, dispatch_uid="drop_work_of_others")
        post_migrate.connect(renew_tokens, sender=self, dispatch_uid="renew_tokens")


def renew_tokens(*, apps: Any = None, plan: Any = (), **_: Any) -> None:
    """Say that the content of every course may have changed, where a migration was applied."""
    # After a way back there may be no such model, or an older one.
    if plan and hasattr(apps.all_models["courses"].get("course"), "content_token"):
        from quizzes.courses.models import Course

        Course.objects.all().renew_tokens()

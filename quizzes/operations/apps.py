from django.apps import AppConfig
from django.db.backends.signals import connection_created


class OperationsConfig(AppConfig):
    name = "quizzes.operations"
    verbose_name = "Operations"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from quizzes.operations.lost_hosts import notice_lost_hosts
        from quizzes.operations.machine import keep_no_read_only_connection

        connection_created.connect(keep_no_read_only_connection, dispatch_uid="no_read_only")
        connection_created.connect(notice_lost_hosts, dispatch_uid="notice_lost_hosts")

from django.apps import AppConfig


class StudyConfig(AppConfig):
    name = "quizzes.study"
    verbose_name = "Study"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Have attempts, times of code and the frame's counts read with the progress of pages.

        The figures of the lab's numbers find them here, too.
        """
        from quizzes.learners.progress import frame_rows, rows_beside
        from quizzes.lessons.own_numbers.entries import stored_numbers
        from quizzes.study.frame_rows import counts_of_frame
        from quizzes.study.lab.numbers import numbers_at
        from quizzes.study.learner_rows import rows_of_work

        frame_rows.fill(counts_of_frame)
        rows_beside.fill(rows_of_work)
        stored_numbers.fill(numbers_at)

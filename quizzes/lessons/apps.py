from django.apps import AppConfig


class LessonsConfig(AppConfig):
    name = "quizzes.lessons"
    verbose_name = "Lessons"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from quizzes.lessons.figures.block import FigureBlock
        from quizzes.lessons.listing_block import ListingBlock
        from quizzes.pages.blocks import register_block

        register_block(FigureBlock())
        register_block(ListingBlock())

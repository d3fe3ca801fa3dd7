from django.apps import AppConfig


class LessonsConfig(AppConfig):
    name = "quizzes.lessons"
    verbose_name = "Lessons"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from quizzes.lessons.check_block import CheckBlock
        from quizzes.lessons.figures.figure_context import FigureBlock
        from quizzes.lessons.figures.predict import PredictBlock
        from quizzes.lessons.listing_block import ListingBlock
        from quizzes.lessons.pictures.picture_block import PictureBlock
        from quizzes.lessons.plots.plot_block import PlotBlock
        from quizzes.lessons.sentence.sentence_block import SentenceBlock
        from quizzes.lessons.services import course_places
        from quizzes.lessons.value_functions import register_numbers
        from quizzes.pages.blocks import register_block
        from quizzes.pages.course_order import places

        places.fill(course_places)
        register_numbers()
        register_block(CheckBlock())
        register_block(FigureBlock())
        register_block(ListingBlock())
        register_block(PictureBlock())
        register_block(PlotBlock())
        register_block(PredictBlock())
        register_block(SentenceBlock())

from django.urls import URLPattern, URLResolver, path

from quizzes.study.code_figures.share import share_figure
from quizzes.study.code_figures.views import figure_picture, figure_run, run_figure
from quizzes.study.concept_map.views import concept_map, outline
from quizzes.study.lab.sharing import revoke, shared_numbers
from quizzes.study.lab.views import lab, lab_draft, lab_run, share
from quizzes.study.listing_runs import listing_run, run_listing
from quizzes.study.my_data import export, my_data
from quizzes.study.review_pages import practice, review, review_answer
from quizzes.study.search_views import search
from quizzes.study.views import accessibility, course_home, home, lessons, progress

app_name = "study"
urlpatterns: list[URLPattern | URLResolver] = [
    path("", home, name="home"),
    path("c/<slug:course>/", course_home, name="course"),
    path("c/<slug:course>/learn/", lessons, name="lessons"),
    path("c/<slug:course>/progress/", progress, name="progress"),
    path("c/<slug:course>/search/", search, name="search"),
    path("c/<slug:course>/map/", concept_map, name="map"),
    path("c/<slug:course>/map/outline/", outline, name="outline"),
    path(
        "c/<slug:course>/learn/<slug:lesson>/<slug:step>/run/<slug:block>/",
        run_listing,
        name="run_listing",
    ),
    path(
        "c/<slug:course>/learn/<slug:lesson>/<slug:step>/run/<slug:block>/<int:number>/",
        listing_run,
        name="listing_run",
    ),
    path("c/<slug:course>/exercises/<slug:slug>/figure/", run_figure, name="run_figure"),
    path(
        "c/<slug:course>/exercises/<slug:slug>/figure/<int:number>/",
        figure_run,
        name="figure_run",
    ),
    path(
        "c/<slug:course>/exercises/<slug:slug>/figure/<int:number>/<slug:layer>-<int:place>.svg",
        figure_picture,
        name="figure_picture",
    ),
    path(
        "c/<slug:course>/exercises/<slug:slug>/figure/<int:number>/<int:place>/share/",
        share_figure,
        name="share_figure",
    ),
    path("lab/", lab, name="lab"),
    path("lab/draft/", lab_draft, name="lab_draft"),
    path("lab/<int:number>/", lab_run, name="lab_run"),
    path("lab/<int:number>/share/", share, name="share_numbers"),
    path("lab/shared/<slug:token>/", shared_numbers, name="shared_numbers"),
    path("lab/shared/<slug:token>/revoke/", revoke, name="revoke_numbers"),
    path("me/data/", my_data, name="my_data"),
    path("me/data/export/", export, name="export"),
    path("review/", review, name="review"),
    path("review/answers/<int:number>/", review_answer, name="review_answer"),
    path("c/<slug:course>/practice/<slug:slug>/", practice, name="practice"),
    path("accessibility/", accessibility, name="accessibility"),
]

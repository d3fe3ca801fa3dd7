"""Addresses of the results of a class, below `/teach/classes/<class>/`."""

from django.urls import URLPattern, path

from quizzes.teaching.results import result_views

# Where the figures of a quiz had a page of their own.
MOVED = {
    "items/": "class-results",
    "items.csv": "class-results-csv",
    "items.json": "class-results-json",
    "items/<int:number>/answers/": "class-result-answers",
}

IN_A_CLASS: list[URLPattern] = [
    path("results/", result_views.results, name="class-results"),
    path("results.csv", result_views.results_csv, name="class-results-csv"),
    path("results.json", result_views.results_json, name="class-results-json"),
    path("results/<int:number>/answers/", result_views.answers, name="class-result-answers"),
    *(
        path(old, result_views.moved, {"page": page}, name=f"moved-{page}")
        for old, page in MOVED.items()
    ),
]

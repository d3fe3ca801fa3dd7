"""Addresses of the items of a class, below `/teach/classes/<class>/`."""

from django.urls import URLPattern, path

from quizzes.teaching.items import item_views

IN_A_CLASS: list[URLPattern] = [
    path("items/", item_views.items, name="class-items"),
    path("items.csv", item_views.items_csv, name="class-items-csv"),
    path("items.json", item_views.items_json, name="class-items-json"),
    path("items/<int:number>/answers/", item_views.answers, name="class-item-answers"),
]

from django.urls import URLPattern, URLResolver, path, re_path

from quizzes.courses.views import in_home_course, index

# The addresses from before there were several courses: what stood behind them, and where it is now
# within a course. Whatever follows is kept.
SHORT = {
    "learn": "learn",
    "deep-dive": "deep-dive",
    "quiz": "quiz",
    "questions": "questions",
    "exercises": "exercises",
    "map": "map",
    "models": "models",
    "search": "search",
    "practice": "practice",
    "me/progress": "progress",
}

app_name = "courses"
urlpatterns: list[URLPattern | URLResolver] = [
    path("courses/", index, name="index"),
    *(
        re_path(rf"^{old}/(?P<rest>.*)$", in_home_course, {"within": new}, name=f"short-{new}")
        for old, new in SHORT.items()
    ),
]

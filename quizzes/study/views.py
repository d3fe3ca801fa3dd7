"""The start page, the list of lessons and the progress page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from quizzes.concepts.files import map_of
from quizzes.courses import addresses
from quizzes.courses.addresses import PictureAddresses, lesson_picture
from quizzes.courses.current_course import all_courses, in_course
from quizzes.courses.just_done import JUST_DONE
from quizzes.courses.models import Course
from quizzes.learners.services import current_learner, progress_of
from quizzes.lessons.course_lessons import course_lessons
from quizzes.lessons.figures.figure_params import has_figure_params
from quizzes.lessons.figures.predict import figure_errors, stray_messages
from quizzes.lessons.models import Lesson
from quizzes.lessons.services import picture_versions, progress_in
from quizzes.limits.seconds import count_seconds
from quizzes.pages.blocks import PageContext, parse_page, render_page
from quizzes.pages.families import families
from quizzes.study.concept_states import concept_states, count_states
from quizzes.study.course_contents import CourseContents
from quizzes.study.course_outline import outline_of
from quizzes.study.learner_rows import LearnerRows, learner_rows
from quizzes.study.lesson_list import EXERCISE, QUIZ, ListFacts, parts_of
from quizzes.study.misconceptions import mistakes_to_watch
from quizzes.study.next_actions import due_in_classes, next_actions
from quizzes.study.next_thing import Recommendation
from quizzes.study.progress_overview import progress_overview
from quizzes.study.recommendations import recommendation_for
from quizzes.study.slip import slip_in
from quizzes.study.word_order import ANSWERS, answer_picture, question_picture

# The course that the figure and the words next to it are about. A home course of another subject,
# which a superuser may choose, has a start page like any course.
SUBJECT = "positional-encodings"
FIGURE = parse_page(
    """```figure
id: codes
encoding: sinusoidal
view: heatmap
set: {d_model: 50}
sliders: [d_model, base]
words: true
```""",
    path="home",
)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the start page of the home course, which is that of the site."""
    courses = all_courses()
    return _start_page(request, next(iter(courses), None), courses)


@require_safe
@in_course
def course_home(request: HttpRequest, course: Course) -> HttpResponse:
    """Show the start page of a course."""
    return _start_page(request, course, all_courses())


@count_seconds(when=has_figure_params)
def _start_page(request: HttpRequest, course: Course | None, courses: list[Course]) -> HttpResponse:
    """Show what a course is, a figure with sliders, and the next lesson, quiz and exercise.

    The figure, and what it is about, stand on the page of the home course if that is its subject.
    """
    learner, is_home = current_learner(request), course in courses[:1] or course is None
    has_figure = is_home and (course is None or course.slug == SUBJECT)
    errors = figure_errors(FIGURE, request.GET) if has_figure else {}
    context: dict[str, object] = {"has_figure": has_figure, "errors": errors}
    if has_figure:
        page = PageContext(request, learner, course, lesson="", step="")
        context["figure"] = render_page(FIGURE, page)
        context["stray"] = stray_messages(FIGURE, request.GET)
        context |= _word_order(request.GET.get("notices"))
        if problem := context.get("problem"):
            context["errors"] = {**errors, "notices": problem}
            context["stray"] = [*stray_messages(FIGURE, request.GET), problem]
    if has_figure and course is not None:
        context["slip"] = slip_in(course)
    if course is not None:
        following = recommendation_for(request, course) if learner is not None else None
        due = due_in_classes(learner, following)
        has_begun = learner is not None and not (following is not None and following.is_first)
        context |= {
            "course": course,
            "ways": (ways := next_actions(course, learner, following)),
            "onward": next(iter(ways), None),
            "next": following,
            "picture": _picture_of(course, following),
            "due": [work for work in due if not work.is_next],
            # Somebody who comes back: with nothing left to do, the page says so.
            "is_back": bool(due) or (has_begun and (following is not None or bool(ways))),
            "has_cards": any(one.form == Lesson.Form.CARDS for one in course_lessons(course)),
            "has_map": map_of(course) is not None,
            "others": [one for one in courses if one.is_listed and one != course],
        }
    return render(request, "study/home.html", context, status=400 if context["errors"] else 200)


def _picture_of(course: Course, following: Recommendation | None) -> PictureAddresses | None:
    """Return the small picture of the lesson that the next thing belongs to, None for none."""
    if following is None or following.course != course.slug:
        return None
    version = picture_versions(course.pk).get(following.lesson, "")
    return lesson_picture(course.slug, following.lesson, version)


def _word_order(answer: str | None) -> dict[str, object]:
    """Return the prediction of the start page: asked, or answered with the engine's outputs."""
    if answer in ANSWERS:
        return {"answer": answer, "right": ANSWERS[answer], "sentence": answer_picture()}
    question: dict[str, object] = {"sentence": question_picture()}
    if answer is not None:
        question["problem"] = f"notices={answer[:40]}: must be {' or '.join(ANSWERS)}"
    return question


@require_safe
@in_course
def lessons(request: HttpRequest, course: Course) -> HttpResponse:
    """Show the lessons of a course on one line, and what a learner has done in each."""
    learner, there = current_learner(request), course_lessons(course)
    progress = progress_in(learner=learner, lessons=there)
    of_form = {
        form: [(lesson, progress[lesson.pk]) for lesson in there if lesson.form == form]
        for form in Lesson.Form
    }
    ended = request.GET.get("finished", "")
    is_ending = any(lesson.slug == ended and progress[lesson.pk].complete for lesson in there)
    if is_ending:
        JUST_DONE.set(request, addresses.Thing("lesson", ended))
    following = recommendation_for(request, course) if learner is not None else None
    versions, outline = picture_versions(course.pk), outline_of(course)
    rows = LearnerRows(course) if learner is None else learner_rows(learner, course)
    facts = ListFacts(
        lessons=of_form[Lesson.Form.STEPS],
        families=families(course.pk),
        pictures={
            slug: addresses.lesson_picture(course.slug, slug, version)
            for slug, version in versions.items()
        },
        outline=outline,
        concepts=concept_states(course, learner)[1],
        states={
            (kind, slug): state
            for kind, things in ((QUIZ, outline.quizzes), (EXERCISE, outline.exercises))
            for slug, state in progress_of(course.pk, learner, kind, things).items()
        },
        sent=rows.submitted,
        open_quizzes={attempt.quiz for attempt in rows.attempts},
        following=following,
        is_ending=is_ending,
    )
    context = {
        "parts": parts_of(facts),
        "cards": of_form[Lesson.Form.CARDS],
        "references": of_form[Lesson.Form.REFERENCE],
    }
    return render(request, "study/lessons.html", context)


@never_cache
@require_safe
@in_course
def progress(request: HttpRequest, course: Course) -> HttpResponse:
    """Show the learner's progress in a course and the next thing to do."""
    learner, contents = current_learner(request), CourseContents(course)
    states = concept_states(course, learner, contents)[1]
    overview = progress_overview(course, learner, contents)
    mistakes = mistakes_to_watch(course, learner)
    context = {
        "overview": overview,
        "next": recommendation_for(request, course),
        "mistakes": mistakes,
        "has_begun": overview.begun or mistakes.cards or any(concept.state for concept in states),
        "concepts": count_states(states),
    }
    return render(request, "study/progress.html", context)


@require_safe
def accessibility(request: HttpRequest) -> HttpResponse:
    """Show the accessibility statement: the goal, the tests and the known gaps."""
    return render(request, "study/accessibility.html")

"""Scripts that deadline.py runs on the database of its site: a class; what was stored."""

MAKE_CLASS = """
import django; django.setup()
import sys
from datetime import timedelta
from django.contrib.auth.hashers import make_password
from django.utils import timezone
from quizzes.assessment.models import Quiz
from quizzes.courses.models import Course
from quizzes.exercises.models import Exercise
from quizzes.learners.models import User
from quizzes.lessons.models import Lesson
from tests.factories import assign, create_class, create_members
people, password, course_slug, quiz, exercise = sys.argv[1:]
course = Course.objects.get(slug=course_slug)
cohort = create_class("deadline", course=course)
create_members(cohort, [f"student-{number}" for number in range(int(people))])
# Each has a password; that it is the same saves the time of hashing so many.
User.objects.filter(username__startswith="student-").update(password=make_password(password))
assign(cohort, Quiz.objects.get(course=course, slug=quiz), minutes=30, attempts=1)
tonight = timezone.now() + timedelta(hours=6)
assign(cohort, Exercise.objects.get(course=course, slug=exercise), due_at=tonight)
assign(cohort, Quiz.objects.filter(course=course).exclude(slug=quiz).first())
assign(cohort, Lesson.objects.filter(course=course).order_by("number").first())
"""
RESERVE = """
import django; django.setup()
import inspect
from quizzes.exercises import reserved_packs
knows = "early" in inspect.signature(reserved_packs.version_in_need).parameters
print(reserved_packs.version_in_need(**({"early": True} if knows else {})) is None)
"""
COMPARE = """
import django; django.setup()
import json, sys
from collections import Counter
from decimal import Decimal
from quizzes.assessment.models import Attempt, Option, Response
from quizzes.exercises.models import Submission
sent = json.load(sys.stdin)
attempts = Attempt.objects.filter(learner__user__username__startswith="student-")
keys = set(Option.objects.filter(is_key=True).values_list("pk", flat=True))
faults, points, stored = Counter(), {}, {}
for row in Response.objects.filter(attempt__in=attempts):
    stored[str(row.pk)] = row.choice_id
    earned, possible = points.get(row.attempt_id, (Decimal(0), Decimal(0)))
    is_right = row.choice_id in keys
    points[row.attempt_id] = earned + row.points * is_right, possible + row.points
    faults["wrongly marked"] += row.is_right != is_right
answers = sent["answers"]
faults["lost answers"] = sum(stored.get(pk) is None for pk in answers)
faults["wrong answers"] = sum(stored.get(pk) not in {None, answers[pk]} for pk in answers)
faults["answers nobody sent"] = len(stored.keys() - answers.keys())
faults["attempts too many"] = attempts.count() - attempts.values("learner").distinct().count()
faults["attempts not submitted"] = attempts.filter(submitted_at=None).count()
for attempt in attempts:
    faults["wrong points"] += (attempt.earned, attempt.possible) != points.get(attempt.pk)
rows = Submission.objects.filter(learner__user__username__startswith="student-")
verdicts = {str(pk): verdict for pk, verdict in rows.values_list("pk", "verdict")}
submissions = sent["submissions"]
faults["lost submissions"] = len(submissions.keys() - verdicts.keys())
faults["submissions nobody sent"] = len(verdicts.keys() - submissions.keys())
faults["wrong verdicts"] = sum(verdicts.get(pk) != said for pk, said in submissions.items())
equal = sum(stored.get(pk) == choice for pk, choice in answers.items())
print(json.dumps({"equal": equal, "faults": {k: v for k, v in faults.items() if v}}))
"""

"""The log of a class: things by their title of then, people by their name of now, with links."""

import re
from datetime import timedelta
from decimal import Decimal
from html import unescape
from importlib import import_module
from types import SimpleNamespace

import pytest
from django.utils import timezone

from quizzes.classes.assignments import (
    override_mark,
    remove_assignment,
    save_assignment,
    set_exceptions,
    set_extra_time,
)
from quizzes.classes.messages import announce, comment_on, take_back, withdraw_comment
from quizzes.classes.models import Announcement, Membership
from quizzes.classes.services import change_member, remove_member
from quizzes.config.style_bundle import bundle_text
from quizzes.courses.audit import record, subjects_of
from quizzes.courses.log_subjects import Kind, Subject
from quizzes.courses.models import AuditEntry, CourseStaff
from quizzes.lessons.models import Plot
from quizzes.teaching.people.log_lines import _FINDERS
from tests.classes.pages import count_queries, teach_class
from tests.databases import ROOT
from tests.exercises.making import ready_exercise
from tests.factories import (
    assign,
    browser_of,
    create_attempt,
    create_class,
    create_lesson,
    create_member,
    create_members,
    create_quiz,
    create_submission,
    create_superuser,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]


@pytest.fixture
def ida(cohort):
    return create_member(cohort, "ida", role="instructor").user


@pytest.fixture
def teacher(ida):
    return browser_of(ida)


def lines(browser, path="log/"):
    """Return what each line of a log says, the newest first: act, and its names with links."""
    address = path if path.startswith("/") else teach_class(path)
    page = browser.get(address)
    assert page.status_code == 200
    return [
        (line.act, [(name.words, name.address) for name in (*line.names, *line.folded)])
        for line in page.context["lines"]
    ]


def member_page(member):
    return teach_class(f"people/{member.pk}/")


def test_a_title_stays_and_its_link_goes(cohort, ida, teacher):
    held = assign(cohort, quiz := create_quiz())
    save_assignment(assignment=held, by=ida)
    quiz.title = "Renamed"
    quiz.save()
    address = teach_class(f"assignments/{held.pk}/")
    assert lines(teacher)[0] == ("changed an assignment", [("Codes", address)])
    assert teacher.get(address).status_code == 200
    held.refresh_from_db()
    assert remove_assignment(assignment=held, by=ida)
    assert lines(teacher)[:2] == [
        ("removed an assignment", [("Renamed", "")]),
        ("changed an assignment", [("Codes", "")]),
    ]


def test_a_person_has_the_name_of_now(cohort, ida, teacher):
    ada = create_member(cohort, "ada")
    held = assign(cohort, create_quiz())
    override_mark(assignment=held, membership=ada, points=Decimal(3), reason="Ill.", by=ida)
    assert lines(teacher)[0][1][1] == ("Ada", member_page(ada))
    remove_member(member=ada, by=ida)
    assert lines(teacher)[0] == ("removed", [("Ada", member_page(ada))])
    ada.user.delete()
    ada.refresh_from_db()
    names = dict(pair for _, named in lines(teacher) for pair in named)
    assert ada.label in names
    assert "Ada" not in names
    page = teacher.get(teach_class("log/")).content.decode()
    assert re.search(r"\bada\b", page, re.IGNORECASE) is None
    ada.delete()
    assert lines(teacher)[0] == ("removed", [("somebody who is no longer listed", "")])


def test_no_entry_has_the_name_of_a_learner(cohort, ida, teacher):
    ada = create_member(cohort, "ada", section="A")
    act_on(cohort, ida, ada)
    held = [str(one.subjects) + one.act + one.about for one in AuditEntry.objects.all()]
    assert len(held) > 10
    assert not [one for one in held if re.search(r"\bada\b", one, re.IGNORECASE)]


def act_on(cohort, ida, ada):
    """Do what leaves an entry with each kind of subject; return the work that was made."""
    quiz, exercise = create_quiz(), ready_exercise()
    of_quiz, of_code = assign(cohort, quiz), assign(cohort, exercise)
    for one in (of_quiz, of_code):
        save_assignment(assignment=one, by=ida)
    at = timezone.now() - timedelta(hours=1)
    attempt = create_attempt(of_quiz, ada, 1, at)
    code = create_submission(of_code, ada, "wrong", at)
    browser = browser_of(ida)
    for path in (f"attempts/{attempt.pk}/", f"submissions/{code.pk}/", f"people/{ada.pk}/"):
        assert browser.get(teach_class(path)).status_code == 200
    note = comment_on(submission=code, cohort=cohort, by=ida, text="Why?", line=1)
    withdraw_comment(comment=note, by=ida)
    set_exceptions(assignment=of_quiz, members=[ada], values={"minutes": 9}, by=ida)
    set_extra_time(members=[ada], percent=25, by=ida)
    announce(cohort=cohort, by=ida, title="Tomorrow", text="")
    facts = {"name": ada.name, "email": ada.email, "external_id": "", "login_id": ""}
    more = {"role": "student", "extra_time_percent": 0, "section": "B"}
    change_member(member=ada, by=ida, **facts, **more)
    version = quiz.places.first().question.current
    browser.get(teach_class(f"results/{version.pk}/answers/?quiz={quiz.slug}&section=B"))
    named = [
        quiz.as_subject(),
        exercise.as_subject(),
        create_lesson("log", course=cohort.course).as_subject(),
        Plot.objects.create(course=cohort.course, slug="coin", text="x = 1").as_subject(),
        Subject.of(Kind.MISTAKE, f"{exercise.slug}/swap", "They are swapped."),
        Subject.of(Kind.ACCOUNT, ida.pk),
    ]
    for one in named:
        record(by=ida, act="named", subjects=[one], course=cohort.course, cohort=cohort.slug)
    return SimpleNamespace(attempt=attempt, code=code, quiz=quiz, exercise=exercise)


def test_every_link_of_the_log_leads_to_a_page(cohort, ida, teacher):
    ada = create_member(cohort, "ada", section="A")
    work = act_on(cohort, ida, ada)
    found = {one.kind for entry in AuditEntry.objects.all() for one in subjects_of(entry)}
    assert found == set(Kind) == set(_FINDERS)
    for sees_course in (False, True):
        if sees_course:
            CourseStaff.objects.create(course=cohort.course, user=ida, role="viewer")
        said = lines(teacher)
        names = {pair for _, named in said for pair in named} - {("ida", ""), ("coin", "")}
        assert all(address for _, address in names), names
        for _, address in names:
            assert teacher.get(address, follow=True).status_code == 200, address
        title = f"{work.exercise.current.title}, submission {work.code.pk}"
        there = teach_class(f"submissions/{work.code.pk}/")
        assert ("commented on", [(title, there), ("Ada", member_page(ada))]) in said
        assert ("moved to another section", "section B") in [
            (act, named[-1][0]) for act, named in said
        ]


def test_work_that_the_class_sees_no_more_has_no_link(cohort, ida, teacher):
    ada = create_member(cohort, "ada")
    act_on(cohort, ida, ada)
    Membership.objects.filter(pk=ada.pk).update(state="removed")
    for _, named in lines(teacher):
        for words, address in named:
            if re.search(r", (submission|attempt) \d+$", words):
                assert address == ""
            if address:
                assert teacher.get(address, follow=True).status_code == 200, address


def test_a_deleted_announcement_is_named_without_link(cohort, ida, teacher):
    announce(cohort=cohort, by=ida, title="Tomorrow <b>", text="")
    made = Announcement.objects.get()
    page = teach_class("announcements/")
    assert lines(teacher)[0] == (
        "announced",
        [("Tomorrow <b>", f"{page}#announcement-{made.pk}")],
    )
    assert f'id="announcement-{made.pk}"' in teacher.get(page).content.decode()
    take_back(announcement=made, by=ida)
    assert [named for _, named in lines(teacher)] == [[("Tomorrow <b>", "")]] * 2
    assert "<b>" not in teacher.get(teach_class("log/")).content.decode().split("<table")[1]


def test_a_longer_log_takes_no_more_queries(cohort, ida, teacher):
    ada = create_member(cohort, "ada", section="A")
    act_on(cohort, ida, ada)
    few = count_queries(teacher, teach_class("log/"))
    for one in create_members(cohort, range(8)):
        comment_on(
            submission=create_submission(
                cohort.assignments.get(exercise__isnull=False), one, "wrong", one.joined_at
            ),
            cohort=cohort,
            by=ida,
            text="Why?",
        )
    assert len(lines(teacher)) > 20
    assert count_queries(teacher, teach_class("log/")) == few
    root = browser_of(create_superuser())
    few = count_queries(root, "/teach/log/")
    other = create_class("spring")
    announce(cohort=other, by=ida, title="Hello", text="")
    assert count_queries(root, "/teach/log/") == few


def test_many_people_are_folded_and_all_named(cohort, ida, teacher):
    people = create_members(cohort, range(12))
    set_extra_time(members=people, percent=10, by=ida)
    page = teacher.get(teach_class("log/"))
    (line,) = page.context["lines"]
    assert (len(line.names), len(line.folded)) == (6, 6)
    assert all(f">{one.name}</bdi></a>" in page.content.decode() for one in people)


def test_another_class_is_neither_named_nor_linked(cohort, ida, teacher):
    """A key that an entry names may be one of another class: its people stay unknown."""
    other = create_class("spring", course=cohort.course)
    eve = create_member(other, "eve")
    made = announce(
        cohort=other, by=create_member(other, "tom", role="instructor").user, title="X", text=""
    )
    for one in (eve.as_subject(), Subject.of(Kind.ANNOUNCEMENT, made.pk, "Ours")):
        record(by=ida, act="named", subjects=[one], course=cohort.course, cohort=cohort.slug)
    assert [named for _, named in lines(teacher)] == [
        [("Ours", "")],
        [("somebody who is no longer listed", "")],
    ]
    assert teacher.get(teach_class("log/", "spring")).status_code == 404


def test_impossible_key_breaks_no_log(cohort, ida, teacher):
    for kind in Kind:
        for key in ("9" * 30, "١٢", "-1", "", "x" * 300):
            named = [Subject.of(kind, key, "A title")]
            record(by=ida, act="named", subjects=named, course=cohort.course, cohort=cohort.slug)
    assert len(lines(teacher)) > len(Kind)
    assert lines(browser_of(create_superuser()), "/teach/log/")


def test_the_log_of_the_site_leads_to_that_of_a_class(cohort, ida):
    held = assign(cohort, create_quiz())
    save_assignment(assignment=held, by=ida)
    page = browser_of(create_superuser()).get("/teach/log/")
    (line,) = page.context["lines"]
    assert (line.place.words, line.place.address) == (cohort.title, teach_class("log/"))
    assert [(name.words, name.address) for name in line.names] == [("Codes", "")]


OLD = [
    ("submission 12", [["submission", "12", ""]], ""),
    ("answer 3 of attempt 4", [["attempt", "4", ""]], "answer 3"),
    ("member 5 into member 6", [["member", "5", ""], ["member", "6", ""]], ""),
    ("assignment 7: Codes: the first", [["assignment", "7", "Codes: the first"]], ""),
    ("assignment 7, place 8", [["assignment", "7", ""], ["member", "8", ""]], ""),
    ("assignment 7", [["assignment", "7", ""]], ""),
    ("version 2 of question why-scale", [["question", "why-scale", ""]], "version 2"),
    (
        "quiz codes, when no class has it to do",
        [["quiz", "codes", ""]],
        "when no class has it to do",
    ),
    (
        "question a: a version 1 by version 2: Right for everybody, 3 answers",
        [["question", "a", ""]],
        "a version 1 by version 2: Right for everybody, 3 answers",
    ),
    (
        "exercise add by version 2: 5 submissions",
        [["exercise", "add", ""]],
        "by version 2: 5 submissions",
    ),
    ("question a when it had closed: why", [["question", "a", ""]], "when it had closed: why"),
    ("answers to a version 3", [["question", "a", ""]], "answers to version 3"),
    ("account 9", [["account", "9", ""]], ""),
    ("3 added, 1 changed, 0 removed", [], "3 added, 1 changed, 0 removed"),
    ("marks, canvas", [], "marks, canvas"),
    ("sinusoidal-table/swap", [["mistake", "sinusoidal-table/swap", ""]], ""),
    ("", [], ""),
]


@pytest.mark.both_databases
def test_older_entries_are_named_once_and_again(ida):
    from django.apps import apps

    migration = import_module("quizzes.courses.migrations.0006_subjects_of_older_entries")
    for text, _, _ in OLD:
        AuditEntry.objects.create(by=ida, by_number=ida.pk, act="did", about=text)
    for _ in range(2):
        migration.fill(apps, None)
        rows = AuditEntry.objects.order_by("pk").values_list("subjects", "about")
        assert [*rows] == [(subjects, about) for _, subjects, about in OLD]


def test_an_older_entry_has_the_title_of_now(cohort, ida, teacher):
    held = assign(cohort, create_quiz())
    facts = {"by": ida, "by_number": ida.pk, "act": "made an exception", "cohort": cohort.slug}
    AuditEntry.objects.create(**facts, subjects=[["assignment", str(held.pk), ""]])
    AuditEntry.objects.create(**facts, subjects=[["submission", "12345", ""]])
    assert [named for _, named in lines(teacher)] == [
        [("submission 12345", "")],
        [("Codes", teach_class(f"assignments/{held.pk}/"))],
    ]
    assert "assignment 1" not in unescape(teacher.get(teach_class("log/")).content.decode())


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("told those whom a mistake concerns", "messaged those whom a mistake concerns"),
        ("went to mend the step of a mistake", "went to edit the step of a mistake"),
        ("said that a mistake is none", "said that it is not a mistake"),
        ("took back that a mistake is none", "took back that it is not a mistake"),
        ("had a mistake asked again", "had a mistake asked again"),
        ("mistake ask", "had a mistake asked again"),
    ],
)
def test_older_acts_are_read_in_new_words(cohort, ida, teacher, stored, shown):
    AuditEntry.objects.create(by=ida, by_number=ida.pk, act=stored, cohort=cohort.slug)
    assert lines(teacher)[0] == (shown, [])
    assert f">{shown}</td>" in teacher.get(teach_class("log/")).content.decode()
    assert AuditEntry.objects.filter(act=stored).exists(), "entries never change"


@pytest.mark.soak
def test_class_log_fits_a_phone(cohort, ida, teacher, new_page):
    act_on(cohort, ida, create_member(cohort, "ada", section="A"))
    html = teacher.get(teach_class("log/")).content.decode()
    html = re.sub(r"<link[^>]*stylesheet[^>]*>|<script.*?</script>", "", html, flags=re.DOTALL)
    styles = bundle_text() + (ROOT / "static/css/teaching.css").read_text()
    page = new_page(viewport={"width": 390, "height": 844})
    page.set_content(html.replace("</head>", f"<style>{styles}</style></head>"))
    table = page.locator(".table-scroll")
    assert table.evaluate("one => [one.scrollWidth, one.clientWidth]") == [358, 358]
    labels = (
        page.locator("tbody tr")
        .first.locator("> *")
        .evaluate_all("cells => cells.map(cell => getComputedStyle(cell, '::before').content)")
    )
    assert labels == ['"When"', '"Who"', '"Action"', '"What"']

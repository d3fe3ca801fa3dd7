"""Pages of assignments, exceptions, marks and downloads; the learner's page of a class."""

import csv
import io
import zipfile
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from quizzes.assessment.models import QuestionVersion, Quiz
from quizzes.classes.assignments import set_exceptions
from quizzes.classes.exports import responses_csv
from quizzes.classes.messages import announce
from quizzes.classes.models import (
    Assignment,
    AssignmentException,
    Comment,
    MarkOverride,
    Membership,
)
from quizzes.courses.models import AuditEntry, CourseStaff
from quizzes.learners.models import User
from quizzes.teaching.people import urls as people_urls
from quizzes.teaching.work import urls as work_urls
from tests.exercises.making import ready_exercise
from tests.factories import (
    DAY,
    assign,
    create_attempt,
    create_class,
    create_lesson,
    create_member,
    create_members,
    create_question,
    create_quiz,
    create_submission,
    read_step,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def teacher(cohort, client):
    member = create_member(cohort, "teacher", role="instructor")
    client.force_login(member.user)
    return member


def page_of(cohort, page=""):
    return f"/teach/classes/{cohort.slug}/{page}"


def test_messages_isolate_names_and_titles(cohort, teacher, client):
    ada = create_member(cohort)
    Membership.objects.filter(pk=ada.pk).update(name="עדה")
    held = assign(cohort, create_quiz())
    Quiz.objects.filter(pk=held.quiz_id).update(title="קודים")
    ticked = {"do": "set", "member": ada.pk, "minutes": "9"}
    for path, form, words in (
        (f"assignments/{held.pk}/exceptions/", ticked, "Changed for \u2068עדה\u2069."),
        (f"people/{ada.pk}/remove/", {}, "\u2068עדה\u2069 is no longer in the class."),
        (f"assignments/{held.pk}/remove/", {}, "“\u2068קודים\u2069” "),
    ):
        page = client.post(page_of(cohort, path), form, follow=True)
        assert words in page.content.decode(), path


def typed(**more):
    """The form of an assigned quiz as a browser sends it."""
    facts = {
        "points": "10",
        "opens_at": "2026-10-01T08:00",
        "due_at": "2026-10-24T23:59",
        "closes_at": "2026-10-31T23:59",
        "late_percent_per_day": "10",
        "attempts": "2",
        "minutes": "30",
        "counts": "best",
        "shows_marks": "at_once",
        "shows_answers": "after_close",
        "practice": "",
        "place": "",
        "is_visible": "on",
    }
    return facts | more


def test_picker_assigns_work_of_every_kind(client, cohort, teacher):
    create_quiz()
    listed = client.get(page_of(cohort, "assignments/")).content.decode()
    assert '<option value="quiz:codes">' in listed
    where = page_of(cohort, "assignments/new/?work=quiz:codes")
    assert client.post(where, typed()).status_code == 302
    assert Assignment.objects.get().title in listed
    for work, status in (("quiz:gone", 404), ("codes", 302), ("course:codes", 302)):
        assert client.get(page_of(cohort, f"assignments/new/?work={work}")).status_code == status


def test_a_quiz_is_assigned_in_the_time_zone_of_the_class(client, cohort, teacher):
    create_quiz()
    where = page_of(cohort, "assignments/new/?quiz=codes")
    assert client.get(where).status_code == 200
    answer = client.post(where, typed())
    assert answer.status_code == 302
    made = Assignment.objects.get()
    assert made.due_at == datetime(2026, 10, 24, 21, 59, tzinfo=UTC)  # summer time
    assert made.closes_at == datetime(2026, 10, 31, 22, 59, tzinfo=UTC)  # winter time
    assert made.practice == "after_close"  # not while answers are hidden
    assert "Saturday" not in client.get(page_of(cohort, "assignments/")).content.decode()[:200]
    assert "24 Oct, 23:59" in client.get(page_of(cohort, "assignments/")).content.decode()
    assert AuditEntry.objects.filter(act="assigned", cohort=cohort.slug).exists()
    again = client.get(page_of(cohort, f"assignments/{made.pk}/")).content.decode()
    assert 'value="2026-10-24T23:59"' in again


@pytest.mark.covering(most=5)
@pytest.mark.parametrize(
    ("wrong", "field", "words"),
    [
        ({"points": "0"}, "points", "greater than or equal to 0.01"),
        ({"points": "ten"}, "points", "Enter a number"),
        ({"opens_at": ""}, "opens_at", "required"),
        ({"opens_at": "tomorrow"}, "opens_at", "&#x27;tomorrow&#x27; is not a date and time"),
        ({"due_at": "2026-09-01T08:00"}, "due_at", "is due before it opens"),
        ({"closes_at": "2026-10-10T08:00"}, "closes_at", "closes before it is due"),
        ({"due_at": "2026-10-25T02:30"}, "due_at", "happens twice in Vienna"),
        ({"opens_at": "2026-03-29T02:30"}, "opens_at", "does not exist in Vienna"),
        ({"opens_at": "0001-01-01T00:30"}, "opens_at", "is outside the calendar"),
        (
            {"grace_minutes": "9", "closes_at": "2026-10-25T00:07"},
            "closes_at",
            "It closes before the 9 minutes of grace are over: set a later time.",
        ),
        ({"late_percent_per_day": "101"}, "late_percent_per_day", "less than or equal to 100"),
        ({"attempts": "0"}, "attempts", "greater than or equal to 1"),
        ({"minutes": "1e9"}, "minutes", "Enter a whole number"),
        ({"minutes": "999999999"}, "minutes", "less than or equal to"),
        ({"closes_at": "", "due_at": ""}, "shows_answers", "It never closes, and there is no due"),
        ({"due_at": "", "shows_marks": "after_due"}, "shows_marks", "There is no due date"),
        ({"counts": "mean"}, "counts", "Select a valid choice"),
    ],
)
def test_bad_input_is_told_at_its_field_and_nothing_is_lost(
    client, cohort, teacher, wrong, field, words
):
    create_quiz()
    answer = client.post(page_of(cohort, "assignments/new/?quiz=codes"), typed(**wrong))
    assert answer.status_code == 400
    page = answer.content.decode()
    told = page.split(f'id="id_{field}_error"')[1].split("</div>")[0]
    assert words in told
    assert 'value="30"' in page or "minutes" in wrong  # the rest is still there
    assert not Assignment.objects.exists()


def test_two_editors_of_one_assignment_are_told(client, cohort, teacher):
    one = assign(cohort, create_quiz())
    where = page_of(cohort, f"assignments/{one.pk}/")
    sent = typed(revision=one.revision)
    assert client.post(where, sent).status_code == 302
    answer = client.post(where, sent | {"points": "20"})
    assert answer.status_code == 400
    assert "Somebody else has changed" in answer.content.decode()
    assert Assignment.objects.get().points == Decimal(10)


def test_an_assignment_with_work_is_not_removed(client, cohort, teacher):
    ada = create_member(cohort)
    one, two = (
        assign(cohort, create_quiz()),
        assign(cohort, create_quiz("more")),
    )
    create_attempt(one, ada, 1, timezone.now())
    for which in (one, two):
        client.post(page_of(cohort, f"assignments/{which.pk}/remove/"))
    assert list(Assignment.objects.all()) == [one]


def test_only_editors_of_the_course_make_a_quiz_class_only(client, cohort, teacher):
    one = assign(cohort, create_quiz())
    where = page_of(cohort, f"assignments/{one.pk}/class-only/")
    assert client.post(where, {"class_only": "yes"}).status_code == 302
    assert not Quiz.objects.get().class_only
    CourseStaff.objects.create(course=cohort.course, user=teacher.user, role="editor")
    shown = client.get(page_of(cohort, f"assignments/{one.pk}/")).content.decode()
    assert "Anybody can still open this quiz without an account" in shown
    assert client.post(where, {"class_only": "yes"}).status_code == 302
    assert Quiz.objects.get().class_only


def test_exceptions_for_many_at_once_by_a_filter(client, cohort, teacher):
    for number in range(6):
        create_member(cohort, f"student-{number}", section="A" if number < 3 else "B")
    one = assign(cohort, create_quiz(), due_at=timezone.now(), minutes=20)
    where = page_of(cohort, f"assignments/{one.pk}/exceptions/?section=A")
    shown = client.get(where).content.decode()
    assert ("Student-0" in shown, "Student-4" in shown) == (True, False)
    sent = {"do": "set", "all": "yes", "minutes": "40", "note": "tired"}
    assert client.post(where, sent).status_code == 302
    assert (
        sorted(AssignmentException.objects.values_list("membership__section", "minutes"))
        == [("A", 40)] * 3
    )
    nobody = client.post(where, {"do": "set", "minutes": "40"})
    assert nobody.status_code == 400
    assert "Nobody was selected" in nobody.content.decode()
    empty = client.post(where, {"do": "set", "all": "yes"})
    assert "Change at least one field" in empty.content.decode()
    late = (timezone.now() - 30 * DAY).strftime("%Y-%m-%dT%H:%M")
    wrong = client.post(where, {"do": "set", "all": "yes", "due_at": late})
    assert "For Student-0, the assignment is due before it opens" in wrong.content.decode()
    key = Membership.objects.get(name="Student-0").pk
    client.post(where, {"do": "remove", "member": key})
    assert AssignmentException.objects.count() == 2
    client.post(page_of(cohort, "extra-time/?section=B"), {"all": "yes", "percent": "50"})
    assert Membership.objects.filter(extra_time_percent=50).count() == 3


def test_assistants_give_extensions_and_set_no_marks(client, cohort):
    helper, ada = create_member(cohort, "helper", role="assistant"), create_member(cohort)
    one = assign(cohort, create_quiz(), due_at=timezone.now())
    client.force_login(helper.user)
    where = page_of(cohort, f"assignments/{one.pk}/exceptions/")
    assert client.post(where, {"do": "set", "member": ada.pk, "attempts": "3"}).status_code == 302
    mark = page_of(cohort, f"marks/{one.pk}/{ada.pk}/")
    shown = client.get(mark).content.decode()
    assert "Set the mark by hand" not in shown
    assert client.post(mark, {"points": "3", "reason": "-"}).status_code == 403
    assert client.get(page_of(cohort, f"assignments/{one.pk}/")).status_code == 403
    assert not MarkOverride.objects.exists()


def test_a_mark_is_set_by_hand_with_a_reason_that_the_student_reads(client, cohort, teacher):
    ada = create_member(cohort)
    one = assign(cohort, create_quiz(), due_at=timezone.now() - DAY, late_percent_per_day=10)
    create_attempt(one, ada, 1, timezone.now())
    where = page_of(cohort, f"marks/{one.pk}/{ada.pk}/")
    shown = client.get(where).content.decode()
    assert "1.00 of 2.00" in shown
    assert "lost 20 %" in shown
    assert client.post(where, {"points": "8.5", "reason": ""}).status_code == 400
    assert client.post(where, {"points": "-1", "reason": "no"}).status_code == 400
    assert client.post(where, {"points": "8.5", "reason": "spoke in class"}).status_code == 302
    table = client.get(page_of(cohort, "marks/")).content.decode()
    assert "8.50" in table
    client.force_login(ada.user)
    own = client.get(f"/class/{cohort.slug}/").content.decode()
    assert "Set by hand: spoke in class" in own
    assert "Without this override, the mark would be: 4 points." in own


def test_what_is_said_of_a_mark_set_by_hand_is_true(client, cohort, teacher):
    ada, one = create_member(cohort), assign(cohort, create_quiz(), points=12)
    where = page_of(cohort, f"marks/{one.pk}/{ada.pk}/")

    def saved(points, reason):
        fields = {"points": points, "reason": reason}
        return client.post(where, fields, follow=True).content.decode()

    whole = saved("12", "oral")
    assert "Saved. The student sees the reason with the mark." in whole
    assert "more than the assignment is worth" not in whole
    assert "99.00 of 12.00: more than the assignment is worth" in saved("99", "bonus")
    assert "Final; more than the assignment is worth" in client.get(where).content.decode()
    back = saved("", "mistyped")
    assert "Taken back. Staff see the reason below" in back
    assert "The student sees" not in back
    client.force_login(ada.user)
    assert "mistyped" not in client.get(f"/class/{cohort.slug}/").content.decode()


def test_a_student_reads_what_is_due_next_in_words(client, cohort):
    ada, now = create_member(cohort), timezone.now()
    later = assign(cohort, create_quiz("later"), due_at=now + 5 * DAY)
    sooner = assign(cohort, create_lesson("sooner"), due_at=now + 2 * DAY + timedelta(hours=1))
    hidden = assign(cohort, create_quiz("hidden"), is_visible=False)
    client.force_login(ada.user)
    shown = client.get("/class/", follow=True).content.decode()
    assert shown.index("Sooner") < shown.index("Later")
    work, _, new = shown.partition("New since your class started")
    assert "Hidden" not in work
    assert "/quiz/later/" in new
    assert "/learn/sooner/" in new
    assert "in Vienna" in shown
    assert "in 2 days" in shown
    assert [one.pk for one in (later, sooner, hidden)]
    read_step(ada, sooner.lesson, "one", now)
    read_step(ada, sooner.lesson, "two", now)
    shown = client.get(f"/class/{cohort.slug}/").content.decode().partition("New since")[0]
    assert "2 of 2 steps done in time" in shown
    assert shown.count("Sooner") == 2  # among the marks only


def test_a_new_question_is_told_by_its_words(client, cohort):
    ada = create_member(cohort)
    question = create_question("names-nobody-reads")
    QuestionVersion.objects.filter(question=question).update(prompt="Which *capital*?", step="a/b")
    client.force_login(ada.user)
    new = client.get(f"/class/{cohort.slug}/").content.decode().partition("New since")[2]
    assert "Which <em>capital</em>?</a>" in new
    assert "names-nobody-reads" not in new


def test_a_hidden_mark_is_not_told(client, cohort):
    ada, now = create_member(cohort), timezone.now()
    one = assign(cohort, create_quiz(), closes_at=now + DAY, shows_marks="after_close")
    create_attempt(one, ada, 1, now)
    client.force_login(ada.user)
    shown = client.get(f"/class/{cohort.slug}/").content.decode()
    assert "5.00" not in shown
    assert "shown after it closes" in shown
    early = {"closes_at": now, "earlier_on_purpose": True}
    set_exceptions(assignment=one, members=[ada], values=early, by=None)
    assert "5.00" in client.get(f"/class/{cohort.slug}/").content.decode()


FILES = (".csv", ".zip")


def list_pages(cohort):
    """Every page of a class that is no page of one person or thing, by its address."""
    patterns = [*people_urls.IN_A_CLASS, *work_urls.IN_A_CLASS]
    for route in (str(pattern.pattern) for pattern in patterns):
        if "<" not in route and not route.endswith(FILES):
            yield page_of(cohort, route)


@pytest.mark.slow
@pytest.mark.parametrize("most", [16, pytest.param(200, marks=pytest.mark.soak)])
def test_larger_class_takes_no_more_queries(client, cohort, teacher, most):
    now = timezone.now()
    quiz, code, _ = (
        assign(cohort, one, due_at=now)
        for one in (create_quiz(), ready_exercise(), create_lesson())
    )
    own = [page_of(cohort, f"assignments/{quiz.pk}/exceptions/"), "/teach/classes/"]
    mine = [f"/class/{cohort.slug}/", "/messages/"]
    counts, made = [], 0
    for members in (8, most):
        people = create_members(cohort, range(made, members))
        set_exceptions(assignment=quiz, members=people, values={"attempts": 3}, by=None)
        for ada in people[:40]:  # a list shows fifty
            create_attempt(quiz, ada, 1, now - DAY)
            work = create_submission(code, ada, "wrong", now - DAY)
            Comment.objects.create(cohort=cohort, submission=work, text="Why?", by=teacher.user)
        announce(cohort=cohort, by=teacher.user, title=f"We are {members}", text="-")
        assign(cohort, create_quiz(f"more-{members}"))  # more work takes no more queries either
        made, found = members, {}
        for page in [*list_pages(cohort), *own, *mine]:
            client.force_login((people[0] if page in mine else teacher).user)
            answer = client.get(page)  # what a process keeps for all, such as an order, is kept
            if answer.status_code == 405:
                continue  # of forms that are sent alone
            with CaptureQueriesContext(connection) as asked:
                client.get(page)
            found[page] = len(asked)
        counts.append(found)
    assert counts[0] == counts[1]
    assert {page: count for page, count in counts[1].items() if count > 25} == {}
    assert len(counts[1]) > 15


# ---- downloads


def rows_of(answer):
    data = b"".join(answer.streaming_content)
    assert data.startswith(b"\xef\xbb\xbf")
    assert b"\n" not in data.replace(b"\r\n", b"")
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


@pytest.fixture
def worked(cohort, teacher):
    """Two members, one of whom has a name that a spreadsheet would run."""
    now = timezone.now()
    ada = create_member(cohort, "ada", external_id="0042", login_id="ada42", section="A")
    eve = create_member(cohort, "eve")
    Membership.objects.filter(pk=eve.pk).update(name='=HYPERLINK("http://evil","x")')
    quiz = assign(cohort, create_quiz(), due_at=now)
    code = assign(cohort, ready_exercise(), points=Decimal(5))
    create_attempt(quiz, ada, 1, now - DAY)
    create_submission(code, ada, "wrong", now - DAY)
    create_submission(code, ada, "correct", now - DAY / 2)
    set_exceptions(assignment=quiz, members=[eve], values={"is_excused": True}, by=None)
    return {"ada": ada, "eve": eve, "quiz": quiz, "code": code}


def test_the_plain_table_of_marks(client, cohort, worked):
    rows = rows_of(client.get(page_of(cohort, "marks.csv")))
    slug = worked["code"].slug
    assert rows[0] == [
        "email",
        "name",
        "external_id",
        "login_id",
        "section",
        "codes (10.00)",
        f"{slug} (5.00)",
        "total",
        "percent",
    ]
    eve, ada = rows[1], rows[2]
    assert ada == ["ada@example.org", "Ada", "0042", "ada42", "A", "5.00", "5.00", "10.00", "66.7"]
    assert eve[1] == '\'=HYPERLINK("http://evil","x")'
    assert eve[3:] == ["eve", "", "excused", "", "0.00", ""]
    assert AuditEntry.objects.filter(act="downloaded").exists()


def test_moodle_gets_addresses_and_titles(client, cohort, worked):
    rows = rows_of(client.get(page_of(cohort, "marks.csv?as=moodle")))
    assert rows[0][:2] == ["Email address", "Codes"]
    assert rows[2] == ["ada@example.org", "5.00", "5.00"]
    assert client.get(page_of(cohort, "marks.csv?as=excel")).status_code == 400


def test_marks_name_people_as_the_roster_does(client, cohort, worked):
    ada, eve = worked["ada"], worked["eve"]
    Membership.objects.filter(pk=ada.pk).update(email="", name="Lovelace, Ada", login_id="")
    Membership.objects.filter(pk=eve.pk).update(email="", external_id="eve@example.org")
    User.objects.filter(pk=eve.user_id).update(email="ada@example.org")
    Membership.objects.create(cohort=cohort, name="Nell")
    plain = rows_of(client.get(page_of(cohort, "marks.csv")))
    assert {row[1]: [row[0], row[3]] for row in plain[1:]} == {
        '\'=HYPERLINK("http://evil","x")': ["", "eve"],
        "Lovelace, Ada": ["", "ada"],  # two accounts have the address
        "Nell": ["", ""],
    }
    User.objects.filter(pk=eve.user_id).update(email="")
    moodle = rows_of(client.get(page_of(cohort, "marks.csv?as=moodle")))
    assert [row[0] for row in moodle[1:]] == ["ada@example.org"]
    canvas = rows_of(client.get(page_of(cohort, "marks.csv?as=canvas")))
    assert ["Lovelace, Ada", "", "0042", "ada", "A"] in [row[:5] for row in canvas]
    assert "Nell" not in {row[0] for row in canvas}
    page = " ".join(client.get(page_of(cohort, "exports/")).content.decode().split())
    assert "2 students have no address and are left out of the file for Moodle" in page
    assert "1 of them also has no id or login" in page


def test_responses_have_times_with_an_offset(client, cohort, worked):
    rows = rows_of(client.get(page_of(cohort, "responses.csv")))
    assert len(rows) == 3
    found = [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]
    assert [one["right"] for one in found] == ["yes", "no"]
    assert [one["answer"] for one in found] == ["right", "wrong"]
    assert datetime.fromisoformat(found[0]["submitted_at"]).utcoffset() is not None
    assert found[0]["submitted_at"][-6] in "+-"


def test_responses_read_a_few_attempts_at_a_time_are_the_same(client, cohort, teacher, monkeypatch):
    quiz, now = assign(cohort, create_quiz()), timezone.now()
    for number, member in enumerate(create_members(cohort, range(5))):
        create_attempt(quiz, member, number % 3, now - DAY)
    address = page_of(cohort, "responses.csv")
    at_once = rows_of(client.get(address))
    monkeypatch.setattr(responses_csv, "ATTEMPTS_AT_ONCE", 2)
    assert rows_of(client.get(address)) == at_once
    assert len(at_once) == 1 + 5 * 2


@pytest.mark.parametrize("which", ["counted", "newest"])
def test_code_comes_with_an_index(client, cohort, worked, which):
    answer = client.get(page_of(cohort, f"submissions.zip?which={which}"))
    archive = zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))
    assert archive.testzip() is None
    index = archive.read("index.csv").decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(index, newline="")))
    assert [one["verdict"] for one in rows] == ["correct"]
    assert archive.read(rows[0]["file"]) == b"print(1)"
    assert ".." not in rows[0]["file"]
    assert client.get(page_of(cohort, "submissions.zip?which=all")).status_code == 400


def a_canvas_export(*people, columns=("Codes (71)",)):
    lines = [["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *columns, "Final Score"]]
    lines.append(["    Points Possible", "", "", "", "", *["10"] * len(columns), "(read only)"])
    lines += [[*person, *[""] * len(columns), ""] for person in people]
    text = io.StringIO()
    csv.writer(text).writerows(lines)
    return SimpleUploadedFile("Grades.csv", text.getvalue().encode())


def test_canvas_gets_its_ids_and_takes_the_file_back(client, cohort, worked):
    from tests.classes.canvas_import import take_in

    title = Assignment.objects.get(pk=worked["code"].pk).title
    columns = ("Codes (71)", f"{title} (72)")
    file = a_canvas_export(
        ("Lovelace, Ada", "901", "0042", "ada42", "Morning"),
        ("Eve", "902", "", "eve", "Morning"),
        columns=columns,
    )
    answer = client.post(page_of(cohort, "exports/"), {"file": file})
    data = b"".join(answer.streaming_content)
    taken = take_in(data, students={"901", "902"}, assignments={"71": 10, "72": 5})
    assert taken == {("901", "71"): "5.00", ("901", "72"): "5.00", ("902", "71"): "EX"}
    assert b"0042" in data


def test_ambiguous_keys_are_left_to_a_person(client, cohort, worked):
    file = a_canvas_export(("Ada", "901", "0042", "ada42", "M"), ("Ada B.", "903", "", "ada", "M"))
    answer = client.post(page_of(cohort, "exports/"), {"file": file})
    page = answer.content.decode()
    assert answer.status_code == 400
    assert "Ada could be any of these: line 3 (Ada), line 4 (Ada B.). None was chosen." in page
    assert "is not in the Canvas file" in page
    file.seek(0)
    answer = client.post(page_of(cohort, "exports/"), {"file": file, "leave_out": "yes"})
    rows = rows_of(answer)
    assert len(rows) == 2  # nobody is guessed


@pytest.mark.covering(most=2)
@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "file is empty"),
        (b"a,b\n1,2\n", "no column"),
        (b"Student,ID,Section\nJos\x81", "Line 2: byte 23 (0x81) is neither UTF-8 nor"),
        (b"Student,ID,Section\n\0", "NUL"),
        (b'Student,ID,Section\n"a', "cannot be read as a table"),
    ],
)
def test_a_file_that_is_no_export_of_canvas_is_told(client, cohort, worked, data, words):
    file = SimpleUploadedFile("x.csv", data)
    answer = client.post(page_of(cohort, "exports/"), {"file": file})
    assert answer.status_code == 400
    assert words in answer.content.decode()


def test_an_attempt_under_way_was_not_handed_in_at_its_deadline(client, cohort, teacher):
    now = timezone.now()
    quiz = assign(cohort, create_quiz())
    for name, ends in (("ada", now + DAY), ("bob", now - DAY)):
        create_attempt(
            quiz, create_member(cohort, name), 1, now - DAY, deadline=ends, written=False
        )
    rows = rows_of(client.get(page_of(cohort, "responses.csv")))
    column = rows[0].index("submitted_at")
    assert {row[1]: bool(row[column]) for row in rows[1:]} == {"Ada": False, "Bob": True}


@pytest.mark.covering(most=2)
@pytest.mark.parametrize("number", ["9" * 5000, "\N{SUPERSCRIPT TWO}", "-1", "x"])
def test_a_number_that_is_none_chooses_nobody(client, cohort, teacher, number):
    one = assign(cohort, create_quiz())
    ada = create_member(cohort)
    for page, fields in (
        (f"assignments/{one.pk}/exceptions/", {"do": "set", "member": number, "attempts": "2"}),
        ("extra-time/", {"member": number, "percent": "10"}),
    ):
        answer = client.post(page_of(cohort, page), fields)
        assert answer.status_code == 400
        assert "Nobody was selected" in answer.content.decode()
    merge = client.post(page_of(cohort, f"people/{ada.pk}/merge/"), {"joined": number})
    assert merge.status_code == 404


def test_an_assignment_without_its_revision_is_not_overwritten(client, cohort, teacher):
    one = assign(cohort, create_quiz())
    answer = client.post(page_of(cohort, f"assignments/{one.pk}/"), typed(points="3"))
    assert "Somebody else has changed" in answer.content.decode()
    one.refresh_from_db()
    assert one.points == 10


def test_hiding_an_exercise_does_not_make_its_work_removable(client, cohort, teacher):
    one = assign(cohort, ready_exercise(), is_visible=False)
    create_submission(one, create_member(cohort), "wrong", timezone.now())
    client.post(page_of(cohort, f"assignments/{one.pk}/remove/"))
    assert Assignment.objects.filter(pk=one.pk).exists()


@pytest.mark.both_databases
def test_new_things_of_the_course_are_named_but_none_of_an_exam(client, cohort):
    ada = create_member(cohort)
    exam, secret = create_quiz("exam"), create_quiz("secret")
    create_quiz("open")
    assign(cohort, exam, shows_answers="never")
    Quiz.objects.filter(pk=secret.pk).update(class_only=True)
    old = create_quiz("old", questions=0)
    Quiz.objects.filter(pk=old.pk).update(made_at=None)
    ready_exercise()
    create_lesson("basics")
    client.force_login(ada.user)
    shown = client.get(f"/class/{cohort.slug}/")
    named = {(one["kind"], one["title"]) for one in shown.context["new"]}
    assert {("Lesson", "Basics"), ("Quiz", "Open"), ("Question", "What of open-1?")} < named
    assert {"Exercise", "Lesson", "Quiz", "Question"} == {kind for kind, _ in named}
    hidden = {f"What of {slug}?" for slug in ("exam-1", "exam-2", "secret-1", "secret-2")}
    assert hidden.isdisjoint(title for _, title in named)
    assert {"Secret", "Old"}.isdisjoint(title for _, title in named)


def test_an_archived_class_is_found_by_its_students_and_has_nothing_due(client, cohort):
    ada, other = create_member(cohort), create_class("spring")
    create_member(other)
    quiz = assign(cohort, create_quiz(), due_at=timezone.now() + DAY)
    create_attempt(quiz, ada, 1, timezone.now() - DAY)
    assign(cohort, ready_exercise(), due_at=timezone.now() + DAY)
    client.force_login(ada.user)
    where = f"/class/{cohort.slug}/"
    assert "Due next" in client.get(where).content.decode()
    cohort.archived_at = timezone.now()
    cohort.save()
    page = client.get(where).content.decode()
    assert "This class is archived" in page
    assert "Due next" not in page
    assert "5.00" in page
    listed = client.get("/class/").content.decode()
    current, _, archived = listed.partition("Archived")
    assert where in archived
    assert where not in current
    assert "/class/spring/" in current


def test_a_quiz_of_an_archived_class_leads_to_ones_own_attempt(client, cohort):
    """Its own page is there for nobody when only classes may open it."""
    ada, now = create_member(cohort), timezone.now()
    quizzes = {slug: create_quiz(slug) for slug in ("counted", "excused", "blank", "free")}
    work = {slug: assign(cohort, quiz) for slug, quiz in quizzes.items()}
    best = create_attempt(work["counted"], ada, 2, now - 2 * DAY)
    create_attempt(work["counted"], ada, 1, now - DAY)
    MarkOverride.objects.create(assignment=work["counted"], membership=ada, points=9, reason="-")
    AssignmentException.objects.create(
        assignment=work["excused"], membership=ada, is_excused=True, note="-"
    )
    older, newer = (create_attempt(work["excused"], ada, 1, now - days * DAY) for days in (2, 1))
    Quiz.objects.exclude(slug="free").update(class_only=True)
    cohort.archived_at = now
    cohort.save()
    client.force_login(ada.user)
    page = client.get(f"/class/{cohort.slug}/")
    led = {one.assignment.title: one.address for one in page.context["page"].lines}
    assert led == {
        "Counted": best.review_address,
        "Excused": newer.review_address,
        "Blank": "",
        "Free": quizzes["free"].get_absolute_url(),
    }
    assert older.pk < newer.pk
    assert "<span>Blank</span>" in page.content.decode()
    assert {client.get(one).status_code for one in led.values() if one} == {200}


@pytest.mark.parametrize(
    ("days", "words"), [(20, "counts only if it solved the exercise"), (3, "")]
)
def test_code_from_before_the_opening_is_told_to_count_only_if_it_solves(
    client, cohort, teacher, days, words
):
    ada, now = create_member(cohort), timezone.now()
    one = assign(cohort, ready_exercise(), exercise_counts="cases", opens_at=now - 10 * DAY)
    create_submission(one, ada, "wrong", now - days * DAY, passed=3)
    page = client.get(page_of(cohort, f"marks/{one.pk}/{ada.pk}/")).content.decode()
    assert "3 of 5 cases" in page
    assert ("before it opened" in page) == bool(words)
    assert words in page

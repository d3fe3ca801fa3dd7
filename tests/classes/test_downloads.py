"""Files of a class: what comes back of them, and the separator that a browser chose."""

import io
import zipfile
from datetime import UTC, datetime
from decimal import Decimal
from types import SimpleNamespace

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from quizzes.assessment.models import Response
from quizzes.classes.exports.csv_lines import as_typed, csv_lines
from quizzes.classes.exports.marks_csv import plain_rows
from quizzes.classes.exports.responses_csv import response_rows
from quizzes.classes.marks.cells import Cell, State
from quizzes.classes.marks.reader import Marks, MemberMarks
from quizzes.classes.models import Membership
from quizzes.classes.names import fold_name
from quizzes.classes.rosters.identity import identity_of
from quizzes.classes.rosters.reader import read_roster
from tests.classes.spreadsheets import excel
from tests.examples import examples
from tests.factories import (
    DAY,
    assign,
    create_attempt,
    create_member,
    create_quiz,
)

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)
EVERY_SCRIPT = TEXT | st.text(st.sampled_from("=+-@'\";,|\t\n ؤא한あé1"), max_size=12)
STORED = EVERY_SCRIPT.map(fold_name)  # as members have their names and sections
POINTS = st.none() | st.decimals(0, 100, places=2)


def table_of(data, separator):
    """Return the cells of a file as text, as a spreadsheet that splits so has them."""
    assert data.startswith(b"\xef\xbb\xbf")
    rows = excel(data.decode("utf-8-sig"), separator)
    return [[as_typed(cell, separator) for cell in row] for row in rows]


def number(cell, separator):
    return Decimal(cell.replace(",", ".") if separator == ";" else cell) if cell else None


# ---- what comes back


@given(
    st.lists(st.tuples(STORED, STORED, POINTS), max_size=4),
    st.sampled_from(",;"),
)
def test_marks_come_back_as_they_were(people, separator):
    quiz = SimpleNamespace(slug="codes", points=Decimal(10))
    rule = SimpleNamespace(points=quiz.points)
    members = [
        MemberMarks(
            Membership(pk=place, email=f"p{place}@uni.example", name=name, section=section),
            [(quiz, rule, Cell(State.SUBMITTED, value=points, is_due=True))],
            {},
        )
        for place, (name, section, points) in enumerate(people)
        if name  # a nameless member is called by the address
    ]
    found = Marks([quiz], members, datetime.now(UTC))
    who = {one.membership.pk: identity_of(one.membership) for one in members}
    header, *rows = table_of(b"".join(csv_lines(plain_rows(found, who), separator)), separator)
    assert header[5] == "codes (10.00)"
    assert [(row[1], row[4], number(row[5], separator)) for row in rows] == [
        one for one in people if one[0]
    ]


@pytest.fixture
def ada(cohort):
    return create_member(cohort, "ada")


@pytest.fixture
def teacher(cohort, client):
    member = create_member(cohort, "teacher", role="instructor")
    client.force_login(member.user)
    return member


@pytest.fixture
def attempt(cohort, ada):
    quiz = assign(cohort, create_quiz(questions=1), due_at=timezone.now())
    return create_attempt(quiz, ada, 1, timezone.now() - DAY)


@pytest.mark.django_db
@examples(50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    name=STORED.filter(bool),
    answer=EVERY_SCRIPT.filter(bool),
    separator=st.sampled_from(",;"),
)
def test_responses_come_back_as_they_were(cohort, ada, attempt, name, answer, separator):
    Membership.objects.filter(pk=ada.pk).update(name=name)
    Response.objects.update(choice=None, text=answer)
    header, row = table_of(b"".join(csv_lines(response_rows(cohort), separator)), separator)
    found = dict(zip(header, row, strict=True))
    assert (found["name"], found["answer"]) == (name, answer)
    assert number(found["points"], separator) == 1


# ---- the separator


def page_of(cohort, page):
    return f"/teach/classes/{cohort.slug}/{page}"


def choose(client, cohort, name, back=""):
    return client.post(page_of(cohort, "separator/"), {"separator": name, "back": back})


@pytest.mark.django_db
def test_a_browser_remembers_its_separator(client, cohort, teacher, ada, attempt):
    Membership.objects.filter(pk=ada.pk).update(name="Ödön, =1+1", external_id="1.50")
    results = "results/?quiz=codes&attempts=last"
    for page in ("exports/", "roster/", results):
        body = client.get(page_of(cohort, page)).content.decode()
        assert '<option value="comma" selected>' in body
    answer = choose(client, cohort, "semicolon", back=page_of(cohort, results))
    assert answer["Location"] == page_of(cohort, results)
    assert client.cookies["separator"]["max-age"] > 300 * DAY.total_seconds()
    for page in ("exports/", "roster/", results):
        body = client.get(page_of(cohort, page)).content.decode()
        assert '<option value="semicolon" selected>' in body
    lines = client.get(page_of(cohort, "marks.csv")).getvalue().decode("utf-8-sig")
    assert "Ödön, '=1+1" in lines
    header, row = table_of(client.get(page_of(cohort, "marks.csv")).getvalue(), ";")
    assert header[:2] == ["email", "name"]
    assert row[1] == "Ödön, =1+1"
    assert row[2:] == ["1.50", "ada", "", "10,00", "10,00", "100,0"]  # an id is no number


@pytest.mark.django_db
def test_every_file_that_people_open_has_the_separator(client, cohort, teacher, ada, attempt):
    choose(client, cohort, "semicolon")
    for page in ("marks.csv", "responses.csv", "results.csv", "roster.csv"):
        first = client.get(page_of(cohort, page)).getvalue().splitlines()[0]
        assert first.count(b";") > 3, page
        assert b"," not in first, page
    archive = client.get(page_of(cohort, "submissions.zip")).getvalue()
    index = zipfile.ZipFile(io.BytesIO(archive)).read("index.csv")
    assert index.splitlines()[0].count(b";") > 3
    links = client.post(page_of(cohort, "links.csv")).getvalue()
    assert links.splitlines()[0].endswith(b"email;name;external_id;link")
    roster = read_roster(client.get(page_of(cohort, "roster.csv")).getvalue())
    assert [one.email for one in roster.people] == ["ada@example.org", "teacher@example.org"]


@pytest.mark.django_db
def test_moodle_and_canvas_get_commas_always(client, cohort, teacher, ada, attempt):
    choose(client, cohort, "semicolon")
    files = ("marks.csv?as=moodle", "marks.csv?as=canvas", "roster.csv?as=moodle")
    for page in (*files, "roster.csv?as=canvas"):
        data = client.get(page_of(cohort, page)).getvalue()
        assert b";" not in data, page
        assert len({len(row) for row in table_of(data, ",")}) == 1


@pytest.mark.django_db
def test_another_separator_is_refused_by_name(client, cohort, teacher):
    answer = choose(client, cohort, "pipe")
    assert answer.status_code == 400
    assert answer.content.decode() == "separator=pipe: must be one of comma, semicolon"
    client.cookies["separator"] = "pipe"  # of a version to come, say
    assert b"email,name" in client.get(page_of(cohort, "roster.csv")).getvalue()


@pytest.mark.django_db
def test_canvas_gives_back_titles_and_ids_as_they_were(client, cohort, teacher, ada):
    """Canvas keeps the apostrophe of our file; matching does not see it."""
    quiz = create_quiz(questions=1)
    quiz.title = "=Quiz 1"
    quiz.save()
    assign(cohort, quiz)
    Membership.objects.filter(pk=ada.pk).update(external_id="-a1")
    data = client.get(page_of(cohort, "marks.csv?as=canvas")).getvalue()
    header, _, row = excel(data.decode("utf-8-sig"), ",")
    assert (header[5], row[2]) == ("'=Quiz 1", "'-a1")
    lines = [[*header[:5], f"{header[5]} (71)"], [row[0], "901", *row[2:]]]
    text = "\n".join(",".join(line) for line in lines)
    file = SimpleUploadedFile("Grades.csv", text.encode())
    data = client.post(page_of(cohort, "exports/"), {"file": file}).getvalue()
    found = excel(data.decode("utf-8-sig"), ",")
    assert (found[0][5], found[2][:3]) == ("'=Quiz 1 (71)", ["Ada", "901", "'-a1"])

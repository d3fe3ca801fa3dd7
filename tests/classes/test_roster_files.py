"""Rosters as people have them: encodings, separators, names of columns; the page that asks."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from quizzes.classes.models import Cohort, Membership
from quizzes.classes.rosters.columns import columns_of, guess
from quizzes.classes.rosters.reader import read_roster
from quizzes.classes.rosters.table import MOST_COLUMNS, SEPARATORS
from tests.classes.pages import teach_class
from tests.courses import some_course
from tests.factories import browser_of, create_class

in_database = pytest.mark.django_db
LINES = "email;name\nzoe@u.example;Zoë Müller\n"


def people(data, memory=()):
    found = read_roster(data if isinstance(data, bytes) else data.encode(), memory)
    assert (found.faults, found.asks) == ([], False)
    return [(one.email, one.name, one.external_id, one.login_id) for one in found.people]


# ---- encodings and separators


@pytest.mark.parametrize(
    ("codec", "name"),
    [
        ("utf-8", "UTF-8"),
        ("utf-8-sig", "UTF-8"),
        ("utf-16", "UTF-16"),
        ("cp1252", "Windows-1252"),
        ("latin-1", "Windows-1252"),
    ],
)
def test_each_encoding_is_read_and_named(codec, name):
    data = LINES.encode(codec)
    assert people(data) == [("zoe@u.example", "Zoë Müller", "", "")]
    assert read_roster(data).table.encoding == name


def test_big_endian_utf_16_is_read():
    assert people(b"\xfe\xff" + LINES.encode("utf-16-be"))[0][1] == "Zoë Müller"


@pytest.mark.parametrize(
    ("data", "cause", "line"),
    [
        (LINES.encode("utf-16-le"), "there is a NUL character: save the file as UTF-8", 1),
        (b"\xff\xfea", "byte 3 (0x61) is not UTF-16: save the file as UTF-8", 0),
        (b"\xef\xbb\xbf\xff", "byte 4 (0xFF) is not UTF-8: save the file as UTF-8", 0),
        (
            b"email\na\x81@u.example",
            "byte 8 (0x81) is neither UTF-8 nor Windows-1252: save the file as UTF-8",
            2,
        ),
    ],
)
def test_bytes_that_are_no_text_are_named(data, cause, line):
    (fault,) = read_roster(data).faults
    assert (fault.cause, fault.line) == (cause, line)


@pytest.mark.parametrize("separator", list(",;\t|"))
@pytest.mark.parametrize("start", ["", "sep={}\r\n", '"sep={}"\n'])
def test_each_separator_is_read_with_and_without_its_line(separator, start):
    text = start.format(separator) + LINES.replace(";", separator)
    assert people(text) == [("zoe@u.example", "Zoë Müller", "", "")]
    (line,) = read_roster(text.encode()).people
    assert line.line == (3 if start else 2)


def test_a_separator_inside_quotes_separates_nothing():
    assert people('email,name\na@u.example,"A; B; C | D"\n')[0][1] == "A; B; C | D"


# ---- columns

HEADERS = {
    "en": "First name,Last name,Email address,ID number,Username,Groups",
    "de": "Vorname,Nachname,E-Mail-Adresse,ID-Nummer,Anmeldename,Gruppen",
    "fr": "Prénom,Nom de famille,Adresse de courriel,Numéro d’identification,Nom d’utilisateur,"
    "Groupes",
    "es": "Nombre,Apellido(s),Dirección de correo,Número de ID,Nombre de usuario,Grupos",
    "ru": "Имя,Фамилия,Адрес электронной почты,Индивидуальный номер,Логин,Группы",
}


@pytest.mark.parametrize("header", HEADERS.values(), ids=HEADERS)
def test_columns_of_moodle_are_known_in_each_language(header):
    columns = columns_of(header.split(","))
    expected = ["given", "family", "email", "external_id", "login_id", "section"]
    assert (columns.meanings, columns.form) == (expected, "moodle")


def test_canvas_with_two_columns_for_a_name_is_read():
    text = (
        "LastName,FirstName,ID,SIS User ID,SIS Login ID,Section\n"
        "    Points Possible,,,,,\nLovelace,Ada,1,007,ada,Mon\nStudent,Test,2,,x,\n"
    )
    assert people(text) == [("", "Ada Lovelace", "007", "ada")]


def test_brightspace_has_no_hashes():
    text = (
        "OrgDefinedId,Username,Last Name,First Name,Email,Quiz Points Grade,End-of-Line Indicator\n"
        "#00246,#jdoe,Doe,Jane,j@u.example,4,#\n"
    )
    assert people(text) == [("j@u.example", "Jane Doe", "00246", "jdoe")]
    short = "Username,Last Name,First Name,Email\n#jdoe,Doe,Jane,j@u.example\n"
    assert people(short) == [("j@u.example", "Jane Doe", "", "jdoe")]


@pytest.mark.parametrize(
    ("header", "meanings"),
    [
        ("Name;Vorname;Mail", ["family", "given", "email"]),
        ("Nom;Courriel", ["name", "email"]),
        ("Nombre;Correo electrónico", ["name", "email"]),
        ("E-MAIL;ФИО", ["email", "name"]),
        ("email;Nombre;Apellidos", ["email", "given", "family"]),
    ],
)
def test_parts_of_a_name_are_told_from_whole_names(header, meanings):
    assert list(columns_of(header.split(";")).meanings) == meanings


@pytest.mark.parametrize("field", ["external_id", "login_id", "section"])
@pytest.mark.parametrize("number", ["1.2E+11", "1,20E+11", "5e+15"])
def test_a_shortened_number_is_named(field, number):
    (fault,) = read_roster(f"email;{field}\na@u.example;{number}\n".encode()).faults
    assert fault.cause.startswith(f"{field}: '{number}' is a number that a spreadsheet shortened")


def test_leading_zeros_stay():
    text = "email,external_id\na@u.example,00123\nb@u.example,123\n"
    assert [one[2] for one in people(text)] == ["00123", "123"]


@pytest.mark.parametrize("unseen", list("\u200b\ufeff\u200e\u2060\u00ad\u200d"))
def test_what_is_unseen_is_no_part_of_a_key(unseen):
    text = f"email,external_id,login_id\n{unseen}An{unseen}na@u.example,7{unseen},{unseen}anna\n"
    assert people(text) == [("anna@u.example", "", "7", "anna")]


def test_names_keep_their_joiners():
    name = "\u202aعلی\u200cرضا\u202c \ufeffက\u200dလ"
    assert people(f"email,name\na@u.example,{name}\n")[0][1] == "علی\u200cرضا က\u200dလ"


@pytest.mark.parametrize("ends", [(",", ""), ("", ","), (",", ",,,"), (",,", " , ")])
def test_empty_cells_at_the_end_say_nothing(ends):
    header, row = ends
    text = f"email,name{header}\nzoe@u.example,Zoë{row}\n"
    assert people(text) == [("zoe@u.example", "Zoë", "", "")]


def test_a_cell_beyond_the_columns_is_refused():
    (fault,) = read_roster(b"email,name\nzoe@u.example,Zo\xc3\xab,x,").faults
    assert fault.cause == "has 4 cells, the first line has 2 columns"


@pytest.mark.parametrize("separator", SEPARATORS)
def test_too_many_columns_are_counted(separator):
    first = separator.join(["email", *("more" for _ in range(MOST_COLUMNS))])
    (fault,) = read_roster(f"{first}\n".encode()).faults
    assert fault.cause == f"has {MOST_COLUMNS + 1} cells: at most {MOST_COLUMNS}"


def test_equal_lines_are_one_person():
    text = "email,name\na@u.example,A\nb@u.example,B\nA@u.example , A\na@u.example,Another\n"
    found = read_roster(text.encode())
    assert [(one.line, one.cause) for one in found.left_out] == [(4, "is the same as line 2")]
    assert [one.line for one in found.faults] == [5]


# ---- the page that asks

UNKNOWN = "Kennung,Wer,Bemerkung\nk1,Zoë M,fein\nk2,Bo N,\n"


def test_a_first_row_with_an_address_is_a_person():
    columns = guess(["jane@u.example", "Doe, Jane"], [["bo@u.example", "Noether, Bo"]])
    assert (columns.has_header, list(columns.meanings)) == (False, ["email", "sortable"])


def test_guesses_name_each_meaning_once():
    columns = guess(["Privatmail", "Unimail", "Rufname"], [])
    assert list(columns.meanings) == ["email", "", "given"]


@pytest.fixture
def cohort(ida):
    return create_class(course=some_course(), by=ida)


@in_database
@pytest.mark.both_databases
def test_columns_are_asked_for_and_remembered(cohort, ida):
    browser = browser_of(ida)
    asked = browser.post(teach_class("roster/"), {"text": UNKNOWN})
    assert asked.templates[0].name == "teaching/people/roster_columns.html"
    assert "Zoë M" in asked.content.decode()
    chosen = {"text": asked.context["text"], "first": "names", "column": ["login_id", "name", ""]}
    shown = browser.post(teach_class("roster/"), chosen)
    assert [(one.login_id, one.name) for one in shown.context["plan"].added] == [
        ("k1", "Zoë M"),
        ("k2", "Bo N"),
    ]
    fields = {"text": shown.context["text"], "digest": shown.context["plan"].digest}
    assert browser.post(teach_class("roster/apply/"), fields).status_code == 302
    assert Membership.objects.get(login_id="k1").name == "Zoë M"
    again = browser.post(teach_class("roster/"), {"text": UNKNOWN})
    assert len(again.context["plan"].unchanged) == 2
    other = browser.post(teach_class("roster/"), {"text": UNKNOWN, "choose": "yes"})
    assert [one[1] for one in other.context["columns"]] == ["login_id", "name", ""]
    assert len(Cohort.objects.get().roster_columns) == 1


@in_database
def test_a_file_without_names_of_columns_is_read(cohort, ida):
    browser = browser_of(ida)
    text = 'jane@u.example,"Doe, Jane"\n'
    asked = browser.post(teach_class("roster/"), {"text": text})
    assert asked.context["first"] == "person"
    chosen = {"text": text, "first": "person", "column": ["email", "sortable"]}
    (line,) = browser.post(teach_class("roster/"), chosen).context["plan"].added
    assert (line.line, line.name, line.family_name) == (1, "Jane Doe", "Doe")
    assert len(browser.post(teach_class("roster/"), {"text": text}).context["plan"].added) == 1


@in_database
def test_long_names_of_columns_are_remembered_short(cohort, ida):
    text = f"{'k' * 5000},Wer\nk1,Zoë\n"
    browser = browser_of(ida)
    chosen = {"text": text, "first": "names", "column": ["login_id", "name"]}
    assert len(browser.post(teach_class("roster/"), chosen).context["plan"].added) == 1
    assert len(browser.post(teach_class("roster/"), {"text": text}).context["plan"].added) == 1
    (kept,) = Cohort.objects.get().roster_columns
    assert max(map(len, kept["names"])) <= 200


@in_database
@pytest.mark.parametrize(
    ("column", "words"),
    [
        (
            ["", "name", ""],
            "Choose a column that identifies people: the e-mail address, the id or the login",
        ),
        (["name", "name", "email"], "More than one column is set to “Name”: choose only one."),
        (["email", "name"], "The file’s columns have changed."),
        (["email", "name", "boss"], "The file’s columns have changed."),
    ],
)
def test_a_choice_that_names_nobody_is_asked_again(cohort, ida, column, words):
    fields = {"text": UNKNOWN, "first": "names", "column": column}
    page = browser_of(ida).post(teach_class("roster/"), fields)
    assert page.status_code == 400
    assert words in page.content.decode()
    assert Cohort.objects.get().roster_columns == []


@in_database
def test_the_page_says_how_the_file_was_read(cohort, ida):
    file = "Name;Mail\nZoë;zoe@u.example\n".encode("cp1252")
    page = browser_of(ida).post(
        teach_class("roster/"), {"file": SimpleUploadedFile("people.csv", file)}
    )
    text = " ".join(page.content.decode().split())
    assert "Read as Windows-1252, separated by semicolons." in text
    assert "so Windows-1252 is a guess" in text
    again = {"text": page.context["text"], "encoding": page.context["encoding"]}
    page = browser_of(ida).post(teach_class("roster/"), again)
    assert "so Windows-1252 is a guess" in " ".join(page.content.decode().split())
    pasted = browser_of(ida).post(teach_class("roster/"), {"text": LINES, "encoding": "x"})
    assert (pasted.context["encoding"], pasted.context["separator"]) == ("", "semicolons")
    assert "“<bdi>Name</bdi>” is Name, “<bdi>Mail</bdi>” is E-mail address." in text

"""What the columns of a roster mean: known by their names, or guessed, for a person to decide.

Moodle writes the names of its columns in the language of the reader; Canvas writes them in English
in every language (its GradebookExporter translates none), and Brightspace as its sample file does.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

KEYS = ("email", "external_id", "login_id")
MOST_LETTERS = 100  # of a column's name by which it is known, and remembered
MEANINGS = {
    "": "Ignore",
    "email": "E-mail address",
    "name": "Name",
    "given": "First name",
    "family": "Last name",
    "sortable": "Last name, first name",
    "external_id": "School id",
    "login_id": "School login",
    "section": "Section",
    "role": "Role",
}
FORMS = {
    "plain": "Ordinal’s own form",
    "moodle": "Moodle’s form",
    "canvas": "Canvas’s form",
    "brightspace": "Brightspace’s form",
    "other": "",  # columns that are known, in no form of these
}

# Names of columns in English, German, French, Spanish and Russian; capitals, accents, blanks and
# what joins words make no difference.
_NAMES = {
    "email": "email, mail, email address, mail address, E-Mail-Adresse, Mailadresse, courriel,"
    " adresse de courriel, adresse e-mail, adresse mail, adresse électronique, correo,"
    " dirección de correo, dirección de correo electrónico, correo electrónico, dirección e-mail,"
    " dirección de e-mail, почта, адрес электронной почты, электронная почта, эл. почта",
    "name": "name, full name, vollständiger Name, voller Name, nom complet, nom et prénom,"
    " prénom et nom, nombre completo, nombre y apellidos, ФИО, полное имя, имя и фамилия,"
    " фамилия и имя, фамилия имя отчество",
    "given": "first name, given name, forename, Vorname, Vornamen, Rufname, prénom, prénoms,"
    " nombre, nombres, имя",
    "family": "last name, family name, surname, Nachname, Familienname, Zuname, nom,"
    " nom de famille, apellido, apellidos, фамилия",
    "sortable": "sortable name, last name first name, Nachname Vorname, apellidos nombre",
    "external_id": "external_id, ID number, student id, student number, SIS User ID, OrgDefinedId,"
    " matriculation number, ID-Nummer, Matrikelnummer, Matrikelnr, Matrikel,"
    " numéro d'identification, numéro étudiant, numéro d'étudiant, número de ID,"
    " número de identificación, matrícula, индивидуальный номер, идентификационный номер,"
    " номер студенческого билета",
    "login_id": "login_id, login, username, SIS Login ID, Anmeldename, Benutzername, Nutzername,"
    " nom d'utilisateur, nombre de usuario, usuario, логин, имя пользователя",
    "section": "section, sections, group, groups, group1, section membership, Gruppe, Gruppen,"
    " groupe, groupes, grupo, grupos, sección, группа, группы, секция",
    "role": "role",
}
_BRIGHTSPACE = {"orgdefinedid", "endoflineindicator"}
_HALVES = {"nom": "family", "nombre": "given", "имя": "given"}  # or whole names, where alone
_GUESSES = (
    ("mail", "email"),
    ("courriel", "email"),
    ("correo", "email"),
    ("почт", "email"),
    ("matrik", "external_id"),
    ("login", "login_id"),
    ("user", "login_id"),
    ("group", "section"),
    ("grup", "section"),
    ("групп", "section"),
    ("section", "section"),
    ("name", "name"),
    ("nom", "name"),
    ("имя", "name"),
)
ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")


def plain_name(name: str) -> str:
    """Return the letters and digits of a column's name, by which it is known."""
    letters = unicodedata.normalize("NFKD", name[:MOST_LETTERS].casefold())
    return "".join(letter for letter in letters if letter.isalnum())


_MEANING_OF = {
    plain_name(name): meaning for meaning, names in _NAMES.items() for name in names.split(",")
}


class ColumnsError(ValueError):
    """A choice of columns by which nobody can be read; the message says why."""


@dataclass(frozen=True)
class Columns:
    """What each column of a file means ("" is not read), and whether its first row names them."""

    names: Sequence[str]  # as in the file; "" where no row names them
    meanings: Sequence[str]
    form: str = "other"

    @property
    def has_header(self) -> bool:
        """Return whether the first row names the columns and nobody."""
        return any(self.names)

    @property
    def are_known(self) -> bool:
        """Return whether people can be read: some column says who somebody is."""
        return bool(set(KEYS) & set(self.meanings))

    @property
    def read(self) -> list[tuple[str, str]]:
        """Return the columns that are read: their names, or numbers, and what they mean."""
        return [
            (name or f"column {number}", MEANINGS[meaning])
            for number, (name, meaning) in enumerate(
                zip(self.names, self.meanings, strict=True), start=1
            )
            if meaning
        ]

    @property
    def ignored(self) -> list[str]:
        """Return the names of columns that are not read."""
        pairs = zip(self.names, self.meanings, strict=True)
        return [name for name, meaning in pairs if name and not meaning]


def is_known(name: str) -> bool:
    """Return whether a name of a column is known."""
    plain = plain_name(name)
    return plain in _MEANING_OF or plain in _BRIGHTSPACE


def columns_of(first: Sequence[str], memory: Iterable[Mapping[str, list[str]]] = ()) -> Columns:
    """Return the meanings of a file's columns: as chosen for such a file, or else by name."""
    plain = [plain_name(name) for name in first]
    form = _form_of(first, plain)
    for chosen in memory:
        if len(chosen["meanings"]) != len(first):
            continue
        if chosen["names"] == plain:
            return Columns(first, chosen["meanings"], form)
        if not chosen["names"] and _is_person(first):
            return Columns([""] * len(first), chosen["meanings"])
    meanings = [_MEANING_OF.get(name, "") for name in plain]
    if form == "canvas":
        meanings = ["sortable" if name == "student" else meaning
                    for name, meaning in zip(plain, meanings, strict=True)]  # fmt: skip
    return Columns(first, _whole_names(plain, meanings), form)


def _form_of(first: Sequence[str], plain: Sequence[str]) -> str:
    names = set(plain)
    meanings = {_MEANING_OF.get(name, "") for name in plain}
    if names & _BRIGHTSPACE or {"Username", "Last Name"} <= set(first):
        return "brightspace"
    if names & {"sisuserid", "sisloginid"} or {"student", "id", "section"} <= names:
        return "canvas"
    if meanings & {"given", "family"}:
        return "moodle"
    is_plain = all(name.lower() == meaning or not meaning
                   for name, meaning in zip(first, _by_name(plain), strict=True))  # fmt: skip
    return "plain" if is_plain else "other"


def _by_name(plain: Iterable[str]) -> list[str]:
    return [_MEANING_OF.get(name, "") for name in plain]


def _whole_names(plain: Sequence[str], meanings: list[str]) -> list[str]:
    """Return meanings in which the parts of a name fit: "nom" alone is a whole name.

    And "name" beside a first name is a last name, as in "Name;Vorname".
    """
    found = set(meanings)
    if "given" in found and "family" not in found and "name" in found:
        return ["family" if meaning == "name" else meaning for meaning in meanings]
    if {"given", "family"} <= found:
        return meanings
    return [
        "name" if plain_one in _HALVES and meaning in {"given", "family"} else meaning
        for plain_one, meaning in zip(plain, meanings, strict=True)
    ]


def guess(first: Sequence[str], rows: Sequence[Sequence[str]]) -> Columns:
    """Return a guess at columns whose names are not known, for a person to look at."""
    if _is_person(first):
        rows, names = [first, *rows], [""] * len(first)
    else:
        names = list(first)
    known = _whole_names(
        [plain_name(name) for name in names], _by_name(plain_name(name) for name in names)
    )
    meanings: list[str] = []
    for place, name in enumerate(names):
        cells = [row[place] for row in rows if place < len(row) and row[place]]
        found = known[place] or _guess(plain_name(name), cells)
        meanings.append("" if found in meanings else found)
    return Columns(names, meanings)


def _guess(name: str, cells: Sequence[str]) -> str:
    if cells and all(map(ADDRESS.fullmatch, cells)):
        return "email"
    if by_name := next((meaning for part, meaning in _GUESSES if part in name), ""):
        return by_name
    if name or not cells:
        return ""
    if all("," in cell for cell in cells):
        return "sortable"
    if all(any(map(str.isdigit, cell)) for cell in cells):
        return "external_id"
    return "name" if all(" " in cell for cell in cells) else ""


def _is_person(first: Iterable[str]) -> bool:
    """Return whether a first row is somebody already: it has an address."""
    return any(map(ADDRESS.fullmatch, first))


def chosen_columns(first: Sequence[str], meanings: Sequence[str], *, has_header: bool) -> Columns:
    """Return the columns that a person chose. Raises ColumnsError."""
    if len(meanings) != len(first) or not set(meanings) <= set(MEANINGS):
        raise ColumnsError("The file’s columns have changed. Choose them again.")
    if not set(meanings) & set(KEYS):
        raise ColumnsError(
            "Choose a column that identifies people: the e-mail address, the id or the login."
        )
    for meaning, words in MEANINGS.items():
        if meaning and list(meanings).count(meaning) > 1:
            raise ColumnsError(f"More than one column is set to “{words}”: choose only one.")
    form = _form_of(first, [plain_name(name) for name in first]) if has_header else "other"
    return Columns(first if has_header else [""] * len(first), meanings, form)

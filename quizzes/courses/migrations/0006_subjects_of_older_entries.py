import re

from django.db import migrations

AT_ONCE = 1000  # rows; each batch is a transaction of its own
NAME = r"[-a-zA-Z0-9_]+"

# What entries were about while that was one text, with the kinds of its groups. The groups
# `about` and `version` are what stays of the text, `title` the title of the first.
FORMS = [
    (re.compile(pattern), kinds)
    for pattern, kinds in (
        (r"submission (\d+)", ["submission"]),
        (r"attempt (\d+)", ["attempt"]),
        (r"(?P<about>answer \d+) of attempt (\d+)", ["attempt"]),
        (r"member (\d+)", ["member"]),
        (r"member (\d+) into member (\d+)", ["member", "member"]),
        (r"account (\d+)", ["account"]),
        (r"announcement (\d+)", ["announcement"]),
        (r"assignment (\d+)(?:: (?P<title>.+))?", ["assignment"]),
        (r"assignment (\d+), place (\d+)", ["assignment", "member"]),
        (rf"(?P<about>version \d+) of question ({NAME})", ["question"]),
        (rf"(?P<about>answers to) ({NAME}) (?P<version>version \d+)", ["question"]),
        (rf"({NAME}/{NAME})", ["mistake"]),
        *(
            (rf"{kind} ({NAME})(?:(?:,|:|) (?P<about>.+))?", [kind])
            for kind in ("question", "quiz", "exercise")
        ),
    )
]


def fill(apps, _schema_editor):
    """Name what older entries are about, where their text is one of those that were written.

    Every other text stays as it is, so this can be done again.
    """
    rows = apps.get_model("courses", "AuditEntry").objects
    last = 0
    while batch := list(rows.filter(pk__gt=last, subjects=[]).order_by("pk")[:AT_ONCE]):
        last = batch[-1].pk
        changed = [row for row in batch if put_subjects(row)]
        rows.bulk_update(changed, ["subjects", "about"], batch_size=200)


def put_subjects(row):
    """Split the text of an entry into subjects and what stays of it; False for another text."""
    for form, kinds in FORMS:
        match = form.fullmatch(row.about)
        if match is None:
            continue
        named = match.groupdict()
        places = form.groupindex.values()
        keys = [key for place, key in enumerate(match.groups(), start=1) if place not in places]
        titles = [named.get("title") or "", *[""] * (len(keys) - 1)]
        row.subjects = [list(one) for one in zip(kinds, keys, titles, strict=True)]
        row.about = " ".join(filter(None, (named.get("about"), named.get("version"))))
        return True
    return False


class Migration(migrations.Migration):
    atomic = False  # what was filled before an interruption stays

    dependencies = [("courses", "0005_subjects_of_entries")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]

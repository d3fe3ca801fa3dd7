"""Plots of a course: loaded, exported byte for byte, shown in lessons, written in the browser."""

import re
import shutil
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.management import call_command
from django.test import Client

from quizzes.courses.models import ContentDraft, Course, CourseStaff, Edition
from quizzes.learners.models import User
from quizzes.lessons.models import Plot, PlotDrawing
from quizzes.worker import check_course
from quizzes.worker.plot_drawing import draw_next_plot
from tests.authoring.test_check_and_load import run
from tests.shared_sandboxes import open_shared, shared_sandbox

pytestmark = [pytest.mark.django_db, pytest.mark.sandbox]

PROBABILITY = Path(__file__).parent / "probability"
STEP = "/c/probability/learn/chance/coins/"
TEACH = "/teach/courses/probability/"


@pytest.fixture(autouse=True)
def _open_sandboxes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_course, "open_sandbox", open_shared)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return shutil.copytree(PROBABILITY, tmp_path / "probability")


@pytest.fixture
def course(folder: Path) -> Course:
    call_command("load_content", str(folder))
    return Course.objects.get(slug="probability")


@pytest.fixture
def editor(course: Course) -> Client:
    user = User.objects.create_user("ed", password="ed")
    CourseStaff.objects.create(course=course, user=user, role="editor")
    client = Client()
    client.force_login(user, backend="quizzes.learners.account_backends.AccountBackend")
    return client


def draw_all() -> None:
    sandboxes = SimpleNamespace(author=shared_sandbox("author"))
    while draw_next_plot(sandboxes, lambda _: nullcontext()):
        pass


@pytest.mark.parametrize("name", ["key", "header", "scales", "data", "params"])
def test_slider_may_have_any_other_name(folder: Path, name: str) -> None:
    program = f'"""T\n\nSlider {name}: 1 to 3\n"""\n\n\n'
    program += f"def plot({name}):\n    return heatmap([[{name}]], title='T')\n"
    (folder / "plots" / "named.py").write_text(program)
    step = folder / "lessons" / "chance" / "steps" / "02-coins.md"
    step.write_text(f"{step.read_text()}\n\n```plot\nid: named\nslug: named\n```\n")
    call_command("load_content", str(folder))
    draw_all()
    assert PlotDrawing.objects.get(slug="named").state == PlotDrawing.State.DRAWN
    assert Client().get(STEP).status_code == 200


def texts(root: Path) -> dict[str, bytes]:
    files = (path for path in root.rglob("*") if path.is_file())
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


def test_export_gives_plots_byte_for_byte(course: Course, folder: Path, tmp_path) -> None:
    code, said = run("load_content", folder)
    assert (code, "created" in said, "updated" in said) == (0, False, False)
    out = tmp_path / "out" / "probability"
    call_command("export_content", str(out))
    before, after = texts(folder), texts(out)
    assert {name for name in before if name.startswith("plots/")} == {
        name for name in after if name.startswith("plots/")
    }
    assert all(before[name] == after[name] for name in before if name.startswith("plots/"))
    Plot.objects.filter(slug="sums").update(withdrawn_at="2026-01-01T00:00Z")
    call_command("export_content", str(folder))
    assert not (folder / "plots/sums.py").exists()


def test_checking_draws_every_plot_and_names_its_line(folder: Path) -> None:
    code, said = run("check_content", folder)
    assert (code, "3 plots" in said) == (0, True)
    path = folder / "plots/binomial.py"
    path.write_text(path.read_text().replace("likely = max", "likely = min(1 / 0, 1) or max"))
    code, said = run("check_content", folder)
    assert code == 1
    assert "plots/binomial.py:13: n 2, p 0.1: ZeroDivisionError: division by zero" in said
    assert "1 of the plots in" in said
    path.write_text(path.read_text().replace("Slider n: 2 to 40 step 2", "Slider n: 2 to 4"))
    step = folder / "lessons/chance/steps/02-coins.md"
    step.write_text(step.read_text().replace("slug: sums", "slug: gone"))
    said = run("check_content", folder, "--without-proofs")[1]
    assert "steps/02-coins.md:7: set: n=10: must be 2 to 4" in said
    assert "steps/02-coins.md:1: set n=40: must be 2 to 4" in said
    assert "there is no plot 'gone'" in said


def test_page_says_that_a_plot_is_computed(course: Course, client: Client) -> None:
    assert client.get(STEP).content.count(b"This plot is being computed.") == 2
    draw_all()
    html = client.get(STEP).content.decode()
    assert "is being computed" not in html
    assert html.count('data-figure="') == 2
    assert "10 tosses of a coin that shows heads with probability 0.5." in html
    assert re.search(r'alt="How many heads are likely\. Bars\. 10 tosses', html)
    PlotDrawing.objects.update(state="refused")
    assert client.get(STEP).content.count(b"This plot could not be computed.") == 2
    Plot.objects.all().delete()
    assert client.get(STEP).content.count(b"no longer part of the course") == 2


def test_sliders_take_stored_frames(course: Course, client: Client) -> None:
    draw_all()
    html = client.get(f"{STEP}?coin.n=40").content.decode()
    assert "40 tosses of a coin" in html
    refused = client.get(f"{STEP}?coin.n=41")
    assert refused.status_code == 400
    assert "n=41: must be between 2 and 40" in refused.content.decode()
    between = client.get(f"{STEP}?coin.n=11")
    assert "n=11: must be 2 to 40 in steps of 2" in between.content.decode()
    address = re.search(r'data-address="([^"]*binomial\.json)"', html)
    assert address
    answer = client.get(f"{address[1]}?n=4&p=0.5&table=1&values=1")
    assert answer.json()["finding"] == "2 heads are the most likely, with probability 0.375."
    assert "<td>0.3750</td>" in answer.json()["table"]
    assert client.get(f"{address[1]}?n=4&p=0.5&reading=1").json()["places"][0]["kind"] == "bars"
    assert client.get(f"{address[1]}?n=5&p=0.5").status_code == 400
    csv = client.get(address[1].replace(".json", ".csv"), {"n": 4, "p": 0.5}, follow=True)
    assert b"2,0.375" in csv.content
    assert client.get(address[1].replace(".json", ".svg")).status_code == 404
    assert client.get("/figures/plot-" + "0" * 32 + "/binomial.json").status_code == 404


def posted(client: Client, address: str, **fields: str):
    page = client.get(address).content.decode()
    revision = re.search(r'name="revision" value="([^"]*)"', page)
    assert revision
    return client.post(address, {"revision": revision[1], **fields}, follow=True)


def test_a_plot_is_written_drawn_and_published(course: Course, editor: Client) -> None:
    draw_all()
    begun = editor.post(f"{TEACH}plots/", {"slug": "dice"}, follow=True)
    assert "dice is now a draft" in begun.content.decode()
    address = f"{TEACH}plots/dice/"
    text = ContentDraft.objects.get().files["plot.py"]
    refused = posted(editor, address, text=text, do="publish").content.decode()
    assert "Saved, not published: 1 problem" in refused
    assert "draw it before it is published" in refused
    waits = posted(editor, address, text=text, do="draw").content.decode()
    assert "Waiting to be drawn" in waits
    other = posted(editor, address, text=text + "\n", do="draw").content.decode()
    assert "Not drawn: dice, which you wanted before, is still being drawn." in other
    draw_all()
    shown = posted(editor, address, text=text, do="save").content.decode()
    assert "Drawn: 10 pictures." in shown
    assert "Ready to publish." in shown
    assert "10 tosses of a fair coin" in editor.get(f"{address}?plot.n=10").content.decode()
    published = posted(editor, address, text=text, do="publish").content.decode()
    assert "Published: lessons can show it" in published
    assert Plot.objects.get(slug="dice").text == text
    assert Edition.objects.get(kind="plot", slug="dice").files == {"plot.py": text}
    for page in ("", "preview/", "versions/1/"):
        assert editor.get(f"{address}{page}").status_code == 200
    assert "dice" in editor.get(f"{TEACH}contents/").content.decode()
    assert 'value="plot:dice"' in editor.get(f"{TEACH}lessons/chance/").content.decode()


def test_a_faulty_program_is_not_drawn(course: Course, editor: Client) -> None:
    draw_all()
    editor.post(f"{TEACH}plots/", {"slug": "dice"})
    address, count = f"{TEACH}plots/dice/", PlotDrawing.objects.count()
    page = posted(editor, address, text='"""T\n\nSlider n: 1 to\n"""\n', do="draw").content.decode()
    assert "Not drawn: there are problems to fix first." in page
    assert "line 3: Slider n:" in page
    assert PlotDrawing.objects.count() == count
    text = '"""T"""\n\n\ndef plot():\n    return bars([1], [1 / 0], title="T")\n'
    posted(editor, address, text=text, do="draw")
    draw_all()
    said = editor.get(address).content.decode()
    assert "line 5: the call: ZeroDivisionError" in said


def test_the_second_of_two_editors_gets_both_texts(course: Course, editor: Client) -> None:
    editor.post(f"{TEACH}plots/", {"slug": "dice"})
    address = f"{TEACH}plots/dice/"
    page = editor.get(address).content.decode()
    revision = re.search(r'name="revision" value="([^"]*)"', page)
    assert revision
    posted(editor, address, text='"""Theirs"""\n', do="save")
    late = editor.post(address, {"revision": revision[1], "text": '"""Mine"""\n', "do": "draw"})
    assert late.status_code == 409
    assert "Mine" in late.content.decode()
    assert ContentDraft.objects.get().files["plot.py"] == '"""Theirs"""\n'


def test_a_shown_plot_is_withdrawn_if_ticked(
    course: Course, editor: Client, client: Client
) -> None:
    draw_all()
    address = f"{TEACH}plots/binomial/withdraw/"
    assert "Not withdrawn" in editor.post(address, follow=True).content.decode()
    editor.post(address, {"running": "yes"})
    assert Plot.objects.get(slug="binomial").withdrawn_at is not None
    assert "10 tosses" in client.get(STEP).content.decode()
    page = posted(editor, f"{TEACH}lessons/chance/", do="save").content.decode()
    assert "Fix this before publishing" in page


def test_a_lesson_draft_names_faults_of_plots(course: Course, editor: Client) -> None:
    text = "```plot\nid: coin\nslug: binomial\nset: {n: 3}\n```\n```plot\nid: b\nslug: no\n```\n"
    fields = {"title": "T", "summary": "S", "steps": "1", "slug-1": "coins", "title-1": "C"}
    page = posted(editor, f"{TEACH}lessons/chance/", **fields, **{"text-1": text}, do="save")
    said = page.content.decode()
    assert "line 4: set: n=3: must be 2 to 40 in steps of 2" in said
    assert "there is no plot &#x27;no&#x27;" in said


def test_load_overwrites_no_edited_plot(course: Course, editor: Client, folder: Path) -> None:
    draw_all()
    path = folder / "plots/rotation.py"
    text = path.read_text().replace("The matrix of a rotation", "A turn")
    posted(editor, f"{TEACH}plots/rotation/", text=text, do="draw")
    draw_all()
    posted(editor, f"{TEACH}plots/rotation/", text=text, do="publish")
    path.write_text(path.read_text().replace("The matrix", "My matrix"))
    code, said = run("load_content", folder)
    assert code == 3
    assert "plots/rotation.py: plot 'rotation' was changed in the file" in said
    assert "teach/courses/probability/plots/rotation/" in said
    assert Plot.objects.get(slug="rotation").text == text

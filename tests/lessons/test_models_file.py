"""models.yaml: every fault with its line, every number computed once more, stored and written."""

from datetime import date
from pathlib import Path

import pytest
from django.core.management import call_command

from quizzes.authoring.course_files import read_course_files
from quizzes.authoring.exporting import items_of
from quizzes.content_files.files import DiskFiles, MemoryFiles
from quizzes.courses.models import Course
from quizzes.lessons.models import ReleasedModels
from quizzes.lessons.released.model_files import models_file, models_of, read_models
from tests.course_folders import POSITIONAL
from tests.lessons.course import write_course
from tests.posenc.configs.data import MODELS

GOOD = """\
models:
  - slug: small
    name: Small
    year: 2024
    kind: rope llama3
    verified: first-party
    source: small/model.py
    as_of: 2026-11-30
    layers: 2 with a window, then one that sees all
    pattern:
      - {layers: 2, sees: window, keys: 64, base: 10000}
      - {layers: 1, sees: all}
    context: 2048
    rope: {head_dim: 8, rotary: 4, base: 10000}
    more: {kv_lora: 512}
    expected:
      pairs: 2
      still: 0
      slowest_period: 628.3
      less_than_a_turn: 0
      slowest_angle_at_131071: 1310.71
      at_pairs: [0, 1]
      inv_freq: [1, 0.01]
"""


def read(text: str):
    return read_models(MemoryFiles("course", {"models.yaml": text}))


def test_a_good_list_has_no_fault():
    (source,), problems = read(GOOD)
    assert problems == []
    first = {"layers": 2, "sees": "window", "keys": 64, "base": 10000}
    assert source.models[0]["pattern"][0] == first
    assert models_file(source.models) == GOOD


def test_a_course_needs_no_list():
    assert read_models(MemoryFiles("course", {})) == ([], [])


@pytest.mark.parametrize(
    ("was", "now", "problem"),
    [
        ("    source: small/model.py\n", "", "models.yaml:2: source: missing"),
        ("first-party", "somebody", "models.yaml:6: verified: 'somebody': must be one of"),
        ("2026-11-30", "November", "models.yaml:8: as_of: 'November': must be a day"),
        ("sees: all", "sees: some", "sees: 'some': must be one of"),
        ("base: 10000}\n    more", "bass: 1}\n    more", "bass: unknown field"),
        ("0.01]", "0.0100001]", "inv_freq: pair 1 is 0.0100001: the engine has 0.01"),
        ("628.3", "629", "slowest_period: 629: the engine has 628.3185307"),
        ("less_than_a_turn: 0", "less_than_a_turn: 1", "less_than_a_turn: 1: the engine has 0"),
        ("1310.71", "1310.72", "slowest_angle_at_131071: 1310.72: the engine has 1310.71"),
        ("still: 0", "still: 1", "still: 1: the engine has 0"),
        ("pairs: 2", "pairs: 3", "pairs: 3: the engine has 2"),
        ("rotary: 4", "rotary: 6", "pairs: 2: the engine has 3"),
        ("rotary: 4", "rotary: 5", "rope: rotary_share=0.625: must leave an even number"),
        ("at_pairs: [0, 1]", "at_pairs: [0]", "at_pairs: must be pairs"),
        ("    rope: {head_dim: 8, rotary: 4, base: 10000}\n", "", "there is no rope"),
    ],
)
def test_faults_have_their_line(was, now, problem):
    assert GOOD.count(was) >= 1
    _, problems = read(GOOD.replace(was, now))
    assert any(problem in str(fault) for fault in problems), [*map(str, problems)]


def test_a_model_is_listed_once():
    _, problems = read(GOOD + GOOD.removeprefix("models:\n"))
    assert "slug: 'small' is listed twice" in str(problems[0])


def test_facts_of_more_than_a_year_are_remarked():
    (source,), _ = read(GOOD)
    assert list(source.remarks(date(2027, 11, 30))) == []
    (remark,) = source.remarks(date(2027, 12, 1))
    assert str(remark) == "models.yaml:2: Small: as_of 2026-11-30: look at its source again"


def test_the_check_prints_the_remark(tmp_path: Path, capsys):
    folder = write_course(tmp_path, {"one": "Words."})
    (folder / "models.yaml").write_text(GOOD.replace("2026-11-30", "2020-01-01"))
    call_command("check_content", str(folder), without_proofs=True)
    said = capsys.readouterr().out
    assert "warning: models.yaml:2: Small: as_of 2020-01-01" in said
    assert "1 list of models; no errors" in said


def test_a_wrong_engine_stops_the_build(monkeypatch):
    from posenc.catalog.rope import encoding

    real = encoding.frequencies_for
    monkeypatch.setattr(encoding, "frequencies_for", lambda rope, length: real(rope, length) * 1.01)
    _, problems = read_models(DiskFiles(POSITIONAL))
    assert len({problem.line for problem in problems}) == 43


def test_shipped_numbers_are_those_of_engine_tests():
    (source,), problems = read_models(DiskFiles(POSITIONAL))
    assert problems == []
    assert len(source.models) == 53
    shipped = {model["name"]: model for model in source.models}
    for model in MODELS:
        expected = shipped[model["name"]]["expected"]
        numbers = dict(zip(map(str, expected["at_pairs"]), expected["inv_freq"], strict=True))
        assert numbers == model["inv_freq"]
        assert shipped[model["name"]]["source"] == model["source"]
        first_party = shipped[model["name"]]["verified"] == "first-party"
        assert first_party == model["first_party"]


@pytest.mark.django_db
def test_the_list_is_loaded_exported_and_withdrawn(tmp_path: Path):
    folder = write_course(tmp_path, {"one": "Words."})
    (folder / "models.yaml").write_text(GOOD)
    call_command("load_content", str(folder))
    course = Course.objects.get()
    (model,) = models_of(course)
    assert (model.slug, model.rope.name) == ("small", "rope-d8-b10000-r0_5-c2048")
    files = {name: text for item in items_of(course) for name, text in item.files.items()}
    assert files["models.yaml"] == GOOD
    (folder / "models.yaml").write_text(GOOD.replace("name: Small", "name: Smaller"))
    call_command("load_content", str(folder))
    assert models_of(course)[0].facts["name"] == "Smaller"
    (folder / "models.yaml").unlink()
    call_command("load_content", str(folder))
    assert not ReleasedModels.objects.exists()
    assert models_of(Course.objects.get()) == ()


def test_the_shipped_file_is_in_canonical_form():
    (listed,) = read_course_files(DiskFiles(POSITIONAL)).sources["list of models"]
    assert models_file(listed.models) == (POSITIONAL / "models.yaml").read_text()

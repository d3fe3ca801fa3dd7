"""The page of models: its table, pictures under names that say everything, a config read."""

import json
import math
import re
from functools import cache

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from posenc import __version__
from posenc.catalog.rope import Rope

from quizzes.content_files.files import DiskFiles
from quizzes.courses.models import Course
from quizzes.lessons.released.model_files import read_models, save_models
from quizzes.lessons.released.pasted import PastedConfig, read_pasted
from quizzes.lessons.released.rope_names import LONGEST, NamedRope, read_name, rope_entry
from quizzes.limits.limits import Limit, LimitReachedError
from tests.course_folders import POSITIONAL
from tests.posenc.configs.data import MODELS, RELEASED

PATH = "/c/positional-encodings/models/"
PICTURES = f"{PATH}pictures/"
CONFIGS = {model["name"]: model["config"] for model in RELEASED}
CONFIGS |= {model["name"]: model["new"] for model in MODELS}
SPACE = "\N{NARROW NO-BREAK SPACE}"


@cache
def shipped_models():
    """Return the list of the shipped course as read, once for all tests."""
    (source,), _ = read_models(DiskFiles(POSITIONAL))
    return source


@pytest.fixture
def client(db) -> Client:
    course = Course.objects.create(slug="positional-encodings", title="Course", summary="Words.")
    save_models(course, shipped_models())
    return Client()


def page(client: Client, path: str = PATH, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status
    return answer.content.decode().replace(SPACE, "")


def paste(client: Client, text: str, status: int = 200) -> str:
    answer = client.post(PATH, {"config": text})
    assert answer.status_code == status
    assert answer["Cache-Control"] == "no-store"
    return answer.content.decode().replace(SPACE, "")


def rows(html: str) -> list[str]:
    table = html.partition("models__table")[2].partition("</table>")[0]
    return re.findall(r"<tr>.*?</tr>", table, re.DOTALL)[1:]


def words(html: str) -> str:
    return " ".join(re.sub("<[^>]+>", " ", html).split())


def test_every_model_has_a_row_with_its_source(client):
    every = rows(page(client))
    assert len(every) == 53
    neox = next(words(row) for row in every if "GPT-NeoX-20B" in row)
    for text in (
        "2022",
        "10000",
        "24 of 96",
        "none",
        "29164",
        "4 of 12",
        "configs/20B.yml@252ddc5",
    ):
        assert text in neox
    assert all("2026-11-30" in row for row in every)


def test_what_a_source_lacks_is_not_shown(client):
    glm = next(words(row) for row in rows(page(client)) if "GLM-4.5" in row)
    assert "2025 – – – – –" in glm
    assert "a default of a class" in glm


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("q=gemma", {"Gemma 1 7B", "Gemma 2 9B", "Gemma 3 1B global", "Gemma 3 27B global",
                     "Gemma 4 31B global"}),
        ("q=GEMMA+2026", {"Gemma 4 31B global"} - {"Gemma 3 27B global"}),
        ("q=gemma&show=scaled", {"Gemma 3 27B global"}),
        ("q=gemma&show=part", {"Gemma 4 31B global"}),
        ("q=smollm&show=bare", {"SmolLM3-3B"}),
        ("q=smollm&show=differ", {"SmolLM3-3B"}),
    ],
)  # fmt: skip
def test_filters_leave_the_models_that_fit(client, query, names):
    left = {re.search(r'<th scope="row"><a [^>]*>(.*?)</a>', row)[1]
             for row in rows(page(client, f"{PATH}?{query}"))}  # fmt: skip
    assert left == names


def test_a_filter_without_a_match_says_so(client):
    assert "No model fits." in page(client, f"{PATH}?q=nothing+like+this")
    assert len(rows(page(client, f"{PATH}?show=unknown"))) == 53


def test_a_model_shows_its_pictures_and_facts(client):
    html = page(client, f"{PICTURES}?of=gemma-3-27b-global")
    assert 'id="figure-a-periods"' in html
    assert 'id="figure-a-position"' in html
    assert "27 pairs do not go round once in 131072 tokens." in html
    assert html.count('<li class="layer ') == 6
    assert "Layer 5: RoPE, base 1000000, sees all" in html
    assert "_gemma.py l.286: the maker’s own code or file" in html


def test_two_models_stand_next_to_each_other(client):
    html = page(client, f"{PICTURES}?of=qwen3-8b&of=gpt-oss-20b-120b")
    for own in ("a-periods", "a-position", "b-periods", "b-position"):
        assert f'id="figure-{own}"' in html
    assert html.count('type="hidden" name="of" value="qwen3-8b"') == 4


def test_a_slider_moves_one_of_them(client):
    address = f"{PICTURES}?of=qwen3-8b&of=gpt-oss-20b-120b&b-position.position=100"
    html = page(client, address)
    assert "Position 40959: the hand of each pair" in html
    assert "Position 100: the hand of each pair" in html


@pytest.mark.parametrize(
    ("query", "status", "text"),
    [
        ("of=no-such-model", 404, "Page not found"),
        ("of=rope-d7", 404, "Page not found"),
        ("of=qwen3-8b&a-position.position=131072", 400, "must be between 0 and 131071"),
        ("of=qwen3-8b&c-position.position=1", 400, "this page has no figure “c-position”"),
        ("of=exaone-4-32b", 200, "too little for a picture"),
        ("of=qwen3-8b&of=phi-2&of=phi-4&of=gemma-1-7b&of=phi-1-5", 200, "Only the first 4 models"),
    ],
)
def test_addresses_that_name_too_much_are_answered(client, query, status, text):
    assert text in words(page(client, f"{PICTURES}?{query}", status))


def test_no_model_leads_back_to_the_list(client):
    assert client.get(PICTURES).url == PATH


def test_the_short_address_leads_to_the_home_course(client):
    assert client.get("/models/").url == PATH


def test_a_course_without_a_list_reads_configs(client):
    Course.objects.create(slug="bare", title="Bare", summary="Nothing.")
    html = page(client, "/c/bare/models/")
    assert "Paste a config.json" in html
    assert "Released models" not in html


# ---- a config


@pytest.mark.parametrize("name", CONFIGS)
def test_every_known_config_has_its_facts(name):
    config = CONFIGS[name]
    pasted = read_pasted(json.dumps(config))
    assert isinstance(pasted, PastedConfig)
    assert pasted.first.endswith(".")
    assert len(pasted.strip.cells) == config.get("text_config", config)["num_hidden_layers"]
    assert len(pasted.strip.kinds) == len(set(pasted.strip.cells))
    assert pasted.ways
    assert all(rope_entry(way.name) for way in pasted.ways)


def test_the_first_sentence_is_the_title(client):
    html = paste(client, json.dumps(CONFIGS["Llama 3.1 8B Instruct"]))
    title = re.search(r"<h1[^>]*>(.*?)</h1>", html, re.DOTALL)[1]
    assert title == (
        "This file says llama3."
        " Code that reads rope_theta alone turns pair 35 eight times too fast."
    )
    period = 2 * math.pi * 8 * 5e5 ** (126 / 128)
    assert f"<td>{round(period)}</td>" in html


def test_forms_without_a_script_lead_to_a_page(client):
    html = paste(client, json.dumps(CONFIGS["Gemma 3 1B"]))
    form = html.partition('id="figure-b-position"')[2]
    assert f'action="{PICTURES}#figure-b-position"' in form
    fields = re.findall(r'name="of" value="([^"]+)"', form.partition("</form>")[0])
    assert len(fields) == 2
    query = "&".join(f"of={name}" for name in fields) + "&b-position.position=7"
    assert "Position 7: the hand of each pair" in page(client, f"{PICTURES}?{query}")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "The text is empty"),
        ("{" * 70_000, "at most 65536 are read"),
        ("[" * 60_000, "more than 16 brackets within each other"),
        ('{"a": 1, "a": 2}', "has the field a twice"),
        ('{"a": NaN}', "has NaN"),
        ('{"a": ' + "1" * 5000 + "}", "a number of 5000 digits"),
        ("[]", "must be an object, {...}, not a list"),
        ("{}", "The field model_type ."),
        ('{"model_type": "<b>new</b>"}', "The field model_type . model_type=<b>new</b>"),
        (
            '{"model_type": "llama", "num_hidden_layers": 99999}',
            "num_hidden_layers=99999: must be a whole number between 1 and 1024",
        ),
    ],
)
def test_texts_that_are_no_config_are_refused(client, text, said):
    html = paste(client, text, 400)
    plain = words(html).replace("&lt;", "<").replace("&gt;", ">")
    assert "This text was not read" in plain
    assert said in plain
    assert "<b>new" not in html


def test_nothing_of_a_config_is_stored(client, django_assert_max_num_queries):
    text = json.dumps(CONFIGS["Qwen3-8B"])
    paste(client, text)
    with django_assert_max_num_queries(5) as queries:
        paste(client, text)
    written = ("INSERT", "UPDATE", "DELETE")
    assert not any(query["sql"].startswith(written) for query in queries.captured_queries)


def test_seconds_of_a_reader_are_counted(client, monkeypatch):
    def refuse(limit, request):
        raise LimitReachedError(7)

    monkeypatch.setattr(Limit, "refuse_overdrawn", refuse)
    assert client.get(f"{PICTURES}?of=qwen3-8b").status_code == 429
    assert client.post(PATH, {"config": "{}"}).status_code == 429
    assert client.get(PATH).status_code == 200


def test_a_config_needs_the_token_of_its_form(client):
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(PATH, {"config": "{}"}).status_code == 403


def test_wide_heads_are_read_without_pictures(client):
    config = {**CONFIGS["Qwen3-8B"], "head_dim": 4096}
    html = paste(client, json.dumps(config))
    assert "These layers have too many pairs for a picture." in html


# ---- names


def test_names_say_everything():
    rope = Rope(
        head_dim=64, base=150_000, scaling="yarn", factor=32, trained_length=4096,
        yarn_truncate=False,
    )  # fmt: skip
    named = NamedRope(rope, 131_072, has_trained=True)
    assert named.name == "rope-d64-b150000-kyarn-f32-o4096-t0-c131072"
    assert read_name(named.name) == named


FLOATS = st.floats(min_value=1, max_value=1e6, allow_nan=False)


@given(
    st.integers(1, 256),
    st.floats(min_value=1, max_value=1e15),
    st.sampled_from(["none", "linear", "ntk", "dynamic-ntk", "llama3"]),
    FLOATS,
    st.none() | st.integers(1, 2**31),
    st.booleans(),
)
def test_names_are_read_back(pairs, base, scaling, factor, stated, has_trained):
    trained = 777 if has_trained else Rope().trained_length
    rope = Rope(
        head_dim=2 * pairs, base=base, scaling=scaling, factor=factor, trained_length=trained
    )
    named = NamedRope(rope, stated, has_trained)
    assert read_name(named.name) == named


def test_longrope_has_a_name_too():
    lists = [tuple(1 + pair * step for pair in range(48)) for step in (0.05, 1.337)]
    rope = Rope(head_dim=96, longrope_short=lists[0], longrope_long=lists[1], factor=32.0)
    named = NamedRope(rope, 131_072, has_trained=True)
    assert len(named.name) <= LONGEST
    assert read_name(named.name) == named
    assert NamedRope(Rope(head_dim=600, longrope_short=(1.2345,) * 300,
                          longrope_long=(2.3456,) * 300)).name == ""  # fmt: skip


@pytest.mark.parametrize(
    "name",
    [
        *("rope", "rope-", "rope-d128-d64", "rope-b10000", "rope-d128-b10000-z1", "rope-d128-b1e4"),
        *("rope-d128-b10000-c0", "rope-d128-b10000-c99999999999", "rope-d127-b10000"),
        *("rope-d128-bnan", "rope-d128-binf", "rope-d128-b10000-kyarns", "rope-d4096-b10000"),
        "rope-d128-b10000" + "-f2" * 2000,
    ],
)
def test_other_names_are_not_found(name):
    assert rope_entry(name) is None
    assert Client().get(f"/figures/{name}/periods.json").status_code == 404


def test_a_picture_has_files_of_its_numbers():
    name = "rope-d128-b500000-kllama3-f8-o8192-c131072"
    client, query = Client(), f"position=131071&v={__version__}"
    answer = client.get(f"/figures/{name}/position.json?{query}")
    assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
    body = answer.json()
    assert body["svg"].startswith("<svg ")
    assert "25 of 64 hands have not gone round once." in body["alt"].replace(SPACE, "")
    assert set(body["files"]) == {"csv", "json", "html"}
    assert client.get(f"/figures/{name}/position.png").status_code == 404
    csv = client.get(body["files"]["csv"]).content.decode()
    assert "131071" in csv
    assert client.get(f"/figures/{name}/position.json?position=-1").status_code == 400

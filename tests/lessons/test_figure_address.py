"""The addresses of a figure: what is refused, what is cached, what comes back."""

import csv
import io
import json
import re
from urllib.parse import parse_qs, unquote, urlsplit

import numpy as np
import pytest
from django.test import Client
from posenc import __version__
from posenc.catalog.sinusoidal import Sinusoidal

from quizzes.lessons.figures import views as figure_views
from quizzes.lessons.figures.address import find_view, select
from quizzes.lessons.figures.live import first_pictures, live_svg
from quizzes.lessons.figures.pool import Busy

JSON = "/figures/sinusoidal/heatmap.json"


@pytest.fixture
def client() -> Client:
    return Client()


def test_live_answer_has_everything_that_changes_together(client: Client) -> None:
    response = client.get(f"{JSON}?d_model=8&positions=5&position=2&dimension=3&v={__version__}")
    answer = response.json()
    assert response.status_code == 200
    assert (answer["rows"], answer["columns"]) == (5, 8)
    assert answer["svg"].startswith("<svg")
    assert "5 positions × 8 dimensions" in answer["alt"]
    value = Sinusoidal(d_model=8).table(5)[2, 3]
    assert f"{abs(value):.4f}" in answer["cursor"]
    assert f"{abs(value):.4f}" in answer["card"]
    assert answer["table"] is None
    assert answer["parameters"]["d_model"] == "8"
    assert set(answer["files"]) == {"svg", "png", "csv", "json", "html"}
    assert "values" not in answer, "too much for every step of a slider"


def test_table_comes_only_when_asked_for(client: Client) -> None:
    table = client.get(f"{JSON}?d_model=4&positions=3&table=1").json()["table"]
    assert table.count("<tr>") == 4
    assert "0.8415" in table
    assert "−0.4161" in table


@pytest.mark.parametrize(
    ("query", "name", "message"),
    [
        ("d_model=1000000000", "d_model", "must be between 2 and 1024"),
        ("d_model=1", "d_model", "must be between 2 and 1024"),
        ("d_model=", "d_model", "whole number"),
        ("d_model=4.5", "d_model", "whole number"),
        ("d_model=nan", "d_model", "whole number"),
        ("d_model=٤", "d_model", "whole number"),
        ("base=inf", "base", "number"),
        ("base=1e999", "base", "must be between 10 and 1000000"),
        ("base=0", "base", "must be between"),
        ("positions=99999", "positions", "must be between 2 and 512"),
        ("grid=evil", "grid", "must be one of paper, tensor2tensor"),
        ("nonsense=1", "nonsense", "is not a parameter"),
        ("d_model=4&d_model=8", "d_model", "more than once"),
        ("scheme=blue", "scheme", "must be one of light, dark"),
        ("width=9999", "width", "must be one of wide, narrow"),
        ("table=2", "table", "must be one of 0, 1"),
        ("values=yes", "values", "must be one of 0, 1"),
        ("d_model=" + "1" * 5000, "d_model", "at most 40 characters"),
        ("d_model=4%00", "d_model", "whole number"),
    ],
)
def test_bad_parameters_are_named(client: Client, query: str, name: str, message: str) -> None:
    for file in ("json", "svg", "png", "csv"):
        response = client.get(f"/figures/sinusoidal/heatmap.{file}?{query}")
        assert response.status_code == 400
        assert message in response.json()[name]
        assert len(response.content) < 500
        assert response["Cache-Control"] == "no-store"
        assert "ETag" not in response


def test_every_fault_of_a_query_is_named_at_once(client: Client) -> None:
    found = client.get(f"{JSON}?d_model=1&base=x&nonsense=1").json()
    assert set(found) == {"d_model", "base", "nonsense"}


@pytest.mark.parametrize(
    "path",
    [
        "/figures/none/heatmap.json",
        "/figures/sinusoidal/none.json",
        "/figures/sinusoidal/heatmap.exe",
    ],
)
def test_what_is_not_there_is_not_found(client: Client, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 404
    assert "immutable" not in response.get("Cache-Control", "")


@pytest.mark.parametrize("file", ["json", "svg", "png", "csv"])
def test_nothing_but_reading_is_allowed(client: Client, file: str) -> None:
    assert client.post(f"/figures/sinusoidal/heatmap.{file}").status_code == 405


def test_a_picture_is_kept_for_ever_under_its_version_only(client: Client) -> None:
    current = client.get(f"{JSON}?d_model=4&v={__version__}")
    assert current["Cache-Control"] == "public, max-age=31536000, immutable"
    assert "Cookie" not in current.get("Vary", "")
    assert not current.cookies
    for query in ("d_model=4", "d_model=4&v=0.0.0"):
        assert client.get(f"{JSON}?{query}")["Cache-Control"] == "no-store"


def test_known_etag_saves_the_drawing(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    address = f"{JSON}?d_model=4&v={__version__}"
    etag = client.get(address)["ETag"]
    monkeypatch.setattr(figure_views, "payload", lambda *_, **__: pytest.fail("drawn again"))
    again = client.get(address, headers={"if-none-match": etag})
    assert again.status_code == 304
    assert not again.content


def test_etags_differ_where_answers_differ(client: Client) -> None:
    queries = ["d_model=4", "d_model=6", "d_model=4&scheme=dark", "d_model=4&width=narrow"]
    etags = {client.get(f"{JSON}?{query}")["ETag"] for query in [*queries, "d_model=4&table=1"]}
    assert len(etags) == 5


def test_files_have_one_canonical_address(client: Client) -> None:
    response = client.get("/figures/sinusoidal/heatmap.csv?positions=3&base=1e2&d_model=4")
    assert response.status_code == 302
    assert response["Cache-Control"] == "no-store"
    query = parse_qs(urlsplit(response["Location"]).query)
    assert list(query) == sorted(query)
    assert query["base"] == ["100"]
    assert query["v"] == [__version__]
    final = client.get(response["Location"])
    assert final.status_code == 200
    assert "immutable" in final["Cache-Control"]
    old = client.get(response["Location"].replace(f"v={__version__}", "v=0.0.0"))
    assert old["Location"] == response["Location"]


def test_csv_holds_every_digit(client: Client) -> None:
    response = client.get(
        "/figures/sinusoidal/heatmap.csv?positions=30&d_model=6&base=500", follow=True
    )
    text = response.content.decode()
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[0][:2] == ["position", "dimension 0"]
    values = np.array([[float(cell) for cell in row[1:]] for row in rows[1:]])
    assert np.array_equal(values, Sinusoidal(d_model=6, base=500).table(30))


def test_json_holds_the_numbers_for_those_who_ask(client: Client) -> None:
    address = client.get(f"{JSON}?d_model=6&positions=4").json()["files"]["json"]
    response = client.get(address)
    assert "immutable" in response["Cache-Control"]
    found = response.json()
    assert np.array_equal(found["values"], Sinusoidal(d_model=6).table(4))
    assert found["row_names"] == ["0", "1", "2", "3"]
    masked = client.get("/figures/alibi/penalties.json?form=causal&tokens=8&values=1").json()
    assert masked["values"][0][1] is None
    assert masked["values"][1][0] == 0.5


def test_reference_figures_come_from_the_pool(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def draw(*arguments: str) -> bytes:
        asked.append(arguments)
        return b"<svg/>"

    monkeypatch.setattr(figure_views, "reference_figure", draw)
    response = client.get("/figures/sinusoidal/heatmap.svg?d_model=4&scheme=dark", follow=True)
    assert response["Content-Type"] == "image/svg+xml"
    ((_, _, query, scheme, file),) = asked
    assert (scheme, file) == ("dark", "svg")
    assert "d_model=4" in query


def test_a_busy_pool_says_when_to_come_again(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: str) -> bytes:
        raise Busy

    monkeypatch.setattr(figure_views, "reference_figure", busy)
    response = client.get("/figures/sinusoidal/heatmap.png?d_model=4", follow=True)
    assert response.status_code == 503
    assert response["Retry-After"] == "2"
    assert response["Cache-Control"] == "no-store"


@pytest.mark.slow
def test_a_real_reference_figure(client: Client) -> None:
    response = client.get("/figures/sinusoidal/heatmap.png?d_model=6&positions=4", follow=True)
    assert response.content.startswith(b"\x89PNG")
    assert "immutable" in response["Cache-Control"]


def test_cursor_stays_inside_a_smaller_picture(client: Client) -> None:
    answer = client.get(f"{JSON}?d_model=4&positions=3&position=400&dimension=900").json()
    assert answer["parameters"]["position"] == "2"
    assert answer["parameters"]["dimension"] == "3"
    assert "position 2, dimension 3" in answer["cursor"]


def test_live_svg_needs_no_inline_style_or_script(client: Client) -> None:
    answer = client.get(f"{JSON}?d_model=16").json()
    for html in (answer["svg"], answer["card"]):
        assert " style=" not in html
        assert "<script" not in html
        assert not re.search(r"\son\w+=", html)


def test_largest_picture_is_answered_in_time(client: Client) -> None:
    answer = client.get(f"{JSON}?d_model=1024&positions=512&table=1").json()
    assert (answer["rows"], answer["columns"]) == (512, 1024)
    assert len(json.dumps(answer)) < 2_000_000
    assert answer["table"].count("<td>") == 64 * 64


def test_live_picture_as_a_file(client: Client) -> None:
    path = "/figures/sinusoidal/heatmap.live.svg?d_model=6&positions=4&width=narrow"
    response = client.get(path, follow=True)
    assert response["Content-Type"] == "image/svg+xml"
    assert "immutable" in response["Cache-Control"]
    assert b'width="360"' in response.content
    answer = client.get(f"{JSON}?d_model=6&positions=4&width=narrow").json()
    assert response.content.decode() == answer["svg"]


def test_large_pictures_are_not_written_into_the_page() -> None:
    small = first_pictures("sinusoidal", "heatmap", "d_model=50")
    assert all(one.address.startswith("data:image/svg+xml,%3Csvg") for one in small)
    large = first_pictures("sinusoidal", "heatmap", "d_model=1000&positions=500")
    assert all(len(one.address) < 500 or "data:" in one.address for one in large)
    assert any(one.address.startswith("/figures/") for one in large)
    assert len({one.address for one in large}) == 4
    assert all(one.file.startswith("/figures/") for one in small + large)


def test_picture_in_page_is_its_file() -> None:
    """Thousands are grouped by a space that is not ASCII."""
    selection = select(*find_view("sinusoidal", "wavelengths"), {"d_model": "50"})
    for picture in first_pictures("sinusoidal", "wavelengths", "d_model=50"):
        svg = live_svg(selection, scheme=picture.scheme, width=picture.width_name)
        assert ">10\u202f000<" in svg
        assert unquote(picture.address).removeprefix("data:image/svg+xml,") == svg


def test_csv_names_heads_by_number_and_buckets_as_whole_numbers(client: Client) -> None:
    def lines(path: str) -> list[str]:
        response = client.get(f"/figures/{path}", follow=True)
        return b"".join(response).decode().splitlines()

    heads = lines("alibi/slopes.csv?n_heads=2&distances=10")
    assert heads[:2] == ["distance,head 1,head 2", "1,0.0625,0.00390625"]
    assert lines("t5_bias/buckets.csv?tokens=3")[1:] == ["0,0,17,18", "1,1,0,17", "2,2,1,0"]


def test_one_cell_in_words(client: Client) -> None:
    answer = client.get(f"{JSON}?d_model=6&positions=4&at=2,1&v={__version__}")
    assert answer.json() == {"words": "position 2, dimension 1: −0.4161"}  # cos 2
    assert "immutable" in answer["Cache-Control"]


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ("4,0", "must be below 4,6"),
        ("0,6", "must be below 4,6"),
        ("-1,0", "must be a row and a column from 0, such as 3,14"),
        ("1", "must be a row and a column from 0"),
    ],
)
def test_a_cell_outside_is_refused(client: Client, at: str, expected: str) -> None:
    answer = client.get(f"{JSON}?d_model=6&positions=4&at={at}")
    assert answer.status_code == 400
    assert expected in answer.json()["at"]


def test_the_page_with_the_values(client: Client) -> None:
    answer = client.get("/figures/sinusoidal/heatmap.html?d_model=6&positions=4", follow=True)
    html = answer.content.decode()
    assert answer["Cache-Control"].endswith("no-cache")
    assert html.count("<td>") == 24
    assert "<td>−0.4161</td>" in html
    assert client.get("/figures/sinusoidal/heatmap.html?d_model=x").status_code == 400

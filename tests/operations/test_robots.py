"""`/robots.txt` leaves what is somebody's own or costly to nobody's program, and lessons open."""

from urllib.robotparser import RobotFileParser

import pytest
from django.test import Client

from quizzes.operations.robots import COSTLY, PRIVATE
from tests.courses import at
from tests.learners.addresses import addresses


@pytest.fixture
def rules(client: Client) -> RobotFileParser:
    answer = client.get("/robots.txt")
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/plain")
    assert "Set-Cookie" not in answer.headers
    found = RobotFileParser()
    found.parse(answer.content.decode().splitlines())
    return found


def test_lessons_may_be_found_and_what_is_private_or_costly_not(rules: RobotFileParser) -> None:
    for path in ("/", "/courses/", at("/learn/rope/"), at("/exercises/sinusoidal-table/")):
        assert rules.can_fetch("any", path), path
    for path in ("/figures/rope/heatmap.svg?n=9", "/explore/?encoding=rope", "/me/data/"):
        assert not rules.can_fetch("any", path), path


def test_every_path_that_is_left_out_is_one_of_the_site() -> None:
    routes = [f"/{one.route}".replace("/^", "/") for one in addresses()]
    for path in (*PRIVATE, *COSTLY):
        assert any(route.startswith(path.rstrip("?")) for route in routes), path

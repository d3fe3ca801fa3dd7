"""Addresses that lead out of the course. That they exist cannot be asked here; their form can."""

import re
from urllib.parse import urlsplit

import pytest
import yaml
from posenc.registry import REGISTRY

from tests.course_folders import COURSES

SOURCES = {
    f"{course.name}/{name}": source
    for course in COURSES
    for name, source in yaml.safe_load((course / "course.yaml").read_text())["sources"].items()
}
ADDRESSES = {
    name: str(source["url"]) for name, source in SOURCES.items() if str(source.get("url", ""))
}
ARXIV = re.compile(  # four digits until 2014, five since
    r"(?P<year>0[7-9]|1[0-4]|(?P<five>1[5-9]|[2-9]\d))(?:0[1-9]|1[0-2])\.\d{4}(?(five)\d)"
)
PUBLISHED_WITHIN = 1  # years after a paper was put there


@pytest.mark.parametrize("name", ADDRESSES)
def test_an_address_is_one_of_the_secure_web(name):
    address = urlsplit(ADDRESSES[name])
    assert address.scheme == "https"
    assert re.fullmatch(r"([a-z0-9-]+\.)+[a-z]{2,}", address.netloc)
    assert len(address.path) > 1
    assert not re.search(r"\s|//", address.path)


@pytest.mark.parametrize("name", [one for one in ADDRESSES if "arxiv.org" in ADDRESSES[one]])
def test_the_number_of_a_paper_fits_its_year(name):
    address = re.fullmatch(r"https://arxiv\.org/abs/([\d.]+)(?:v\d)?", ADDRESSES[name])
    assert address, ADDRESSES[name]
    number = ARXIV.fullmatch(address[1])
    assert number, address[1]
    said = int(re.search(r"\b(?:19|20)\d\d\b", SOURCES[name]["text"])[0])
    assert name.endswith(f"-{said}")
    assert 0 <= said - (2000 + int(number["year"])) <= PUBLISHED_WITHIN


@pytest.mark.parametrize("slug", REGISTRY)
def test_the_source_of_an_encoding_is_a_paper(slug):
    scheme, _, number = REGISTRY[slug].source.partition(":")
    assert scheme == "arXiv"
    assert ARXIV.fullmatch(number)

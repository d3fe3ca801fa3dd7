"""Pages and figures travel compressed to whoever accepts it, and are the same to everybody."""

import gzip

import pytest

pytestmark = pytest.mark.django_db
FIGURE = "/figures/sinusoidal/heatmap.svg"


@pytest.mark.parametrize("path", ["/accessibility/", FIGURE])
def test_what_is_compressed_is_what_is_sent_plain(client, path):
    plain = client.get(path, follow=True)
    packed = client.get(path, follow=True, headers={"accept-encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert len(packed.content) < len(plain.content) / 2
    if path == FIGURE:  # a page has a fresh nonce each time
        assert gzip.decompress(packed.content) == plain.content


def test_a_figure_in_the_cache_is_not_sent_again_either_way(client):
    headers = {"accept-encoding": "gzip"}
    first = client.get(FIGURE, follow=True, headers=headers)
    address = first.redirect_chain[-1][0] if first.redirect_chain else FIGURE
    again = client.get(address, headers=headers | {"if-none-match": first.headers["ETag"]})
    assert again.status_code == 304

"""Numbers as findings and cards write them."""

import pytest
from posenc.number_format import grouped, rounded, spoken


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (45000, "45\u202f000"),
        (0.25, "0.25"),
        (9e-14, "9\u00a0×\u00a010⁻¹⁴"),
        (2.5e-5, "2.5\u00a0×\u00a010⁻⁵"),
    ],
)
def test_a_number_is_written_as_people_write_it(number: float, text: str) -> None:
    assert grouped(number) == text


def test_a_tiny_number_is_rounded_to_its_digits() -> None:
    assert rounded(9.37e-14, 1) == "9\u00a0×\u00a010⁻¹⁴"


def test_a_voice_is_given_the_power_in_words() -> None:
    text = f"It changes by {grouped(9e-14)} in 10 positions."
    assert spoken(text) == "It changes by 9\u00a0×\u00a010 to the power −14 in 10 positions."

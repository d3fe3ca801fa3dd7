"""The numbers of the ten cards. Most are computed where they stand; these are not."""

LESSON = "deep-dive"
CITED = {
    "10000",  # the base of the formula
    "2017",  # the year of the paper
    "600",  # a position beyond a table of 512 rows
    "512",
}
SAID: dict[str, list[str]] = {"seeing-it": ["over twenty rows"]}

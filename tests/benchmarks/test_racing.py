"""What the engine's benchmark makes of its times."""

import pytest

from benchmarks.racing import Race, exponent, milliseconds, race, size_of


def test_the_exponent_is_that_of_the_law_behind_the_times():
    sizes = [2**20, 2**22, 2**25]
    assert exponent((size, 3e-9 * size**1.5) for size in sizes) == pytest.approx(1.5)
    assert exponent((size, 3e-9 * size) for size in sizes) == pytest.approx(1.0)
    assert exponent([(1, 1.0), (2, 2.0)]) is None


def test_the_fastest_peer_is_neither_ours_nor_the_copy():
    seconds = {"copy": 1.0, "posenc": 2.0, "posenc, out=": 1.5, "slow": 9.0, "quick": 4.0}
    one = Race("RoPE", "8 x 8", "float32", 64, 256, seconds)
    assert one.fastest_peer() == ("quick", 4.0)
    assert set(one.ours()) == {"posenc", "posenc, out="}
    alone = Race("RoPE", "8 x 8", "float32", 64, 256, {"copy": 1.0, "posenc": 2.0})
    assert alone.fastest_peer() is None


def test_contestants_take_turns_and_the_best_time_counts():
    called, ticks = [], iter([0.0, 5.0, 5.0, 8.0, 8.0, 9.0, 9.0, 16.0])
    racing = {"a": lambda: called.append("a"), "b": lambda: called.append("b")}
    best = race(racing, seconds=0, least=2, clock=lambda: next(ticks))
    assert called == ["a", "b", "a", "b"]
    assert best == {"a": 1.0, "b": 3.0}


def test_a_short_call_is_measured_right_after_one_like_it():
    called, ticks = [], iter([0.0, 0.01, 0.01, 5.0, 5.0, 5.01, 5.01, 8.0])
    racing = {"short": lambda: called.append("short"), "long": lambda: called.append("long")}
    race(racing, seconds=0, least=2, clock=lambda: next(ticks))
    assert called == ["short", "long", "short", "short", "long"]


def test_a_racer_is_prepared_outside_of_the_measured_time():
    done, ticks = [], iter([0.0, 1.0, 1.0, 3.0])

    def clock():
        done.append("clock")
        return next(ticks)

    racing = {"a": lambda: done.append("a"), "b": lambda: done.append("b")}
    race(racing, seconds=0, least=1, clock=clock, before=lambda name: done.append(f"for {name}"))
    assert done == ["for a", "clock", "a", "clock", "for b", "clock", "b", "clock"]


def test_numbers_are_written_with_three_digits_that_count():
    assert [milliseconds(one) for one in (4.1e-5, 0.0123, 0.5)] == ["0.041", "12.3", "500"]
    assert [size_of(one) for one in (2**16, 2**25)] == ["64 KB", "32 MB"]

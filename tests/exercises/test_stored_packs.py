"""Packs stand compressed in the database, and those of an older version are read as they are."""

import numpy as np
import pytest
from django.db import connection

from quizzes.exercises import case_pack_pool, publishing, reserved_packs, stored_packs
from quizzes.exercises.models import CasePack
from quizzes.exercises.stored_packs import MAGIC, compressed, plain
from tests.exercises.making import ready_exercise, unverified_exercise

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def stored(pack):
    with connection.cursor() as cursor:
        cursor.execute("SELECT data FROM exercises_casepack WHERE id = %s", [pack.pk])
        return bytes(cursor.fetchone()[0])


def test_a_pack_is_stored_compressed_and_read_as_it_was():
    numbers = np.random.default_rng(1).normal(size=4000).tobytes()
    data = numbers + numbers[::-1] + numbers
    pack = CasePack.objects.create(version=ready_exercise().current, seed=77, data=data)
    assert len(stored(pack)) < len(data) * 0.8
    assert CasePack.objects.get(pk=pack.pk).data == data
    assert CasePack.objects.values_list("data", flat=True).get(pk=pack.pk) == data
    CasePack.objects.filter(pk=pack.pk).update(data=data[:9])
    assert CasePack.objects.get(pk=pack.pk).data == data[:9]


@pytest.mark.parametrize("data", [b"", b"frames of an older version", MAGIC, compressed(b"x")[:-4]])
def test_what_is_not_compressed_or_damaged_is_given_as_it_is(data):
    pack = ready_exercise().current.packs.first()
    with connection.cursor() as cursor:
        cursor.execute("UPDATE exercises_casepack SET data = %s WHERE id = %s", [data, pack.pk])
    assert CasePack.objects.get(pk=pack.pk).data == data == plain(data)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("way", ["add", "reserve", "accept"])
def test_pack_is_compressed_before_others_wait(monkeypatch, way):
    data, compress, within = b"frames " * 99, stored_packs.lzma.compress, []
    version = (unverified_exercise() if way == "accept" else ready_exercise()).current

    def note(*arguments, **options):
        within.append(connection.in_atomic_block)
        return compress(*arguments, **options)

    monkeypatch.setattr(stored_packs.lzma, "compress", note)
    if way == "add":
        case_pack_pool.add_pack(version=version, seed=5, data=data)
    elif way == "reserve":
        reserved_packs.store(version=version, seed=5, data=data)
    else:
        leased = publishing.lease_unverified()
        assert publishing.accept(version=leased, seed=5, data=data, outline={})
    assert CasePack.objects.get(version=version, seed=5).data == data
    assert within == [False]

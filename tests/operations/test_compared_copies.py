"""What is compared after a copy from SQLite: any row or value that differs refuses the copy."""

import pytest

from quizzes.learners.models import Learner, User
from quizzes.operations import database_copy
from quizzes.operations.database_copy import DatabaseCopyError, Table, copied_models, table_of

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_a_checksum_sees_each_value_and_each_row():
    user = User.objects.create(username="ada")
    seen = {table_of(User, "default").checksum}
    for change in ({"username": "adb"}, {"is_active": False}, {"email": "a@example.org"}):
        User.objects.filter(pk=user.pk).update(**change)
        seen.add(table_of(User, "default").checksum)
    assert len(seen) == 4
    User.objects.create(username="bob")
    assert table_of(User, "default").rows == 2
    assert table_of(User, "default").checksum not in seen


@pytest.mark.parametrize("became", [Table(2, "0" * 64), Table(1, "f" * 64)])
def test_a_table_that_became_another_is_refused_by_name(monkeypatch, became):
    def table(model, using):
        return became if (model, using) == (Learner, "default") else Table(1, "0" * 64)

    monkeypatch.setattr(database_copy, "table_of", table)
    with pytest.raises(DatabaseCopyError, match=r"learners\.Learner: 1 rows .* nothing was kept"):
        database_copy._compare(print)


def test_every_table_is_compared(monkeypatch):
    asked = []
    monkeypatch.setattr(database_copy, "table_of", lambda *one: asked.append(one) or Table(0, ""))
    database_copy._compare(asked.append)
    for using in (database_copy.SOURCE, "default"):
        assert [model for model, at in asked[:-1] if at == using] == copied_models()

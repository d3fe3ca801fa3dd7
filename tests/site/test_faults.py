"""Pages that say what went wrong: their status, what to do, and what they must not need."""

import errno

import pytest
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import InternalError, OperationalError
from django.test import Client, RequestFactory
from django.views import defaults
from django.views.csrf import csrf_failure

from tests.courses import at, some_course


def words(response) -> str:
    return " ".join(response.content.decode().split())


@pytest.fixture
def visitor(db):
    return Client()


@pytest.fixture
def learner(django_user_model, db):
    client = Client()
    django_user_model.objects.create_user("ada", password="long-enough-7")
    form = {"login": "ada", "password": "long-enough-7"}
    assert client.post("/accounts/login/", form).status_code == 302
    return client


def test_404_offers_the_start_and_sign_in_that_comes_back(visitor):
    response = visitor.get("/no/such/page/?a=1&b=2")
    assert response.status_code == 404
    assert "There is no page at this address" in words(response)
    assert 'href="/accounts/login/?next=/no/such/page/%3Fa%3D1%26b%3D2"' in words(response)


def test_404_of_a_signed_in_learner_does_not_offer_sign_in(learner):
    text = words(learner.get("/no/such/page/"))
    assert "There is no page at this address" in text
    assert "/accounts/login/" not in text
    assert "ada" in text


@pytest.mark.parametrize("charset", ["utf-7", "idna", "rot13", "unicode_escape", "nonsense"])
@pytest.mark.parametrize("secure", [True, False])
def test_a_form_in_an_encoding_that_no_browser_sends_is_a_400(charset, secure):
    """Multipart forms are read in it otherwise, lone surrogates and all."""
    field = b'--x\r\nContent-Disposition: form-data; name="code"\r\n\r\n+2AA-\\ud800\r\n--x--\r\n'
    kind = f"multipart/form-data; boundary=x; charset={charset}"
    client = Client(enforce_csrf_checks=secure)
    response = client.generic("POST", at("/exercises/sinusoidal-table/"), field, content_type=kind)
    assert response.status_code == 400
    assert "script-src 'self'" in response.headers["Content-Security-Policy"]
    assert response.headers["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize("charset", ["utf-8", "UTF-8", "utf8", '"utf-8"', ""])
def test_a_form_that_names_our_own_encoding_is_read(visitor, charset):
    part = '--x\r\nContent-Disposition: form-data; name="{}"\r\n\r\n{}\r\n'
    form = part.format("login", "eve") + part.format("password", "no") + "--x--\r\n"
    kind = f"multipart/form-data; boundary=x; charset={charset}"
    response = visitor.generic("POST", "/accounts/login/", form, content_type=kind)
    assert response.status_code == 200
    assert 'value="eve"' in response.content.decode()


@pytest.mark.parametrize("charset", ["utf-8", "UTF-8"])
def test_a_short_form_that_names_our_own_encoding_is_read(visitor, charset):
    kind = f"application/x-www-form-urlencoded; charset={charset}"
    response = visitor.post("/accounts/login/", "login=eve&password=no", content_type=kind)
    assert response.status_code == 200


def test_what_is_no_form_may_name_any_encoding(visitor):
    kind = "application/json; charset=us-ascii"
    assert visitor.generic("GET", "/", "", content_type=kind).status_code == 200


def test_a_form_that_is_too_large_is_413(visitor, settings):
    """Not 400: htmx shows our 400s in place, and a whole page must not land inside another."""
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    response = visitor.post("/accounts/login/", {"login": "x" * 2000})
    assert response.status_code == 413
    assert "it was too large" in words(response)


def test_403_names_the_account(rf, django_user_model, db):
    request = rf.get("/teach/")
    request.user = django_user_model.objects.create_user("ada")
    response = defaults.permission_denied(request, PermissionDenied())
    assert response.status_code == 403
    assert "You are signed in as <bdi>ada</bdi>" in words(response)


def test_400_needs_no_database(rf):
    response = defaults.bad_request(rf.get("/"), SuspiciousOperation())
    assert response.status_code == 400
    assert "did not understand" in words(response)
    assert "Sign in" not in words(response)  # it does not know who is here


def test_500_needs_no_database_and_no_request():
    # Without the db fixture any query would fail this test.
    response = defaults.server_error(RequestFactory().get("/"))
    assert response.status_code == 500
    assert "our fault" in words(response)


def test_500_is_what_a_visitor_gets(client, db, monkeypatch):
    def broken(*args, **kwargs):
        raise RuntimeError("secret detail")

    some_course()
    monkeypatch.setattr("quizzes.study.views.next_actions", broken)
    client.raise_request_exception = False
    response = client.get("/")
    assert response.status_code == 500
    assert "Something went wrong, and it is our fault" in words(response)
    assert "secret detail" not in words(response)


@pytest.mark.parametrize(
    "error",
    [
        OperationalError("database or disk is full"),
        InternalError("cannot execute UPDATE in a read-only transaction"),
        OSError(errno.EMFILE, "Too many open files"),
    ],
)
def test_a_database_that_fails_is_a_503_that_says_so(client, db, monkeypatch, error):
    def failing(*args, **kwargs):
        raise error

    some_course()
    monkeypatch.setattr("quizzes.study.views.next_actions", failing)
    client.raise_request_exception = False
    response = client.get("/")
    assert response.status_code == 503
    assert response.headers["Retry-After"] == "60"
    assert "cannot read or save anything right now" in words(response)
    assert "What you just sent was not saved" in words(response)


def test_a_form_without_its_key_is_refused_with_the_way_out(db):
    response = Client(enforce_csrf_checks=True).post("/accounts/login/", {"login": "ada"})
    assert response.status_code == 403
    assert "press your browser’s Back button" in words(response)
    assert "nothing you did before has been lost" in words(response)


def test_csrf_page_needs_no_query(rf, django_assert_num_queries, db):
    with django_assert_num_queries(0):
        assert csrf_failure(rf.post("/")).status_code == 403


@pytest.mark.slow
def test_a_lockout_says_how_long_and_what_is_open(client, django_user_model, settings, db):
    settings.AXES_FAILURE_LIMIT = 3
    settings.ACCOUNT_RATE_LIMITS = False
    django_user_model.objects.create_user("ada", password="right-and-long")
    wrong = {"login": "ada", "password": "wrong"}
    answers = [client.post("/accounts/login/", wrong).status_code for _ in range(3)]
    response = client.post("/accounts/login/", wrong)
    assert answers[0] == 200
    assert response.status_code == 429
    assert "15 minutes" in words(response)
    assert "A wrong password was entered 3 times" in words(response)


def test_too_many_requests_has_a_page(client, db, settings):
    settings.ACCOUNT_RATE_LIMITS = {"reset_password": "1/m/ip"}
    form = {"email": "ada@example.org"}
    answers = [client.post("/accounts/password/reset/", form) for _ in range(2)]
    assert answers[0].status_code == 302
    assert answers[1].status_code == 429
    assert "wait a minute" in words(answers[1])


def test_every_page_has_a_strict_content_policy(visitor, learner):
    for client in (visitor, learner):
        for path in ("/", "/accounts/login/", "/no/such/page/"):
            policy = client.get(path).headers["Content-Security-Policy"]
            rules = dict(part.strip().split(" ", 1) for part in policy.split(";"))
            assert rules["script-src"] == "'self'", path
            assert rules["style-src"] == "'self'", path
            assert rules["object-src"] == "'none'", path
            assert "unsafe" not in policy, path


def test_the_frame_costs_a_visitor_no_query(visitor, django_assert_num_queries):
    with django_assert_num_queries(0):
        visitor.get("/no/such/page/")


def test_frame_reads_session_and_whole_account(learner, django_assert_num_queries):
    with django_assert_num_queries(2):
        learner.get("/no/such/page/")


@pytest.mark.parametrize("secure_settings", [True, False])
@pytest.mark.parametrize("path", ["/accounts/login/", at("/learn/"), "/no/such/"])
@pytest.mark.parametrize("host", ["evil.example", "", "[::1"])
def test_a_host_that_is_not_ours_is_a_page_of_400(secure_settings, path, host, settings, db):
    settings.ALLOWED_HOSTS = ["ordinal.example", "127.0.0.1"]
    settings.SECURE_SSL_REDIRECT = secure_settings
    client = Client(raise_request_exception=False, headers={"host": host})
    response = client.get(path)
    assert response.status_code == 400
    assert "a host name that this site does not recognise" in words(response)

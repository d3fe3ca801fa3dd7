"""A real OpenID provider in a process of its own: allauth's identity provider, and its switches.

`python provider_process.py PORT FOLDER` serves on loopback until its input ends. A test makes
people and faults by posting JSON to `/switch`:

- `person`: name, password, and what the provider knows of them;
- `callback`: an address that may get codes;
- `claims`: what tokens say instead (None: that they leave out); numbers with "+600" are from now;
- `key`: the number of the key that signs; `published`: those of the keys that are published;
- `token`: a program that makes another token of a right one: see `_changed`;
- `tokens`: what else the answer with the tokens says instead;
- `answers`: by path, `status`, `body`, `seconds` or `chunks` instead of the answer.
"""

import base64
import json
import sys
import threading
import time
from functools import cache
from pathlib import Path
from typing import Any

import django
from django.conf import settings

CLIENT, SECRET = "ordinal", "a-secret-of-the-provider"
switches: dict[str, Any] = {}
signed_in_at: dict[int, float] = {}


def configure(port: int, folder: Path) -> None:
    apps = ["auth", "contenttypes", "sessions", "messages"]
    settings.configure(
        SECRET_KEY="of the provider " * 4,
        ALLOWED_HOSTS=["127.0.0.1"],
        USE_TZ=True,
        DATABASES={
            "default": {
                "ENGINE": "django.db.backends.sqlite3",
                "NAME": folder / "provider.sqlite3",
                "OPTIONS": {
                    "transaction_mode": "IMMEDIATE",
                    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF",
                },
            }
        },
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        INSTALLED_APPS=[
            *(f"django.contrib.{app}" for app in apps),
            *("allauth", "allauth.account", "allauth.idp.oidc"),
        ],
        MIDDLEWARE=[
            f"{__name__}.switch",
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.middleware.csrf.CsrfViewMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
            "django.contrib.messages.middleware.MessageMiddleware",
            "allauth.account.middleware.AccountMiddleware",
        ],
        TEMPLATES=[
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "APP_DIRS": True,
                "OPTIONS": {
                    "context_processors": [
                        "django.template.context_processors.request",
                        "django.contrib.auth.context_processors.auth",
                        "django.contrib.messages.context_processors.messages",
                    ]
                },
            }
        ],
        AUTHENTICATION_BACKENDS=["allauth.account.auth_backends.AuthenticationBackend"],
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        ROOT_URLCONF=__name__,
        LOGIN_URL="account_login",
        SESSION_COOKIE_NAME="provider_session",  # the site may be on this host too
        CSRF_COOKIE_NAME="provider_csrf",
        ACCOUNT_RATE_LIMITS=False,
        ACCOUNT_EMAIL_VERIFICATION="none",
        IDP_OIDC_ADAPTER=f"{__name__}.Adapter",
        IDP_OIDC_PRIVATE_KEYS=[{"pem": new_key()} for _ in range(2)],
        EMAIL_BACKEND="django.core.mail.backends.dummy.EmailBackend",
        PORT=port,
    )
    django.setup()


def new_key() -> str:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import rsa

    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    ).decode()


def flip(request: Any) -> Any:
    """Set switches, or add a person or a callback; without any, all is right again."""
    from allauth.account.models import EmailAddress
    from allauth.idp.oidc.models import Client
    from django.contrib.auth.models import User
    from django.http import JsonResponse

    sent = json.loads(request.body)
    if callback := sent.pop("callback", None):
        client = Client.objects.get()
        client.redirect_uris = f"{client.redirect_uris}\n{callback}".strip()
        client.save()
        return JsonResponse({})
    if person := sent.pop("person", None):
        names = {name: person.get(name, "") for name in ("first_name", "last_name")}
        user = User.objects.create_user(person["username"], "", person["password"], **names)
        if address := person.get("email"):
            is_verified = person.get("verified", True)
            EmailAddress.objects.create(
                user=user, email=address, verified=is_verified, primary=True
            )
        return JsonResponse({"sub": str(user.pk)})
    switches.clear()
    switches.update(sent)
    return JsonResponse({})


def switch(get_response: Any) -> Any:
    """Answer what a switch says instead of the right answer."""
    from django.http import HttpResponse

    def answer(request: Any) -> Any:
        instead = switches.get("answers", {}).get(request.path)
        if instead is None:
            response = get_response(request)
            if request.path.endswith("/token") and switches.keys() & {"token", "tokens"}:
                return _changed(response)
            return response
        time.sleep(instead.get("seconds", 0))
        if "add" in instead:
            right = json.loads(get_response(request).content)
            return HttpResponse(json.dumps(right | instead["add"]))
        body = instead.get("body", "") * instead.get("times", 1)
        status = instead.get("status", 200)
        return HttpResponse(body, status=status, headers=instead.get("headers"))

    return answer


def _changed(response: Any) -> Any:
    """Make another token of a right one, as somebody would who wants to be somebody else."""
    from django.http import JsonResponse

    sent = json.loads(response.content)
    header, body, signature = sent["id_token"].split(".")
    claims = json.loads(base64.urlsafe_b64decode(body + "=="))

    def part(value: Any) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()

    match switches.get("token"):
        case "body":
            body = part(claims | {"sub": "1"})
        case "none":
            header, signature = part({"alg": "none"}), ""
        case "secret":
            import jwt

            header, body, signature = jwt.encode(claims, SECRET * 2, algorithm="HS256").split(".")
        case "no key":
            kept = json.loads(base64.urlsafe_b64decode(header + "=="))
            header = part({**kept, "kid": "another"})
    sent["id_token"] = f"{header}.{body}.{signature}"
    if switches.get("token") == "missing":
        del sent["id_token"]
    if switches.get("token") == "text":
        sent["id_token"] = "no token"
    return JsonResponse(sent | switches.get("tokens", {}))


def adapter() -> type:
    from allauth.idp.oidc.adapter import DefaultOIDCAdapter

    class Adapter(DefaultOIDCAdapter):  # type: ignore[misc]
        def get_signing_key(self) -> Any:
            return super().list_private_keys()[switches.get("key", 0)]

        def list_private_keys(self, **which: Any) -> list[Any]:
            keys = super().list_private_keys(**which)
            return [keys[number] for number in switches.get("published", range(len(keys)))]

        def populate_id_token(self, id_token: dict[str, Any], *args: Any, **kwargs: Any) -> None:
            if at := signed_in_at.get(int(id_token["sub"])):
                id_token["auth_time"] = int(at)
            for name, value in switches.get("claims", {}).items():
                if value is None:
                    id_token.pop(name, None)
                elif isinstance(value, str) and value[:1] in "+-" and value[1:].isdecimal():
                    id_token[name] = int(time.time()) + int(value)
                else:
                    id_token[name] = value

    return Adapter


def note_sign_in(*, user: Any, **_: Any) -> None:
    signed_in_at[user.pk] = time.time()


def serve(port: int, folder: Path) -> None:
    module = sys.modules[__name__]
    sys.modules["provider_process"] = module
    configure(port, folder)
    from allauth.account.signals import authentication_step_completed
    from allauth.core.internal import jwkkit
    from allauth.idp.oidc.models import Client
    from django.core.handlers.wsgi import WSGIHandler
    from django.core.management import call_command
    from django.urls import include, path
    from django.views.decorators.csrf import csrf_exempt
    from waitress import create_server

    module.Adapter = adapter()  # type: ignore[attr-defined]
    module.urlpatterns = [  # type: ignore[attr-defined]
        path("switch", csrf_exempt(flip)),
        path("accounts/", include("allauth.account.urls")),
        path("", include("allauth.idp.urls")),
    ]
    authentication_step_completed.connect(note_sign_in)
    # Each load of a key tries whether its numbers are prime, a tenth of a second in all a sign-in.
    jwkkit.load_jwk_from_pem = cache(jwkkit.load_jwk_from_pem)
    call_command("migrate", verbosity=0)
    client = Client(id=CLIENT, name="Ordinal", skip_consent=True, scopes="openid\nprofile\nemail")
    client.set_secret(SECRET)
    client.save()
    server = create_server(WSGIHandler(), host="127.0.0.1", port=port, threads=6)
    threading.Thread(target=server.run, daemon=True).start()
    print("ready", flush=True)
    sys.stdin.read()  # ends with the test


if __name__ == "__main__":
    serve(int(sys.argv[1]), Path(sys.argv[2]))

"""Verify an ID token (OpenID Connect Core 1.0, 3.1.3.7): pure, without network, clock or database.

allauth takes a token that came over TLS without looking at its signature, and asks for no nonce.
Here both are verified: a proxy or a broken provider between us and the person signs nobody in.
"""

import hmac
import math
from dataclasses import dataclass
from typing import Any

import jwt

from quizzes.learners.sign_on.faults import Fault, SignOnError

ALGORITHMS = {
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "EdDSA"),
}
LEEWAY = 60  # seconds that two clocks may differ
OLDEST = 300  # seconds since a token was issued: it comes straight from the provider
MOST_SUBJECT = 191  # characters that the table of identities keeps
_UNCHECKED: Any = {
    f"verify_{claim}": False for claim in ("exp", "iat", "nbf", "aud", "iss", "sub", "jti")
}


@dataclass(frozen=True)
class Expected:
    """What a token must say."""

    issuer: str
    client: str
    nonce: str
    now: float  # seconds since 1970


def verify(token: str, keys: dict[str, Any], expected: Expected) -> dict[str, Any]:
    """Return the claims of a token; raises SignOnError, with the first thing that is wrong."""
    claims = _signed_claims(token, keys)
    if claims.get("iss") != expected.issuer:
        raise SignOnError(Fault.ISSUER, f"iss is {claims.get('iss')!r}"[:200])
    _check_audience(claims, expected.client)
    nonce = claims.get("nonce")
    if not isinstance(nonce, str) or not hmac.compare_digest(
        nonce.encode(errors="replace"), expected.nonce.encode()
    ):
        raise SignOnError(Fault.NONCE)
    _check_times(claims, expected.now)
    subject = claims.get("sub")
    if not (isinstance(subject, str) and subject.isascii() and subject.isprintable()):
        raise SignOnError(Fault.SUBJECT, f"sub is a {type(subject).__name__}")
    if not 0 < len(subject) <= MOST_SUBJECT:
        raise SignOnError(Fault.SUBJECT, f"sub has {len(subject)} characters")
    return claims


def _signed_claims(token: str, keys: dict[str, Any]) -> dict[str, Any]:
    try:
        header = jwt.get_unverified_header(token)
        algorithm = header.get("alg")
        if algorithm not in ALGORITHMS:
            raise SignOnError(Fault.SIGNATURE, f"alg is {algorithm!r}"[:60])
        key = _key_of(header.get("kid"), keys)
        claims: dict[str, Any] = jwt.decode(
            token, key.key, algorithms=[algorithm], options=_UNCHECKED
        )
    except jwt.InvalidSignatureError as error:
        raise SignOnError(Fault.SIGNATURE) from error
    except jwt.InvalidKeyError as error:
        raise SignOnError(Fault.SIGNATURE, "the key is of another algorithm") from error
    except (jwt.PyJWTError, ValueError, TypeError, RecursionError) as error:
        raise SignOnError(Fault.UNREADABLE, f"id_token: {type(error).__name__}") from error
    return claims


def _key_of(name: object, keys: dict[str, Any]) -> jwt.PyJWK:
    usable = usable_keys(keys)
    named = usable if name is None else [key for key in usable if key.key_id == name]
    if len(named) != 1:
        raise SignOnError(Fault.KEY, f"kid {name!r} fits {len(named)} of {len(usable)} keys"[:200])
    return named[0]


def usable_keys(keys: dict[str, Any]) -> list[jwt.PyJWK]:
    """Return the published keys that can verify a signature; raises SignOnError without any."""
    try:
        readable = jwt.PyJWKSet.from_dict(keys).keys
    except (jwt.PyJWTError, ValueError, TypeError, AttributeError) as error:
        raise SignOnError(Fault.KEY, "no published key can be used") from error
    public = [key for key in readable if hasattr(key.key, "verify")]  # a private one is anybody's
    return [key for key in public if key.public_key_use in {None, "sig"}]


def _check_audience(claims: dict[str, Any], client: str) -> None:
    audience, party = claims.get("aud"), claims.get("azp")
    several = audience if isinstance(audience, list) else [audience]
    is_ours = client in several and (party == client or (party is None and len(several) == 1))
    if not is_ours:
        raise SignOnError(Fault.AUDIENCE, f"aud is {audience!r}, azp {party!r}"[:200])


def _check_times(claims: dict[str, Any], now: float) -> None:
    issued, expires = seconds_of(claims.get("iat")), seconds_of(claims.get("exp"))
    if issued is None or expires is None:
        raise SignOnError(Fault.UNREADABLE, "iat or exp is no time")
    starts = seconds_of(claims.get("nbf", issued))
    if starts is None or max(issued, starts) > now + LEEWAY or issued < now - OLDEST:
        way = "ago" if issued < now else "ahead of this site's clock"
        raise SignOnError(Fault.CLOCK, f"issued {abs(now - issued):.0f} s {way}")
    if expires < now - LEEWAY:
        raise SignOnError(Fault.EXPIRED, f"{now - expires:.0f} s ago")


def has_just_signed_in(signed_in_at: float | None, *, began_at: float, now: float) -> bool:
    """Return whether a person signed in at the provider since this sign-in began here.

    An open session at the provider is no more than an open session here. Nor is a time of tomorrow
    a proof: the provider's clock is wrong.
    """
    return signed_in_at is not None and began_at - LEEWAY <= signed_in_at <= now + LEEWAY


def seconds_of(value: object) -> float | None:
    """Return a time of a claim, in seconds since 1970; None for what is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) < 1e12 and math.isfinite(value) else None

"""Tells events of the gateway from anything else that reaches a webhook URL."""

import base64
import hmac
import json
import re
import time
from typing import Any, Iterable, List, Optional, Protocol, Sequence, Tuple, Union, cast

from ._signature import event_signature, standard_event_signature
from .api_types import GatewayEvent

_WINDOW_SECONDS = 300
_TIMESTAMP = re.compile(r"[1-9][0-9]{9}")
_SIGNATURE = re.compile(r"[0-9a-fA-F]{64}")
#: Without a dot, which parts what is signed.
_EVENT_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_STANDARD_SIGNATURE = re.compile(r"v1,([A-Za-z0-9+/]{43}=)")
#: At least 24 bytes: of a secret of another form little or nothing would be left, and anybody could sign with that.
_STANDARD_SECRET = re.compile(r"whsec_((?:[A-Za-z0-9+/]{4}){8,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)")


class Headers(Protocol):
    """What a mapping has, and the headers of every framework."""

    def items(self) -> Iterable[Tuple[str, Any]]: ...


class InvalidWebhook(Exception):
    """The gateway did not send this, or not lately."""


def verify_webhook(
    raw_body: bytes, headers: Headers, secrets: Union[str, Sequence[str]], now: Optional[int] = None
) -> GatewayEvent:
    """Returns the event, or raises InvalidWebhook.

    ``raw_body`` is what was received, before anything parsed it; ``headers`` those of a request of Django, Flask, FastAPI,
    http.server or any mapping; ``secrets`` all that may be in use, which while one is rotated are two. Either signature will
    do: ``x-gw-signature`` is by the newest secret alone, ``webhook-signature`` by each that is in use, so that who knows only
    the old one can tell too.
    """
    if not isinstance(raw_body, (bytes, bytearray, memoryview)):
        raise TypeError("verify_webhook needs the bytes that were received, not what was made of them.")
    body = bytes(raw_body)
    seconds = int(time.time()) if now is None else now
    if not _is_signed_by_standard(body, headers, [secrets] if isinstance(secrets, str) else secrets, seconds):
        _expect_signed(body, headers, secrets, seconds)
    return _event(body)


def _expect_signed(body: bytes, headers: Headers, secrets: Union[str, Sequence[str]], now: int) -> None:
    timestamp = _only_one(headers, "x-gw-timestamp")
    if not _TIMESTAMP.fullmatch(timestamp):
        raise InvalidWebhook("x-gw-timestamp is missing or malformed.")
    if not _is_near(timestamp, now):
        raise InvalidWebhook("x-gw-timestamp is more than 300 seconds away. Check the clock of this machine.")
    signature = _only_one(headers, "x-gw-signature")
    if not _SIGNATURE.fullmatch(signature):
        raise InvalidWebhook("x-gw-signature is missing or malformed.")
    given = bytes.fromhex(signature)
    # Every secret is tried, so that the time taken says nothing about which one matched.
    matches = [hmac.compare_digest(given, event_signature(secret, timestamp, body)) for secret in _configured(secrets)]
    if not any(matches):
        raise InvalidWebhook("x-gw-signature does not match. Verify the raw bytes, with the secret of this client.")


def _is_signed_by_standard(body: bytes, headers: Headers, secrets: Sequence[str], now: int) -> bool:
    """By its own headers alone, the timestamp too: what one signature covers says nothing for the other."""
    event_id = _only_one(headers, "webhook-id")
    timestamp = _only_one(headers, "webhook-timestamp")
    if not _EVENT_ID.fullmatch(event_id) or not _TIMESTAMP.fullmatch(timestamp) or not _is_near(timestamp, now):
        return False
    given = _decoded(_STANDARD_SIGNATURE, _only_one(headers, "webhook-signature").split(" "))
    keys = _decoded(_STANDARD_SECRET, secrets)
    expected = [standard_event_signature(key, event_id, timestamp, body) for key in keys]
    # Each against each, as above.
    matches = [hmac.compare_digest(one, other) for one in expected for other in given]
    return any(matches)


def _is_near(timestamp: str, now: int) -> bool:
    return abs(now - int(timestamp)) <= _WINDOW_SECONDS


def _decoded(form: "re.Pattern[str]", texts: Sequence[str]) -> List[bytes]:
    """The base64 in the texts that are of that form."""
    return [base64.b64decode(found.group(1)) for found in map(form.fullmatch, texts) if found]


def _configured(secrets: Union[str, Sequence[str]]) -> List[str]:
    """Anybody can sign with an empty secret: it is a setting that was left out, not a secret."""
    found = [secret for secret in ([secrets] if isinstance(secrets, str) else secrets) if secret]
    if not found:
        raise InvalidWebhook("There is no signing secret to verify with.")
    return found


def _only_one(headers: Headers, name: str) -> str:
    """The value of a header that came exactly once: of two, nobody knows which was signed."""
    get_all = getattr(headers, "get_all", None) or getattr(headers, "getlist", None)
    if get_all is not None:
        values = list(get_all(name) or [])
    else:
        found = [value for key, value in headers.items() if str(key).lower() == name]
        values = [each for value in found for each in (value if isinstance(value, (list, tuple)) else [value])]
    return str(values[0]) if len(values) == 1 else ""


def _event(body: bytes) -> GatewayEvent:
    try:
        return cast(GatewayEvent, json.loads(body.decode("utf-8", "replace")))
    except ValueError:
        raise InvalidWebhook("The body was signed, but it is no JSON.") from None

"""Tells events of the gateway from anything else that reaches a webhook URL."""

import hmac
import json
import re
import time
from typing import Any, Iterable, List, Optional, Protocol, Sequence, Tuple, Union, cast

from ._signature import event_signature
from .api_types import GatewayEvent

_WINDOW_SECONDS = 300
_TIMESTAMP = re.compile(r"[1-9][0-9]{9}")
_SIGNATURE = re.compile(r"[0-9a-fA-F]{64}")


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
    http.server or any mapping; ``secrets`` all that may be in use, which while one is rotated are two.
    """
    if not isinstance(raw_body, (bytes, bytearray, memoryview)):
        raise TypeError("verify_webhook needs the bytes that were received, not what was made of them.")
    body = bytes(raw_body)
    timestamp = _only_one(headers, "x-gw-timestamp")
    if not _TIMESTAMP.fullmatch(timestamp):
        raise InvalidWebhook("x-gw-timestamp is missing or malformed.")
    if abs((int(time.time()) if now is None else now) - int(timestamp)) > _WINDOW_SECONDS:
        raise InvalidWebhook("x-gw-timestamp is more than 300 seconds away. Check the clock of this machine.")
    signature = _only_one(headers, "x-gw-signature")
    if not _SIGNATURE.fullmatch(signature):
        raise InvalidWebhook("x-gw-signature is missing or malformed.")
    given = bytes.fromhex(signature)
    # Every secret is tried, so that the time taken says nothing about which one matched.
    matches = [hmac.compare_digest(given, event_signature(secret, timestamp, body)) for secret in _configured(secrets)]
    if not any(matches):
        raise InvalidWebhook("x-gw-signature does not match. Verify the raw bytes, with the secret of this client.")
    return _event(body)


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

"""Tells a webhook of the payout gateway from anything else. Needs nothing but Python, 3.7 or newer."""
import hashlib
import hmac
import re
import time


class InvalidWebhook(Exception):
    pass


def verify_webhook(raw_body, headers, secrets, now=None):
    """Raises InvalidWebhook unless the gateway sent this.

    raw_body: the bytes that were received, before anything parsed them.
    headers: anything with items(), such as request.headers of Django, Flask, FastAPI or http.server.
    secrets: your signing secret, or a list of all that may be in use while it is rotated.
    now: Unix seconds.
    """
    timestamp = _only_one(headers, "x-gw-timestamp")
    if not re.fullmatch("[0-9]{10}", timestamp):
        raise InvalidWebhook("x-gw-timestamp is missing or malformed")
    now = int(time.time()) if now is None else now
    if abs(now - int(timestamp)) > 300:
        raise InvalidWebhook("x-gw-timestamp is over 300 seconds away")
    signature = _only_one(headers, "x-gw-signature")
    if not re.fullmatch("[0-9a-fA-F]{64}", signature):
        raise InvalidWebhook("x-gw-signature is missing or malformed")
    given = bytes.fromhex(signature)
    signed = timestamp.encode("ascii") + b"." + raw_body
    # An empty secret is one that was not configured: anybody can sign with it.
    keys = [key.encode() for key in ([secrets] if isinstance(secrets, str) else secrets) if key]
    matches = [hmac.compare_digest(given, hmac.new(key, signed, hashlib.sha256).digest()) for key in keys]
    if True not in matches:
        raise InvalidWebhook("x-gw-signature does not match")


def _only_one(headers, name):
    """The value of a header that came exactly once, else nothing: of two, nobody knows which was signed."""
    found = [value for key, value in headers.items() if key.lower() == name]
    return found[0] if len(found) == 1 else ""

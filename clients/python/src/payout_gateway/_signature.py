"""The signatures of the contract: of requests by version 2, which says where they go, and of events."""

import hashlib
import hmac
import time
import uuid
from typing import Dict, Optional


def sign_request(
    api_key: str, signing_secret: str, method: str, target: str, body: bytes, now: Optional[int] = None
) -> Dict[str, str]:
    """The headers of a signed request. ``target`` is path and query exactly as sent; sign each try anew."""
    timestamp = str(int(time.time()) if now is None else now)
    nonce = str(uuid.uuid4())
    text = "\n".join([timestamp, nonce, method, target, hashlib.sha256(body).hexdigest()])
    return {
        "authorization": f"Bearer {api_key}",
        "x-gw-timestamp": timestamp,
        "x-gw-nonce": nonce,
        "x-gw-signature-v2": hmac.new(signing_secret.encode(), text.encode(), hashlib.sha256).hexdigest(),
    }


def event_signature(secret: str, timestamp: str, body: bytes) -> bytes:
    return hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).digest()


def standard_event_signature(key: bytes, event_id: str, timestamp: str, body: bytes) -> bytes:
    """As Standard Webhooks has it; its key is what the secret holds behind its prefix."""
    return hmac.new(key, f"{event_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()

"""Signed calls over urllib: each try signed anew, and repeated as far as its route may be."""

import http.client
import json
import random
import socket
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, NamedTuple, Optional

from ._in_time import opener
from ._repeats import PASSES, Headers, may_have_happened, pause_before
from ._signature import sign_request
from .errors import NoAnswer, PayoutGatewayError, error_of

_PREFIX = "/api/v1"
#: Nothing was sent: nobody listens there, or there is no such host.
_NEVER_SENT = (ConnectionRefusedError, socket.gaierror)


class Answer(NamedTuple):
    status: int
    body: Any


class _Failed(NamedTuple):
    error: PayoutGatewayError
    passes: bool
    status: Optional[int] = None
    headers: Optional[Headers] = None


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A signature is for one place."""

    def redirect_request(self, req: Any, fp: Any, code: Any, msg: Any, headers: Any, newurl: Any) -> None:
        return None


class Connection:
    def __init__(
        self,
        base_url: str,
        api_key: str,
        signing_secret: str,
        *,
        timeout: float,
        tries: int,
        first_pause: float,
        longest_pause: float,
    ) -> None:
        self._base_url = _address(base_url)
        for name, value in (("api_key", api_key), ("signing_secret", signing_secret)):
            if not value:
                raise ValueError(f"{name} is missing or empty: is its environment variable set?")
        self._api_key = api_key
        self._signing_secret = signing_secret
        self._timeout = timeout
        self._tries = tries
        self._first_pause = first_pause
        self._longest_pause = longest_pause
        self._opener = opener(_NoRedirect())

    def __repr__(self) -> str:
        return f"Connection({self._base_url!r})"

    def call(self, method: str, path: str, body: object, *, unbegun_only: bool) -> Answer:
        data = None if body is None else json.dumps(body).encode()
        turn = 1
        happened = False
        while True:
            outcome = self._try_once(method, path, data)
            if isinstance(outcome, Answer):
                return outcome
            happened = happened or outcome.error.may_have_happened
            pause = self._pause_after(outcome, turn, unbegun_only)
            if pause is None:
                # That the last try did nothing says nothing of those before it.
                outcome.error.may_have_happened = happened
                raise outcome.error
            time.sleep(pause)
            turn += 1

    def _pause_after(self, failed: _Failed, turn: int, unbegun_only: bool) -> Optional[float]:
        if not failed.passes or turn >= self._tries or (unbegun_only and failed.error.may_have_happened):
            return None
        return pause_before(
            turn, failed.status, failed.headers, self._first_pause, self._longest_pause, random.random()
        )

    def _try_once(self, method: str, path: str, data: Optional[bytes]) -> "Answer | _Failed":
        url = f"{self._base_url}{_PREFIX}{path}"
        target = urllib.parse.urlsplit(url)
        place = f"{target.path}?{target.query}" if target.query else target.path
        headers = sign_request(self._api_key, self._signing_secret, method, place, data or b"")
        if data is not None:
            headers["content-type"] = "application/json"
        elif method != "GET":
            headers["content-length"] = "0"
        request = urllib.request.Request(url, data, headers, method=method)
        writes = method != "GET"
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                return _outcome(response.status, response.read(), response.headers, writes)
        except urllib.error.HTTPError as refusal:
            with refusal:
                return _outcome_of_refusal(refusal, writes)
        except (OSError, http.client.HTTPException) as cause:
            return _no_answer(cause, writes)


def _address(base_url: str) -> str:
    parts = urllib.parse.urlsplit(base_url or "")
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ValueError(f"base_url must be like https://payouts.example.com, and is {base_url!r}.")
    address = base_url.rstrip("/")
    if address.endswith(_PREFIX):
        raise ValueError(f"Leave {_PREFIX} out of base_url: the client adds it.")
    return address


def _outcome_of_refusal(refusal: urllib.error.HTTPError, writes: bool) -> "Answer | _Failed":
    try:
        return _outcome(refusal.code, refusal.read(), refusal.headers, writes)
    except (OSError, http.client.HTTPException) as cause:
        return _no_answer(cause, writes)


def _outcome(status: int, data: bytes, headers: Headers, writes: bool) -> "Answer | _Failed":
    body = _readable(data)
    if 200 <= status < 300 and body is not None:
        return Answer(status, body)
    # Each try is signed anew, so another copy of this one has arrived before: something in between sent it twice.
    is_copy = isinstance(body, dict) and body.get("error") == "replayed_request"
    happened = writes and (is_copy or may_have_happened(status, body is not None))
    error = error_of(status, body, headers.get("x-request-id"), happened)
    return _Failed(error, is_copy or status in PASSES, status, headers)


def _no_answer(cause: BaseException, writes: bool) -> _Failed:
    reason = getattr(cause, "reason", cause)
    # urllib wraps what happens until the request is sent; what it does not wrap happened to a connection that stood.
    was_never_sent = isinstance(cause, urllib.error.URLError) and isinstance(reason, _NEVER_SENT)
    error = NoAnswer(f"No answer: {reason!r}.", writes and not was_never_sent)
    error.__cause__ = cause
    return _Failed(error, True)


def _readable(data: bytes) -> object:
    """None if it is no JSON object or list: then it was not the gateway that answered."""
    try:
        body = json.loads(data)
    except ValueError:
        return None
    return body if isinstance(body, (dict, list)) else None

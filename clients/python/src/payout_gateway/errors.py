"""What a call raises.

``may_have_happened`` is the question that matters with money: False, nothing was done; True, the answer was lost or spoke
of trouble, and the gateway may have done it.
"""

from typing import Any, Dict, Optional, Type, cast

from .api_types import ErrorDetails


class PayoutGatewayError(Exception):
    def __init__(self, message: str, may_have_happened: bool) -> None:
        super().__init__(message)
        self.may_have_happened = may_have_happened


class NoAnswer(PayoutGatewayError):
    """No answer came: refused, cut, or too late. ``__cause__`` is what was raised below."""


class GatewayError(PayoutGatewayError):
    """An answer that is no success. Branch on ``code``, or on the class; the message is for people."""

    def __init__(self, status: int, body: object, request_id: Optional[str], may_have_happened: bool) -> None:
        answer: Dict[str, Any] = body if isinstance(body, dict) else {}
        self.status = status
        #: ``unreadable_answer`` if something between us and the gateway answered in its place. Codes are only ever added.
        self.code = str(answer.get("error") or "unreadable_answer")
        self.details = cast(Optional[ErrorDetails], answer.get("details"))
        #: What the gateway's operators find the request by.
        self.request_id = request_id
        message = answer.get("message")
        super().__init__(f"{self.code}: {message}" if message else f"{self.code} ({status})", may_have_happened)


class InvalidRequest(GatewayError):
    """400, 413, 415: ``details["fields"]`` says what is wrong where."""


class NotAuthenticated(GatewayError):
    """401: the key, the secret, or the clock of this machine."""


class NotAllowed(GatewayError):
    """403: the key lacks the scope, or the client is suspended."""


class NotFound(GatewayError):
    """404: it is not there, or not yours."""


class Conflict(GatewayError):
    """409 and 422: it is there, and in no state for this, or another body has this key."""


class RateLimited(GatewayError):
    """429, and there was no try left. This one did nothing; ``may_have_happened`` speaks of all."""


class ServiceTrouble(GatewayError):
    """408 and 5xx, and there was no try left."""


_CLASSES: Dict[int, Type[GatewayError]] = {
    400: InvalidRequest,
    401: NotAuthenticated,
    403: NotAllowed,
    404: NotFound,
    408: ServiceTrouble,
    409: Conflict,
    413: InvalidRequest,
    415: InvalidRequest,
    422: Conflict,
    429: RateLimited,
}


def error_of(status: int, body: object, request_id: Optional[str], may_have_happened: bool) -> GatewayError:
    other = ServiceTrouble if status >= 500 else GatewayError
    return _CLASSES.get(status, other)(status, body, request_id, may_have_happened)

"""The payout gateway's API for callers."""

from . import api_types
from ._connection import Answer
from ._signature import sign_request
from .client import GatewayClient
from .errors import (
    Conflict,
    GatewayError,
    InvalidRequest,
    NoAnswer,
    NotAllowed,
    NotAuthenticated,
    NotFound,
    PayoutGatewayError,
    RateLimited,
    ServiceTrouble,
)
from .webhooks import InvalidWebhook, verify_webhook

__all__ = [
    "Answer",
    "Conflict",
    "GatewayClient",
    "GatewayError",
    "InvalidRequest",
    "InvalidWebhook",
    "NoAnswer",
    "NotAllowed",
    "NotAuthenticated",
    "NotFound",
    "PayoutGatewayError",
    "RateLimited",
    "ServiceTrouble",
    "api_types",
    "sign_request",
    "verify_webhook",
]

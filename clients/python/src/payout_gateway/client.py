"""The API for callers: a client has a part for each thing that one can ask about."""

import re
import urllib.parse
from typing import Any, Mapping, Optional

from ._connection import Answer, Connection
from ._repeats import UNBEGUN
from ._resources import Disbursements, Events, Keys, Payees, Payouts, TestMode, WalletOfClient, WebhookOfClient


class GatewayClient:
    """``timeout`` is of one try, all of it but the look-up of the host's name; ``tries`` are all; ``first_pause`` doubles from try to try. All times are seconds."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        signing_secret: str,
        *,
        timeout: float = 30,
        tries: int = 5,
        first_pause: float = 0.25,
        longest_pause: float = 65,
    ) -> None:
        self._connection = Connection(
            base_url,
            api_key,
            signing_secret,
            timeout=timeout,
            tries=tries,
            first_pause=first_pause,
            longest_pause=longest_pause,
        )
        self.payees = Payees(self._ask)
        self.payouts = Payouts(self._ask)
        self.disbursements = Disbursements(self._ask)
        self.events = Events(self._ask)
        self.wallet = WalletOfClient(self._ask)
        self.webhook = WebhookOfClient(self._ask)
        self.keys = Keys(self._ask)
        self.test = TestMode(self._ask)

    def request(self, method: str, path: str, body: object = None) -> Answer:
        """Any other call: ``path`` is what follows /api/v1. Only reads are repeated whatever happened to the first try."""
        return self._connection.call(method, path, body, unbegun_only=method != "GET")

    def _ask(
        self, route: str, id: Optional[str] = None, *, query: Optional[Mapping[str, Any]] = None, body: object = None
    ) -> Any:
        method, pattern = route.split(" ")
        path = pattern.replace("{id}", _segment(id)) if "{id}" in pattern else pattern
        return self._connection.call(method, path + _query(query), body, unbegun_only=route in UNBEGUN).body


def _segment(id: Optional[str]) -> str:
    """An id that is missing would ask for the list."""
    if not isinstance(id, str) or re.fullmatch(r"\.{0,2}", id):
        raise ValueError(f"This is no id: {id!r}")
    return urllib.parse.quote(id, safe="")


def _query(query: Optional[Mapping[str, Any]]) -> str:
    given = {key: _text(value) for key, value in (query or {}).items() if value is not None}
    return f"?{urllib.parse.urlencode(given)}" if given else ""


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)

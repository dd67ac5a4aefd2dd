"""A client of a server that answers as it is told, for the tests beside this."""

import unittest
from typing import Any, Callable, List

from answering_server import AnsweringServer
from payout_gateway import GatewayClient, GatewayError, api_types

Call = Callable[[GatewayClient], Any]
SECRET = "whsec_c2VjcmV0"
PAYOUT: api_types.CreatePayoutBody = {
    "payeeId": "p1",
    "amountCents": 2_500,
    "currency": "USD",
    "idempotencyKey": "größer",
}
ROW: api_types.PushItem = {"email": "a@example.com", "amountCents": 5, "currency": "USD", "externalRef": "r1"}


class ClientCase(unittest.TestCase):
    server: AnsweringServer

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = AnsweringServer()
        cls.addClassCleanup(cls.server.stop)

    def setUp(self) -> None:
        self.server.begin()
        self.client = self.client_with()

    def client_with(self, **options: Any) -> GatewayClient:
        return GatewayClient(f"{self.server.url}/", "gw_test_key", SECRET, **{"first_pause": 0.001, **options})

    def targets(self) -> List[str]:
        return [f"{asked.method} {asked.target}" for asked in self.server.asked]

    def raised(self, call: Callable[[], Any], kind: Any = GatewayError) -> Any:
        with self.assertRaises(kind) as caught:
            call()
        return caught.exception

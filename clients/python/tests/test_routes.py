"""Every route for callers, as the reference lists them, and how lists are walked."""

import hashlib
import hmac
import json
import re
import unittest
from pathlib import Path
from typing import Any, List, Tuple

from answering_server import answer
from client_case import PAYOUT, ROW, SECRET, Call, ClientCase
from payout_gateway import GatewayClient, api_types
from payout_gateway._repeats import UNBEGUN

REFERENCE = json.loads((Path(__file__).parents[3] / "docs" / "openapi.json").read_text("utf-8"))
EVERY_CALL: List[Tuple[Call, str, Any]] = [
    (lambda c: c.payees.upsert({"externalId": "c1"}), "POST /payees", {"externalId": "c1"}),
    (lambda c: c.payees.page({"limit": 10}, payable=True), "GET /payees?limit=10&payable=true", None),
    (lambda c: c.payees.get("p1"), "GET /payees/p1", None),
    (lambda c: c.payees.readiness("../p1"), "GET /payees/..%2Fp1/readiness", None),
    (lambda c: c.payees.balance("p1"), "GET /payees/p1/balance", None),
    (lambda c: c.payees.balance("p1", "EUR"), "GET /payees/p1/balance?currency=EUR", None),
    (
        lambda c: c.payees.adopt_method("p1", {"provider": "custodial_a", "providerAccountId": "a"}),
        "POST /payees/p1/methods",
        {"provider": "custodial_a", "providerAccountId": "a"},
    ),
    (
        lambda c: c.payees.onboarding_link("p1", {"returnUrl": "https://app.example/"}),
        "POST /payees/p1/onboarding-link",
        {"returnUrl": "https://app.example/"},
    ),
    (lambda c: c.payees.portal_link("p1"), "POST /payees/p1/portal-link", None),
    (lambda c: c.payees.withdraw("p1"), "POST /payees/p1/withdraw", None),
    (lambda c: c.payouts.create(PAYOUT), "POST /payouts", PAYOUT),
    (
        lambda c: c.payouts.batch({"idempotencyKey": "b", "items": [{"amountCents": 1, "currency": "USD"}]}),
        "POST /payouts/batch",
        {"idempotencyKey": "b", "items": [{"amountCents": 1, "currency": "USD"}]},
    ),
    (lambda c: c.payouts.page({"status": "held"}), "GET /payouts?status=held", None),
    (lambda c: c.payouts.get("t1"), "GET /payouts/t1", None),
    (lambda c: c.payouts.retry("t1"), "POST /payouts/t1/retry", None),
    (lambda c: c.payouts.release("t1"), "POST /payouts/t1/release", None),
    (lambda c: c.payouts.cancel("t1"), "POST /payouts/t1/cancel", None),
    (
        lambda c: c.disbursements.push([ROW], send_email=True),
        "POST /disbursements",
        {"items": [ROW], "sendEmail": True},
    ),
    (lambda c: c.disbursements.page({"status": "owed"}), "GET /disbursements?status=owed", None),
    (lambda c: c.disbursements.get("d1"), "GET /disbursements/d1", None),
    (
        lambda c: c.disbursements.link_recovery({"replacementTransactionId": "t1", "disbursementIds": ["d1"]}),
        "POST /disbursements/recovery-link",
        {"replacementTransactionId": "t1", "disbursementIds": ["d1"]},
    ),
    (lambda c: c.events.page({"type": "payout.status"}), "GET /events?type=payout.status", None),
    (lambda c: c.events.get("e1"), "GET /events/e1", None),
    (lambda c: c.events.replay("e1"), "POST /events/e1/replay", None),
    (lambda c: c.wallet.read(), "GET /wallet", None),
    (lambda c: c.webhook.read(), "GET /webhook", None),
    (lambda c: c.webhook.set({"url": None}), "PUT /webhook", {"url": None}),
    (lambda c: c.webhook.test(), "POST /webhook-test", None),
    (lambda c: c.keys.list(), "GET /keys", None),
    (lambda c: c.keys.rotate({"overlapSeconds": 60}), "POST /keys", {"overlapSeconds": 60}),
    (lambda c: c.keys.revoke("k1"), "DELETE /keys/k1", None),
    (
        lambda c: c.test.finish_onboarding("p1", {"outcome": "verified"}),
        "POST /test/payees/p1/onboarding",
        {"outcome": "verified"},
    ),
    (lambda c: c.test.claim("t1"), "POST /test/payouts/t1/claim", {}),
    (lambda c: c.test.settle("t1"), "POST /test/payouts/t1/settle", None),
    (lambda c: c.test.fail("t1", {"kind": "transient"}), "POST /test/payouts/t1/fail", {"kind": "transient"}),
    (lambda c: c.test.return_("t1"), "POST /test/payouts/t1/return", {}),
    (lambda c: c.test.advance_clock({"advanceSeconds": 60}), "POST /test/clock", {"advanceSeconds": 60}),
]


class Routes(ClientCase):
    def test_each_method_asks_for_what_it_says_signed(self) -> None:
        for call, asked_for, body in EVERY_CALL:
            with self.subTest(asked_for):
                self.server.begin()
                call(self.client)
                self.assertEqual(self.targets(), [asked_for.replace(" /", " /api/v1/")])
                asked = self.server.asked[0]
                self.assertEqual(json.loads(asked.body) if asked.body else None, body)
                self.assertEqual(asked.headers["authorization"], "Bearer gw_test_key")
                lines = [asked.headers["x-gw-timestamp"], asked.headers["x-gw-nonce"], asked.method, asked.target]
                signed = "\n".join([*lines, hashlib.sha256(asked.body).hexdigest()])
                expected = hmac.new(SECRET.encode(), signed.encode(), hashlib.sha256).hexdigest()
                self.assertEqual(asked.headers["x-gw-signature-v2"], expected)
                self.assertRegex(asked.headers["x-gw-nonce"], r"^[A-Za-z0-9_-]{16,128}$")

    def test_every_route_of_the_reference_has_a_method(self) -> None:
        wanted = {
            f"{method.upper()} {path[len('/api/v1'):]}"
            for path, methods in REFERENCE["paths"].items()
            if path.startswith("/api/v1/")
            for method in methods
        }
        pattern = re.compile(r"/(?:[ptdek]1|\.\.%2Fp1)(?=/|$)")
        self.assertEqual({pattern.sub("/{id}", asked.split("?")[0]) for _, asked, _ in EVERY_CALL}, wanted)
        self.assertEqual(set(api_types.ROUTES), wanted)
        self.assertLess(set(UNBEGUN), wanted)

    def test_what_is_no_id_asks_nobody(self) -> None:
        for wrong in ("", ".", "..", None):
            self.assertRaises(ValueError, self.client.payees.get, wrong)
        self.assertEqual(self.server.asked, [])

    def test_a_client_that_is_set_up_wrongly_says_so(self) -> None:
        whole = "base_url must be like https://payouts.example.com"
        for base_url, words in (
            *((wrong, whole) for wrong in ("", "/payouts", "payouts.example.com", "localhost:3000", "https://")),
            *((wrong, "Leave /api/v1 out") for wrong in ("http://localhost/api/v1", "http://localhost/api/v1/")),
        ):
            with self.assertRaisesRegex(ValueError, words):
                GatewayClient(base_url, "key", "secret")
        for key, secret, words in (("", "secret", "api_key is missing"), ("key", "", "signing_secret is missing")):
            with self.assertRaisesRegex(ValueError, words):
                GatewayClient("http://localhost", key, secret)

    def test_the_status_tells_a_new_payout_from_a_repeated_one(self) -> None:
        self.server.begin(answer(201, {"id": "t1"}), answer(200, {"id": "t1"}))
        self.assertEqual(self.client.request("POST", "/payouts", PAYOUT), (201, {"id": "t1"}))
        self.assertEqual(self.client.request("POST", "/payouts", PAYOUT).status, 200)

    def test_lists_are_walked_page_by_page(self) -> None:
        first = answer(200, {"data": [{"id": "a"}, {"id": "b"}], "nextCursor": "next"})
        self.server.begin(first, answer(200, {"data": [{"id": "c"}], "nextCursor": None}))
        self.assertEqual([payee["id"] for payee in self.client.payees.list({"limit": 2}, payable=False)], ["a", "b", "c"])
        self.assertEqual(self.targets()[1], "GET /api/v1/payees?limit=2&cursor=next&payable=false")
        self.server.begin(first)
        walk = self.client.events.list()
        self.assertEqual([next(walk)["id"], next(walk)["id"]], ["a", "b"])
        self.assertEqual(len(self.server.asked), 1)

    def test_payouts_are_walked_by_the_cursor_that_skips_none(self) -> None:
        page = {"data": [{"id": "a"}], "nextCursor": "2026-01-05T12:00:00.000Z"}
        self.server.begin(answer(200, {**page, "nextCursor2": "second"}), answer(200, {**page, "nextCursor2": None}))
        self.assertEqual(len(list(self.client.payouts.list({"status": "paid"}))), 2)
        self.assertEqual(self.targets()[1], "GET /api/v1/payouts?status=paid&cursor2=second")


if __name__ == "__main__":
    unittest.main()

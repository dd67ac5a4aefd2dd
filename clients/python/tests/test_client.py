"""Every route for callers, as the reference lists them; how lists are walked; what may be sent again, and when."""

import hashlib
import hmac
import json
import re
import socket
import unittest
from pathlib import Path
from typing import Any, Callable, List, Tuple

from answering_server import AnsweringServer, answer, hang_up, text
from payout_gateway import (
    Conflict,
    GatewayClient,
    GatewayError,
    InvalidRequest,
    NoAnswer,
    NotAllowed,
    NotAuthenticated,
    NotFound,
    RateLimited,
    ServiceTrouble,
    api_types,
)
from payout_gateway._repeats import UNBEGUN, pause_before

REFERENCE = json.loads((Path(__file__).parents[3] / "docs" / "openapi.json").read_text("utf-8"))
SECRET = "whsec_c2VjcmV0"
PAYOUT: api_types.CreatePayoutBody = {
    "payeeId": "p1",
    "amountCents": 2_500,
    "currency": "USD",
    "idempotencyKey": "größer",
}
ROW: api_types.PushItem = {"email": "a@example.com", "amountCents": 5, "currency": "USD", "externalRef": "r1"}
UNAVAILABLE = answer(503, {"error": "service_unavailable"})
UNREAD = answer(408, {"error": "invalid_request"})
LIMITED = answer(429, {"error": "rate_limited"}, {"ratelimit-reset": "0"})
PAGE = text(502, "<html>")

Call = Callable[[GatewayClient], Any]
EVERY_CALL: List[Tuple[Call, str, Any]] = [
    (lambda c: c.payees.upsert({"externalId": "c1"}), "POST /payees", {"externalId": "c1"}),
    (lambda c: c.payees.page({"payable": True, "limit": 10}), "GET /payees?payable=true&limit=10", None),
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
CAUTIOUS: List[Call] = [
    lambda c: c.payees.withdraw("p1"),
    lambda c: c.payouts.retry("t1"),
    lambda c: c.payouts.release("t1"),
    lambda c: c.request("POST", "/anything", {}),
]


class ClientTest(unittest.TestCase):
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


class Routes(ClientTest):
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
        self.assertRaises(ValueError, GatewayClient, "payouts.example.com", "key", "secret")
        self.assertRaises(ValueError, GatewayClient, "http://localhost", "key", "")

    def test_the_status_tells_a_new_payout_from_a_repeated_one(self) -> None:
        self.server.begin(answer(201, {"id": "t1"}), answer(200, {"id": "t1"}))
        self.assertEqual(self.client.request("POST", "/payouts", PAYOUT), (201, {"id": "t1"}))
        self.assertEqual(self.client.request("POST", "/payouts", PAYOUT).status, 200)

    def test_lists_are_walked_page_by_page(self) -> None:
        first = answer(200, {"data": [{"id": "a"}, {"id": "b"}], "nextCursor": "next"})
        self.server.begin(first, answer(200, {"data": [{"id": "c"}], "nextCursor": None}))
        self.assertEqual([payee["id"] for payee in self.client.payees.list({"limit": 2})], ["a", "b", "c"])
        self.assertEqual(self.targets()[1], "GET /api/v1/payees?limit=2&cursor=next")
        self.server.begin(first)
        walk = self.client.events.list()
        self.assertEqual([next(walk)["id"], next(walk)["id"]], ["a", "b"])
        self.assertEqual(len(self.server.asked), 1)

    def test_payouts_are_walked_by_the_cursor_that_skips_none(self) -> None:
        page = {"data": [{"id": "a"}], "nextCursor": "2026-01-05T12:00:00.000Z"}
        self.server.begin(answer(200, {**page, "nextCursor2": "second"}), answer(200, {**page, "nextCursor2": None}))
        self.assertEqual(len(list(self.client.payouts.list({"status": "paid"}))), 2)
        self.assertEqual(self.targets()[1], "GET /api/v1/payouts?status=paid&cursor2=second")


class Repeats(ClientTest):
    def test_what_is_safe_is_repeated_signed_anew(self) -> None:
        self.server.begin(hang_up, UNAVAILABLE, UNREAD, PAGE, answer(201, {"id": "t1"}))
        self.assertEqual(self.client.payouts.create(PAYOUT), {"id": "t1"})
        self.assertEqual(len(self.server.asked), 5)
        self.assertEqual(len({asked.body for asked in self.server.asked}), 1)
        self.assertEqual(len({asked.headers["x-gw-signature-v2"] for asked in self.server.asked}), 5)
        for status in (408, 429, 500, 502, 503, 504):
            self.server.begin(answer(status, {"error": "internal_error"}, {"ratelimit-reset": "0"}))
            self.assertEqual(self.client.payees.get("p1"), {"id": "p1"})
            self.assertEqual(len(self.server.asked), 2)

    def test_it_is_given_up_after_its_tries(self) -> None:
        self.server.begin(*[UNAVAILABLE] * 9)
        failure = self.raised(lambda: self.client.payouts.create(PAYOUT), ServiceTrouble)
        self.assertEqual((failure.status, failure.code, failure.may_have_happened), (503, "service_unavailable", True))
        self.assertEqual(len(self.server.asked), 5)
        self.server.begin(*[UNAVAILABLE] * 9)
        self.assertFalse(self.raised(lambda: self.client.payees.get("p1")).may_have_happened)

    def test_what_may_have_happened_is_not_repeated(self) -> None:
        for call in CAUTIOUS:
            self.server.begin(hang_up)
            self.assertTrue(self.raised(lambda: call(self.client), NoAnswer).may_have_happened)
            for reply in (UNAVAILABLE, PAGE):
                self.server.begin(reply)
                self.assertTrue(self.raised(lambda: call(self.client)).may_have_happened)
                self.assertEqual(len(self.server.asked), 1)

    def test_what_certainly_did_not_happen_is_repeated(self) -> None:
        for call in CAUTIOUS:
            self.server.begin(LIMITED, UNREAD)
            call(self.client)
            self.assertEqual(len(self.server.asked), 3)

    def test_what_nobody_heard_was_not_done(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        early = GatewayClient(f"http://127.0.0.1:{port}", "key", SECRET, tries=2, first_pause=0.001)
        self.assertFalse(self.raised(lambda: early.payees.withdraw("p1"), NoAnswer).may_have_happened)

    def test_what_takes_too_long_is_cut(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            url = f"http://127.0.0.1:{silent.getsockname()[1]}"
            hasty = GatewayClient(url, "key", SECRET, timeout=0.05, tries=1)
            self.assertTrue(self.raised(lambda: hasty.payouts.create(PAYOUT), NoAnswer).may_have_happened)

    def test_whoever_wants_to_be_left_alone_for_long_is(self) -> None:
        self.server.begin(answer(503, {"error": "service_unavailable"}, {"retry-after": "3600"}))
        self.raised(lambda: self.client.payees.get("p1"), ServiceTrouble)
        self.server.begin(answer(429, {"error": "rate_limited"}, {"ratelimit-reset": "3600"}))
        self.raised(lambda: self.client.payouts.create(PAYOUT), RateLimited)
        self.assertEqual(len(self.server.asked), 1)

    def test_pauses(self) -> None:
        noon_and_20 = 1_767_614_420.0

        def after(turn: int, status: Any = None, headers: Any = None, chance: float = 0) -> Any:
            return pause_before(turn, status, headers, 0.1, 65, chance, noon_and_20)

        self.assertEqual([after(turn) for turn in (1, 2, 3)], [0.05, 0.1, 0.2])
        self.assertEqual([after(turn, chance=1) for turn in (1, 2, 3)], [0.1, 0.2, 0.4])
        self.assertEqual(after(30), 65)
        waits = ["3", "Mon, 05 Jan 2026 12:00:25 GMT", "Mon, 05 Jan 2026 11:00:00 GMT", "soon", "66"]
        self.assertEqual([after(1, 503, {"retry-after": text}) for text in waits], [3, 5, 0, 0.05, None])
        date = {"date": "Mon, 05 Jan 2026 12:00:50 GMT"}
        self.assertEqual(after(1, 429, {"ratelimit-reset": "7", **date}), 7)
        self.assertEqual(after(1, 429, date), 10)
        self.assertEqual(after(1, 429, {"retry-after": "1"}), 40)


class Refusals(ClientTest):
    def test_a_refusal_is_raised_at_once_as_it_is(self) -> None:
        details = {"fields": [{"path": "amountCents", "message": "must be at least 1"}]}
        self.server.begin(answer(400, {"error": "invalid_request", "message": "Not valid.", "details": details}))
        refusal = self.raised(lambda: self.client.payouts.create(PAYOUT), InvalidRequest)
        self.assertEqual(str(refusal), "invalid_request: Not valid.")
        self.assertEqual((refusal.status, refusal.details, refusal.request_id), (400, details, "r-1"))
        self.assertFalse(refusal.may_have_happened)
        self.assertEqual(len(self.server.asked), 1)

    def test_each_has_its_kind(self) -> None:
        kinds = {
            401: NotAuthenticated,
            403: NotAllowed,
            404: NotFound,
            409: Conflict,
            413: InvalidRequest,
            415: InvalidRequest,
            422: Conflict,
        }
        for status, kind in kinds.items():
            self.server.begin(answer(status, {"error": "not_found"}))
            self.raised(lambda: self.client.payees.get("p1"), kind)

    def test_no_page_of_a_proxy_is_an_answer_and_no_redirect_is_followed(self) -> None:
        self.server.begin(text(200, "<html>"), text(302, "", {"location": "/"}))
        self.assertEqual(self.raised(lambda: self.client.payees.get("p1")).code, "unreadable_answer")
        self.assertEqual(self.raised(lambda: self.client.payees.get("p1")).status, 302)
        self.assertEqual(len(self.server.asked), 2)


if __name__ == "__main__":
    unittest.main()

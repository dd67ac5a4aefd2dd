"""What may be sent again and when, and how refusals are raised."""

import socket
import unittest
from typing import Any, List
from urllib.error import URLError

from answering_server import answer, hang_up, text
from client_case import PAYOUT, SECRET, Call, ClientCase
from payout_gateway import (
    Conflict,
    GatewayClient,
    InvalidRequest,
    NoAnswer,
    NotAllowed,
    NotAuthenticated,
    NotFound,
    RateLimited,
    ServiceTrouble,
)
from payout_gateway._connection import _no_answer
from payout_gateway._repeats import pause_before

UNAVAILABLE = answer(503, {"error": "service_unavailable"})
UNREAD = answer(408, {"error": "invalid_request"})
LIMITED = answer(429, {"error": "rate_limited"}, {"ratelimit-reset": "0"})
PAGE = text(502, "<html>")

CAUTIOUS: List[Call] = [
    lambda c: c.payees.withdraw("p1"),
    lambda c: c.payouts.retry("t1"),
    lambda c: c.payouts.release("t1"),
    lambda c: c.request("POST", "/anything", {}),
]


class Repeats(ClientCase):
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

    def test_the_last_try_says_nothing_of_those_before_it(self) -> None:
        revoked = answer(401, {"error": "invalid_api_key"})
        for last in (revoked, answer(429, {"error": "rate_limited"}, {"ratelimit-reset": "3600"})):
            self.server.begin(hang_up, last)
            self.assertTrue(self.raised(lambda: self.client.payouts.create(PAYOUT)).may_have_happened)
            self.assertEqual(len(self.server.asked), 2)
            self.server.begin(last)
            self.assertFalse(self.raised(lambda: self.client.payouts.create(PAYOUT)).may_have_happened)

    def test_what_something_in_between_sent_twice_may_have_happened(self) -> None:
        copy = answer(401, {"error": "replayed_request"})
        self.server.begin(copy, answer(201, {"id": "t1"}))
        self.assertEqual(self.client.payouts.create(PAYOUT), {"id": "t1"})
        for reply in (copy, text(429, "<html>")):
            self.server.begin(reply)
            self.assertTrue(self.raised(lambda: self.client.payees.withdraw("p1")).may_have_happened)
            self.assertEqual(len(self.server.asked), 1)

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


class NeverSent(unittest.TestCase):
    def test_is_what_was_refused_before_it_was_sent(self) -> None:
        refused = ConnectionRefusedError(111, "refused")
        self.assertFalse(_no_answer(URLError(refused), True).error.may_have_happened)
        self.assertTrue(_no_answer(refused, True).error.may_have_happened)  # while the answer was read


class Refusals(ClientCase):
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

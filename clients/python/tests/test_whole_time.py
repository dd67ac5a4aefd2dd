"""``timeout`` is of one try, however its answer comes."""

import socket
import time
from http.server import BaseHTTPRequestHandler
from typing import Any, Tuple
from unittest import mock

from answering_server import Reply
from client_case import PAYOUT, SECRET, ClientCase
from payout_gateway import GatewayClient, NoAnswer

#: So many bytes come, each soon after the one before: all of them take a hundred times as long as the try may.
BYTES = 3_000
PAUSE = 0.01
TIMEOUT = 0.3


def trickling(beginning: bytes, rest: bytes) -> Reply:
    """Byte by byte, until nobody takes any more."""

    def reply(handler: BaseHTTPRequestHandler) -> None:
        handler.close_connection = True
        try:
            handler.wfile.write(beginning)
            for place in range(len(rest)):
                handler.wfile.write(rest[place : place + 1])
                time.sleep(PAUSE)
        except OSError:
            pass

    return reply


class WholeTime(ClientCase):
    def assert_ends(self, reply: Reply) -> None:
        """Whoever waited for the last byte would have an answer."""
        self.server.begin(reply)
        hasty = self.client_with(timeout=TIMEOUT, tries=1)
        failure = self.raised(lambda: hasty.payouts.create(PAYOUT), NoAnswer)
        self.assertTrue(failure.may_have_happened)

    def test_a_body_that_trickles_ends_with_its_try(self) -> None:
        for status in (b"201 Created", b"409 Conflict"):
            body = b" " * BYTES + b'{"id": "t1", "error": "payout_conflict"}'
            head = b"HTTP/1.1 " + status + b"\r\ncontent-length: " + str(len(body)).encode() + b"\r\n\r\n"
            self.assert_ends(trickling(head, body))

    def test_so_do_headers_that_trickle(self) -> None:
        rest = b"x-long: " + b"a" * BYTES + b"\r\ncontent-length: 2\r\n\r\n{}"
        self.assert_ends(trickling(b"HTTP/1.1 201 Created\r\n", rest))


class Addresses(ClientCase):
    """A name may have several of them, of which some lead nowhere."""

    def test_where_nobody_listens_the_next_one_is_asked(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            nobody = probe.getsockname()
        somebody = ("127.0.0.1", int(self.server.url.rpartition(":")[2]))
        self.assertEqual(self.of_a_name_with(nobody, somebody).payees.get("p1"), {"id": "p1"})
        self.assertEqual(len(self.server.asked), 1)
        failure = self.raised(lambda: self.of_a_name_with(nobody, nobody).payouts.create(PAYOUT), NoAnswer)
        self.assertFalse(failure.may_have_happened)

    def of_a_name_with(self, *places: Tuple[str, int]) -> GatewayClient:
        look_up = socket.getaddrinfo
        found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", place) for place in places]

        def named(host: Any, *rest: Any, **options: Any) -> Any:
            return found if host == "gateway.invalid" else look_up(host, *rest, **options)

        patched = mock.patch("socket.getaddrinfo", named)
        patched.start()
        self.addCleanup(patched.stop)
        return GatewayClient("http://gateway.invalid", "key", SECRET, tries=2, first_pause=0.001)

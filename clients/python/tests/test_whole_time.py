"""``timeout`` is of one try, however its answer comes."""

import time
from http.server import BaseHTTPRequestHandler

from client_case import PAYOUT, ClientCase
from payout_gateway import NoAnswer


def trickle(handler: BaseHTTPRequestHandler) -> None:
    """Byte by byte, each of them soon enough to end no wait for bytes."""
    data = b'{"id": "t1", "status": "paid"}'
    handler.send_response(201)
    handler.send_header("content-length", str(len(data)))
    handler.end_headers()
    for place in range(len(data)):
        try:
            handler.wfile.write(data[place : place + 1])
            handler.wfile.flush()
        except OSError:
            return
        time.sleep(0.1)


class WholeTime(ClientCase):
    def test_an_answer_that_trickles_ends_its_try_in_time(self) -> None:
        self.server.begin(trickle)
        hasty = self.client_with(timeout=0.3, tries=1)
        began = time.monotonic()
        try:
            hasty.payouts.create(PAYOUT)
        except NoAnswer as failure:
            self.assertTrue(failure.may_have_happened)
        self.assertLess(time.monotonic() - began, 1)

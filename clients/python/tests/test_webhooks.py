"""Webhooks are judged as the vectors of docs/webhooks say, from whichever kind of headers."""

import base64
import json
import unittest
from email.message import Message
from pathlib import Path

from payout_gateway import InvalidWebhook, verify_webhook

VECTORS = json.loads((Path(__file__).parents[3] / "docs" / "webhooks" / "vectors.json").read_text("utf-8"))["vectors"]


class Webhooks(unittest.TestCase):
    def test_every_vector_is_judged_as_it_should(self) -> None:
        self.assertGreaterEqual(len(VECTORS), 20)
        for vector in VECTORS:
            message = Message()  # what http.server has
            for name, values in vector["headers"].items():
                for value in values:
                    message[name] = value
            for headers in (message, vector["headers"]):
                with self.subTest(vector["name"], headers=type(headers).__name__):
                    body = base64.b64decode(vector["bodyBase64"])
                    if vector["valid"]:
                        self.assertIn("eventId", verify_webhook(body, headers, vector["secrets"], vector["now"]))
                    else:
                        with self.assertRaises(InvalidWebhook):
                            verify_webhook(body, headers, vector["secrets"], vector["now"])

    def test_a_body_that_was_parsed_is_a_mistake_of_the_code_that_calls(self) -> None:
        for parsed in ({"type": "payout.status"}, "text"):
            self.assertRaises(TypeError, verify_webhook, parsed, {}, "secret")

    def test_an_empty_secret_verifies_nothing(self) -> None:
        vector = next(vector for vector in VECTORS if vector["valid"])
        for secrets in ("", [], [""]):
            with self.assertRaises(InvalidWebhook):
                verify_webhook(base64.b64decode(vector["bodyBase64"]), vector["headers"], secrets, vector["now"])


if __name__ == "__main__":
    unittest.main()

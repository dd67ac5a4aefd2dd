"""Webhooks are judged as the vectors of docs/webhooks say, from whichever kind of headers."""

import base64
import hashlib
import hmac
import json
import unittest
from email.message import Message
from pathlib import Path
from typing import Dict

from payout_gateway import InvalidWebhook, verify_webhook

VECTORS = json.loads((Path(__file__).parents[3] / "docs" / "webhooks" / "vectors.json").read_text("utf-8"))["vectors"]
NOW = 1_772_445_600
BODY = b'{"type":"payout.status","eventId":"e1","sequence":1}'
OLDER, NEWER, ANOTHERS = ("whsec_" + base64.b64encode(bytes([each]) * 32).decode() for each in (1, 2, 3))


def standard(*secrets: str, at: int = NOW, body: bytes = BODY, event_id: str = "e1") -> Dict[str, str]:
    def signed(secret: str) -> str:
        key = base64.b64decode(secret[len("whsec_") :])
        return base64.b64encode(hmac.digest(key, f"{event_id}.{at}.".encode() + body, "sha256")).decode()

    signatures = " ".join(f"v1,{signed(secret)}" for secret in secrets)
    return {"webhook-id": event_id, "webhook-timestamp": str(at), "webhook-signature": signatures}


def rotated() -> Dict[str, str]:
    """As it comes while a secret is rotated: the newest signs its own header, both the standard one."""
    own = hmac.new(NEWER.encode(), f"{NOW}.".encode() + BODY, hashlib.sha256).hexdigest()
    return {"x-gw-timestamp": str(NOW), "x-gw-signature": own, **standard(NEWER, OLDER)}


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

    def test_while_a_secret_is_rotated_either_one_will_do(self) -> None:
        for known in (OLDER, NEWER, [OLDER, NEWER]):
            self.assertEqual(verify_webhook(BODY, rotated(), known, NOW)["eventId"], "e1")
        self.assertEqual(verify_webhook(BODY, standard(OLDER), OLDER, NOW)["eventId"], "e1")
        self.assertRaises(InvalidWebhook, verify_webhook, BODY, rotated(), ANOTHERS, NOW)

    def test_what_the_standard_signature_does_not_cover_is_refused(self) -> None:
        late = {**rotated(), **standard(OLDER, at=NOW - 301)}
        for headers in (
            late,
            {**late, "webhook-timestamp": str(NOW)},
            standard(OLDER, at=NOW + 301),
            standard(OLDER, body=BODY + b" "),
            {**standard(OLDER), "webhook-id": "e2"},
            standard(OLDER, event_id="e1.1772445600"),
            {**standard(OLDER), "webhook-signature": standard(OLDER)["webhook-signature"].replace("v1", "v2")},
        ):
            with self.subTest(headers=headers), self.assertRaises(InvalidWebhook):
                verify_webhook(BODY, headers, OLDER, NOW)

    def test_a_secret_that_holds_no_key_verifies_nothing(self) -> None:
        for weak in ("", "whsec_", "whsec_AAAA", "secret"):
            with self.subTest(weak), self.assertRaises(InvalidWebhook):
                verify_webhook(BODY, standard(weak), weak, NOW)


if __name__ == "__main__":
    unittest.main()

"""The integration guide as one program: docs/integrate.md shows its parts, and a test runs it from the installed wheel.

GATEWAY_URL, GATEWAY_KEY and GATEWAY_SECRET say whom to ask; events are taken on WEBHOOK_PORT.
"""

# #region client
import os
import sys
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from payout_gateway import (
    Conflict,
    GatewayClient,
    InvalidRequest,
    InvalidWebhook,
    PayoutGatewayError,
    verify_webhook,
)
from payout_gateway.api_types import CreatePayoutBody, GatewayEvent, PushItem

GATEWAY_URL = os.environ.get("GATEWAY_URL", "http://localhost:3000")
GATEWAY_KEY, GATEWAY_SECRET = os.environ["GATEWAY_KEY"], os.environ["GATEWAY_SECRET"]
gateway = GatewayClient(GATEWAY_URL, GATEWAY_KEY, GATEWAY_SECRET)

run = uuid.uuid4().hex[:8]  # so that what follows can be run more than once
# #endregion

# #region webhooks
events: list[GatewayEvent] = []  # of this program, which waits for some
news = threading.Condition()
handled: set[str] = set()  # yours: a table with a unique eventId
newest: dict[str, int] = {}
one_at_a_time = threading.Lock()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        raw_body = self.rfile.read(int(self.headers["content-length"]))
        try:
            event = verify_webhook(raw_body, self.headers, [GATEWAY_SECRET])
        except InvalidWebhook:
            self.answer(400)  # somebody else sent this
            return
        self.answer(204)  # first say that you have it, then do the work
        if event["type"] != "payout.status" and event["type"] != "payee.updated":
            return  # a ping, or what is new
        about = event["transactionId"] if event["type"] == "payout.status" else event["payeeId"]
        with one_at_a_time:
            is_old = event["sequence"] <= newest.get(about, 0)
            if event["eventId"] in handled or is_old:
                return
            handled.add(event["eventId"])
            newest[about] = event["sequence"]
        handle(event)

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


def handle(event: GatewayEvent) -> None:
    with news:
        events.append(event)
        news.notify_all()
    if event["type"] == "payout.status":
        # Apart from what the program says: two threads that print to one place print into each other's lines.
        print(f"  event: payout {event['status']}, {event['amountCents']} cents", file=sys.stderr)
# #endregion


def try_webhooks() -> None:
    # #region ping
    receiver = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("WEBHOOK_PORT", "4000"))), Receiver)
    threading.Thread(target=receiver.serve_forever, daemon=True).start()
    ping = gateway.webhook.test()
    print("webhooks arrive" if ping["delivered"] else f"webhooks do not arrive: {ping['message']}")
    # #endregion


def make_payee() -> str:
    # #region payee
    payee = gateway.payees.upsert(
        {
            "externalId": f"creator-{run}",  # your own id: sent again, it changes this payee
            "email": f"ada-{run}@example.com",
            "name": "Ada Lovelace",
            "country": "US",
        }
    )
    payee_id = payee["id"]
    # Live, send the payee to this page; it sends them back to you.
    link = gateway.payees.onboarding_link(payee_id, {"returnUrl": "http://localhost:8080/paid-by-us"})
    print(f"page: {link['url']}")
    # In test mode nobody has to fill it in.
    gateway.test.finish_onboarding(payee_id, {"outcome": "verified"})
    readiness = gateway.payees.readiness(payee_id)
    if not readiness["payable"]:
        raise RuntimeError(f"Not payable: {', '.join(readiness['blockers'])}")
    # #endregion
    return payee_id


def pay(payee_id: str) -> None:
    # #region payout
    wanted: CreatePayoutBody = {
        "payeeId": payee_id,
        "amountCents": 12_500,
        "currency": "USD",
        "idempotencyKey": f"invoice-{run}",  # keep it with your invoice, before you send anything
        "ref": f"invoice-{run}",
    }
    payout = gateway.payouts.create(wanted)
    again = gateway.payouts.create(wanted)  # the same payout: nothing moves twice
    print(f"payout {payout['status']}; sent again {'it is the same' if again['id'] == payout['id'] else 'it is another'}")
    # #endregion
    # #region list
    found = []
    for listed in gateway.payouts.list({"payeeId": payee_id, "status": "paid"}):
        print(f"listed: {listed['id']} {listed['status']} {listed['amountCents']}")
        found.append(listed["id"])
    # #endregion
    if payout["id"] not in found:
        raise RuntimeError("The payout is not in the list.")
    told_of(payout["id"], "paid")


def owe(payee_id: str) -> None:
    # #region owed
    row: PushItem = {"payeeId": payee_id, "amountCents": 1_250, "currency": "USD", "externalRef": f"royalty-{run}"}
    for result in gateway.disbursements.push([row])["results"]:
        if result["status"] == "error":
            print(f"row {result['index']}: {result.get('error')}")
    balance = gateway.payees.balance(payee_id, "USD")
    withdrawn = gateway.payees.withdraw(payee_id)
    print(
        f"owed {balance['withdrawableCents']};"
        f" withdrawn {withdrawn['released']} rows, {withdrawn['releasedCents']} cents"
    )
    # #endregion


def run_into(payee_id: str) -> None:
    # #region errors
    try:
        gateway.payouts.create(
            {"payeeId": payee_id, "amountCents": 1, "currency": "US", "idempotencyKey": f"bad-{run}"}
        )
    except InvalidRequest as refusal:
        for field in (refusal.details or {}).get("fields", []):
            print(f"refused: {field['path']} {field['message']}")
    try:
        gateway.payees.withdraw(payee_id)
    except PayoutGatewayError as failure:
        if failure.may_have_happened:
            print("lost: look at the balance and the list of payouts before you ask again")
        elif isinstance(failure, Conflict):
            print(f"refused: {failure.code}")  # nothing_to_withdraw
        else:
            raise
    # #endregion


def directed(payee_id: str) -> None:
    # #region directives
    failing: CreatePayoutBody = {
        "payeeId": payee_id,
        "amountCents": 900,
        "currency": "USD",
        "idempotencyKey": f"once-{run}",
        "reason": "mock:fail_once",
    }
    failed = gateway.payouts.create(failing)
    retried = gateway.payouts.retry(failed["id"])
    print(
        f"{failed['status']} and {'retryable' if failed['retryable'] else 'final'}; retried, it is {retried['status']}"
    )

    slow: CreatePayoutBody = {**failing, "idempotencyKey": f"lost-{run}", "amountCents": 700, "reason": "mock:timeout"}
    lost = gateway.payouts.create(slow)  # the rail's answer was lost: submitted, never failed
    gateway.test.advance_clock({"advanceSeconds": 3_600})  # what is due begins at once, and the rail is asked
    told_of(lost["id"], "paid")
    print(f"{lost['status']}; an hour later it is {gateway.payouts.get(lost['id'])['status']}")
    # #endregion


# #region waiting
def told_of(payout_id: str, status: str) -> None:
    """Events come beside the answers."""

    def is_it(event: GatewayEvent) -> bool:
        return (
            event["type"] == "payout.status" and event["transactionId"] == payout_id and event["status"] == status
        )

    with news:
        news.wait_for(lambda: any(map(is_it, events)))
# #endregion


def main() -> None:
    try_webhooks()
    payee_id = make_payee()
    pay(payee_id)
    owe(payee_id)
    run_into(payee_id)
    directed(payee_id)
    print("done")


main()

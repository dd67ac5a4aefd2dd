"""What one can ask about each thing, route by route. ``list`` walks through a list; ``page`` asks for one page of it."""

from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional

from . import api_types as t
from .api_types import Ask


class Payees:
    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def upsert(self, body: t.UpsertPayeeBody) -> t.Payee:
        """Makes a payee, or changes the one with this externalId: an absent field stays, and None clears it."""
        return self._ask("POST /payees", body=body)

    def get(self, id: str) -> t.Payee:
        return self._ask("GET /payees/{id}", id)

    def list(self, query: Optional[t.ListPayeesQuery] = None, *, payable: Optional[bool] = None) -> Iterator[t.Payee]:
        return _walk(lambda asked: self.page(asked, payable=payable), query)

    def page(self, query: Optional[t.ListPayeesQuery] = None, *, payable: Optional[bool] = None) -> t.PayeePage:
        asked: t.ListPayeesQuery = {} if query is None else query.copy()
        if payable is not None:
            asked["payable"] = str(payable).lower()
        return self._ask("GET /payees", query=asked)

    def readiness(self, id: str) -> t.Readiness:
        """Whether the payee can be paid right now, and what is in the way."""
        return self._ask("GET /payees/{id}/readiness", id)

    def balance(self, id: str, currency: Optional[str] = None) -> t.Balance:
        """What the payee's money comes to; without a currency, in that of the newest movement."""
        asked: t.BalanceOwedPayeeQuery = {} if currency is None else {"currency": currency}
        return self._ask("GET /payees/{id}/balance", id, query=asked)

    def onboarding_link(self, id: str, body: t.OnboardingLinkBody) -> t.OnboardingLink:
        """A page on which the payee gets ready to be paid; the link works for 15 minutes."""
        return self._ask("POST /payees/{id}/onboarding-link", id, body=body)

    def portal_link(self, id: str) -> t.PortalLink:
        """Mails the payee a link into their wallet: three in ten minutes are the most."""
        return self._ask("POST /payees/{id}/portal-link", id)

    def adopt_method(self, id: str, body: t.AdoptMethodBody) -> t.Adoption:
        """Links an account that the rail has verified already."""
        return self._ask("POST /payees/{id}/methods", id, body=body)

    def withdraw(self, id: str) -> t.Withdraw:
        """Releases everything the payee is owed. Asked once: see ``may_have_happened`` of what it raises."""
        return self._ask("POST /payees/{id}/withdraw", id)


class Payouts:
    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def create(self, body: t.CreatePayoutBody) -> t.Transaction:
        """The same idempotencyKey answers the same payout, as it is by now."""
        return self._ask("POST /payouts", body=body)

    def batch(self, body: t.CreateBatchBody) -> t.Batch:
        """Each row answers for itself; sent again, rows that were paid are answered, and new ones paid."""
        return self._ask("POST /payouts/batch", body=body)

    def get(self, id: str) -> t.TransactionDetail:
        return self._ask("GET /payouts/{id}", id)

    def list(self, query: Optional[t.ListPayoutsQuery] = None) -> Iterator[t.ListedTransaction]:
        """By cursor2, which skips nothing. ``status`` takes words of version 1, whatever the client's version."""
        return _walk(self.page, query)

    def page(self, query: Optional[t.ListPayoutsQuery] = None) -> t.TransactionPage:
        return self._ask("GET /payouts", query=query)

    def retry(self, id: str) -> t.Transaction:
        """Asked once: see ``may_have_happened`` of what it raises."""
        return self._ask("POST /payouts/{id}/retry", id)

    def release(self, id: str) -> t.Transaction:
        """Asked once: see ``may_have_happened`` of what it raises."""
        return self._ask("POST /payouts/{id}/release", id)

    def cancel(self, id: str) -> t.Transaction:
        """Takes back what has not left; repeated, it answers the same."""
        return self._ask("POST /payouts/{id}/cancel", id)


class Disbursements:
    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def push(self, items: List[t.PushItem], *, send_email: Optional[bool] = None) -> t.Push:
        """Each row answers for itself; the same externalRef answers the same row, as it is by now."""
        body: t.PushDisbursementsBody = {"items": items}
        if send_email is not None:
            body["sendEmail"] = send_email
        return self._ask("POST /disbursements", body=body)

    def get(self, id: str) -> t.Disbursement:
        return self._ask("GET /disbursements/{id}", id)

    def list(self, query: Optional[t.ListDisbursementsQuery] = None) -> Iterator[t.Disbursement]:
        return _walk(self.page, query)

    def page(self, query: Optional[t.ListDisbursementsQuery] = None) -> t.DisbursementPage:
        return self._ask("GET /disbursements", query=query)

    def link_recovery(self, body: t.RecoveryLinkBody) -> t.RecoveryLink:
        """Attaches rows of a failed payout to the payout that moved the money after all."""
        return self._ask("POST /disbursements/recovery-link", body=body)


class Events:
    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def get(self, id: str) -> t.EventDetail:
        return self._ask("GET /events/{id}", id)

    def list(self, query: Optional[t.ListEventsQuery] = None) -> Iterator[t.Event]:
        return _walk(self.page, query)

    def page(self, query: Optional[t.ListEventsQuery] = None) -> t.EventPage:
        return self._ask("GET /events", query=query)

    def replay(self, id: str) -> t.Event:
        """Sends it once more, under its old eventId."""
        return self._ask("POST /events/{id}/replay", id)


class WalletOfClient:
    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def read(self) -> "List[t.Wallet]":
        """What a prepaid client has left, by currency."""
        return self._ask("GET /wallet")


class WebhookOfClient:
    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def read(self) -> t.Webhook:
        return self._ask("GET /webhook")

    def set(self, body: t.WebhookBody) -> t.Webhook:
        return self._ask("PUT /webhook", body=body)

    def test(self) -> t.WebhookTest:
        """Sends a signed event of the type ``ping`` there, and says what came back."""
        return self._ask("POST /webhook-test")


class Keys:
    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def list(self) -> t.OwnKeys:
        return self._ask("GET /keys")

    def rotate(self, body: Optional[t.OverlapBody] = None) -> t.IssuedKey:
        """The new key is in the answer, this once."""
        return self._ask("POST /keys", body={} if body is None else body)

    def revoke(self, id: str) -> t.Key:
        return self._ask("DELETE /keys/{id}", id)


class TestMode:
    """Clients in test mode only; others are answered 404."""

    __test__ = False  # no test of pytest's

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def finish_onboarding(self, payee_id: str, body: t.TestOnboardingBody) -> t.Payee:
        return self._ask("POST /test/payees/{id}/onboarding", payee_id, body=body)

    def claim(self, payout_id: str, body: Optional[t.ClaimPayoutBody] = None) -> t.Transaction:
        return self._ask("POST /test/payouts/{id}/claim", payout_id, body={} if body is None else body)

    def settle(self, payout_id: str) -> t.Transaction:
        return self._ask("POST /test/payouts/{id}/settle", payout_id)

    def fail(self, payout_id: str, body: t.FailPayoutBody) -> t.Transaction:
        return self._ask("POST /test/payouts/{id}/fail", payout_id, body=body)

    def return_(self, payout_id: str, body: Optional[t.ReturnPayoutBody] = None) -> t.Transaction:
        return self._ask("POST /test/payouts/{id}/return", payout_id, body={} if body is None else body)

    def advance_clock(self, body: t.AdvanceClockBody) -> t.Clock:
        """Everything of this client becomes as old as if the time had passed."""
        return self._ask("POST /test/clock", body=body)


def _walk(page: Callable[[Any], Any], query: Optional[Mapping[str, Any]]) -> Iterator[Any]:
    """The next page is asked for when the one before is used up."""
    asked: Dict[str, Any] = {key: value for key, value in (query or {}).items() if key not in ("cursor", "cursor2")}
    while True:
        found = page(asked)
        yield from found["data"]
        cursor = "cursor2" if "nextCursor2" in found else "cursor"
        following = found["nextCursor2" if cursor == "cursor2" else "nextCursor"]
        if following is None:
            return
        asked = {**asked, cursor: following}

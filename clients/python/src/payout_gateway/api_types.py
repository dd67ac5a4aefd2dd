"""What callers send and read, and their routes.

Printed from docs/openapi.json by `npm run docs`: change what that is made from, and run it again.
"""

import enum
from typing import Any, Dict, List, Literal, Optional, Protocol, Tuple, TypedDict, Union, overload


class Event(TypedDict):
    #: The eventId of its payload.
    id: str
    clientId: str
    type: Literal["payee.updated", "payout.status"]
    #: `skipped`: the client was not subscribed; it is recorded and not sent.
    status: Literal["pending", "delivered", "failed", "skipped"]
    #: Those made since it was made or replayed; 8 are made at most.
    attempts: int
    #: Null where none is due, and while the first one is under way.
    nextAttemptAt: Optional[str]
    lastStatusCode: Optional[int]
    payload: Dict[str, Any]
    createdAt: str


class EventPage(TypedDict):
    data: List[Event]
    #: Give it back as `cursor`; null on the last page.
    nextCursor: Optional[str]


class EventAttempt(TypedDict):
    #: Counted on over replays.
    number: int
    startedAt: str
    durationMs: int
    #: Of the URL it went to; the rest of the URL is not kept.
    host: str
    #: Null where no answer came.
    statusCode: Optional[int]
    #: Null where it was acknowledged.
    error: Optional[Literal["not_2xx", "timeout", "name_not_found", "connection_refused", "connection_lost", "unreachable", "tls", "bad_answer", "address_refused", "not_sent", "other"]]
    #: The first 1,024 bytes of the answer.
    responseExcerpt: Optional[str]


class EventDetail(TypedDict):
    #: The eventId of its payload.
    id: str
    clientId: str
    type: Literal["payee.updated", "payout.status"]
    #: `skipped`: the client was not subscribed; it is recorded and not sent.
    status: Literal["pending", "delivered", "failed", "skipped"]
    #: Those made since it was made or replayed; 8 are made at most.
    attempts: int
    #: Null where none is due, and while the first one is under way.
    nextAttemptAt: Optional[str]
    lastStatusCode: Optional[int]
    payload: Dict[str, Any]
    createdAt: str
    #: The payout or payee it is about.
    entityId: str
    #: Rises with each event of the entity.
    sequence: int
    #: Why the last attempt failed.
    lastError: Optional[str]
    deliveredAt: Optional[str]
    #: Newest first, at most 100.
    attemptLog: List[EventAttempt]


class WebhookTest(TypedDict):
    #: True when your receiver answered 2xx.
    delivered: bool
    #: Also `webhook-id`.
    eventId: str
    #: Of your webhook URL.
    host: Optional[str]
    #: Null where no answer came.
    statusCode: Optional[int]
    durationMs: int
    #: Null when it was delivered.
    error: Optional[Literal["not_2xx", "timeout", "name_not_found", "connection_refused", "connection_lost", "unreachable", "tls", "bad_answer", "address_refused", "not_sent", "other"]]
    #: The same for people.
    message: Optional[str]
    #: The first 1,024 bytes of the answer.
    responseExcerpt: Optional[str]


class _UpsertPayeeBody(TypedDict):
    #: The caller's own id; the key of the upsert.
    externalId: str


class UpsertPayeeBody(_UpsertPayeeBody, total=False):
    email: Optional[str]
    #: ISO 3166-1 alpha-2.
    country: Optional[str]
    #: The legal name.
    name: Optional[str]
    #: The language of their pages and mails (BCP 47).
    locale: Optional[str]
    #: Up to 50 string values of the caller's, 32 KiB of JSON in all.
    metadata: Optional[Dict[str, str]]


class Payee(TypedDict):
    id: str
    #: The caller's own id.
    externalId: str
    email: Optional[str]
    #: The legal name.
    name: Optional[str]
    #: ISO 3166-1 alpha-2.
    country: Optional[str]
    #: The language of their pages and mails.
    locale: Optional[str]
    #: True when the payee can be paid now.
    payable: bool
    kycStatus: Literal["not_started", "pending", "verified", "rejected"]
    #: Set only when kycStatus is `rejected`.
    kycReason: Optional[str]
    onboardingStatus: Literal["not_started", "in_progress", "complete", "restricted"]
    #: The rail the payee resolves to now.
    provider: Optional[str]
    metadata: Dict[str, str]
    createdAt: str
    updatedAt: str


class PayeePage(TypedDict):
    data: List[Payee]
    #: Give it back as `cursor`; null on the last page.
    nextCursor: Optional[str]


class AdoptMethodBody(TypedDict):
    #: A custodial rail.
    provider: str
    #: The account's id at the rail.
    providerAccountId: str


class AccountDetails(TypedDict):
    #: The bank, or the brand of a card or wallet.
    brand: Optional[str]
    #: The end of the account's number.
    last4: Optional[str]
    #: ISO 4217.
    currency: Optional[str]
    #: ISO 3166-1 alpha-2.
    country: Optional[str]
    #: Its owner's, as the provider verified it.
    name: Optional[str]
    #: When the rail said so last.
    readAt: str


class Method(TypedDict):
    id: str
    payeeId: str
    #: A custodial rail.
    provider: str
    #: The account's id at the rail.
    providerAccountId: str
    #: What the rail itself said.
    payable: bool
    #: A payee has one active method.
    status: Literal["active", "replaced"]
    #: null if the rail does not tell what a person recognises the account by. Each field may be null as well.
    details: Optional[AccountDetails]
    createdAt: str
    updatedAt: str


class Adoption(TypedDict):
    method: Method
    payee: Payee


class _Readiness(TypedDict):
    payeeId: str
    #: True only when there are no blockers.
    payable: bool
    #: The rail that would pay.
    provider: Optional[str]
    kycStatus: Literal["not_started", "pending", "verified", "rejected"]
    #: Why not, in machine-readable words.
    blockers: List[str]
    checkedAt: str


class Readiness(_Readiness, total=False):
    #: The rail could not be asked; this is the last known state.
    stale: bool


class _TestOnboardingBody(TypedDict):
    outcome: Literal["verified", "pending", "rejected"]


class TestOnboardingBody(_TestOnboardingBody, total=False):
    #: Becomes kycReason of a rejected payee.
    reason: str


class Wallet(TypedDict):
    #: ISO 4217.
    currency: str
    #: Deposits and adjustments.
    depositedCents: int
    #: Requested, authorized or submitted.
    inFlightCents: int
    #: Paid.
    paidCents: int
    #: What payouts can still draw on: lifting fees of returns are taken off too.
    availableCents: int


class _BatchItem(TypedDict):
    #: Integer minor units of the currency.
    amountCents: int
    #: ISO 4217, upper case.
    currency: str


class BatchItem(_BatchItem, total=False):
    #: Exactly one of payeeId and email.
    payeeId: Optional[str]
    #: The oldest payee with this address, or a new one. Needs `payees:write`.
    email: Optional[str]
    #: The caller's reference.
    ref: Optional[str]
    #: Default: follows from the batch key and the payee.
    idempotencyKey: Optional[str]
    #: Why it is paid; in test mode a directive.
    reason: Optional[str]
    #: Up to 50 string values of the caller's, 32 KiB of JSON in all.
    metadata: Optional[Dict[str, str]]


class CreateBatchBody(TypedDict):
    #: The batch key.
    idempotencyKey: str
    items: List[BatchItem]


class Transaction(TypedDict):
    id: str
    #: What it came from.
    source: Literal["payout", "batch", "withdraw", "portal", "auto_release"]
    payeeId: str
    #: One payout per key, for ever.
    idempotencyKey: str
    #: Minor units of the currency.
    amountCents: int
    #: ISO 4217.
    currency: str
    #: Words of the client's status version.
    status: Literal["requested", "authorized", "submitted", "held", "failed", "paid", "returned", "sent", "awaiting_withdraw"]
    #: The rail; null before routing.
    provider: Optional[str]
    #: The rail's own payment id.
    providerRef: Optional[str]
    #: As the caller gave it.
    reason: Optional[str]
    #: The caller's reference.
    ref: Optional[str]
    #: Set while the payout is held or failed.
    failureKind: Optional[Literal["transient", "permanent"]]
    #: True only for a failed payout with a transient cause, whose owed rows, if any, did not go elsewhere.
    retryable: bool
    #: The bounce fee of a returned payout.
    liftingFeeCents: int
    #: Always null here; delivered webhooks carry it.
    claimUrl: Optional[str]
    #: When the money arrived; null where the rail only says that it left.
    settledAt: Optional[str]
    metadata: Dict[str, str]
    createdAt: str
    updatedAt: str


class _BatchRow(TypedDict):
    #: The place of the row in the request.
    index: int
    status: Literal["ok", "error"]


class BatchRow(_BatchRow, total=False):
    #: On ok; may itself be held.
    transaction: Transaction
    #: On ok: the row was paid by an earlier call.
    idempotentReplay: bool
    #: On error.
    error: Literal["payee_target_missing", "payee_target_ambiguous", "payee_not_found", "invalid_amount", "invalid_currency", "invalid_email", "invalid_external_ref", "invalid_row", "idempotency_conflict", "insufficient_scope", "internal_error"]
    #: On error, in words that may change.
    message: str


class Batch(TypedDict):
    #: One for each row, in order.
    results: List[BatchRow]


class _CreatePayoutBody(TypedDict):
    #: Where the money goes follows from the payee.
    payeeId: str
    #: Integer minor units of the currency.
    amountCents: int
    #: ISO 4217, upper case.
    currency: str
    #: One payout per key, for ever.
    idempotencyKey: str


class CreatePayoutBody(_CreatePayoutBody, total=False):
    #: The caller's reference.
    ref: Optional[str]
    #: Why it is paid; in test mode a directive.
    reason: Optional[str]
    #: Up to 50 string values of the caller's, 32 KiB of JSON in all.
    metadata: Optional[Dict[str, str]]


class ListedTransaction(TypedDict):
    id: str
    #: What it came from.
    source: Literal["payout", "batch", "withdraw", "portal", "auto_release"]
    payeeId: str
    #: One payout per key, for ever.
    idempotencyKey: str
    #: Minor units of the currency.
    amountCents: int
    #: ISO 4217.
    currency: str
    #: Words of the client's status version.
    status: Literal["requested", "authorized", "submitted", "held", "failed", "paid", "returned", "sent", "awaiting_withdraw"]
    #: The rail; null before routing.
    provider: Optional[str]
    #: The rail's own payment id.
    providerRef: Optional[str]
    #: As the caller gave it.
    reason: Optional[str]
    #: The caller's reference.
    ref: Optional[str]
    #: Set while the payout is held or failed.
    failureKind: Optional[Literal["transient", "permanent"]]
    #: True only for a failed payout with a transient cause, whose owed rows, if any, did not go elsewhere.
    retryable: bool
    #: The bounce fee of a returned payout.
    liftingFeeCents: int
    #: Always null here; delivered webhooks carry it.
    claimUrl: Optional[str]
    #: When the money arrived; null where the rail only says that it left.
    settledAt: Optional[str]
    metadata: Dict[str, str]
    createdAt: str
    updatedAt: str
    #: Why it is held or failed: `code`, or `code: detail`.
    statusReason: Optional[str]


class TransactionPage(TypedDict):
    data: List[ListedTransaction]
    #: The createdAt of the last row; give it back as `cursor`. Null on the last page.
    nextCursor: Optional[str]
    #: Skips no row; give it back as `cursor2`.
    nextCursor2: Optional[str]


class Trail(TypedDict):
    id: str
    #: The step that was taken.
    type: str
    #: Null where the trail begins.
    fromStatus: Optional[Literal["requested", "authorized", "submitted", "held", "failed", "paid", "returned", "sent", "awaiting_withdraw"]]
    toStatus: Literal["requested", "authorized", "submitted", "held", "failed", "paid", "returned", "sent", "awaiting_withdraw"]
    #: Why it was held or failed.
    statusReason: Optional[str]
    failureKind: Optional[Literal["transient", "permanent"]]
    #: Who brought the step about.
    actor: Literal["client", "payee", "operator", "system", "rail"]
    createdAt: str


class TransactionDetail(TypedDict):
    id: str
    #: What it came from.
    source: Literal["payout", "batch", "withdraw", "portal", "auto_release"]
    payeeId: str
    #: One payout per key, for ever.
    idempotencyKey: str
    #: Minor units of the currency.
    amountCents: int
    #: ISO 4217.
    currency: str
    #: Words of the client's status version.
    status: Literal["requested", "authorized", "submitted", "held", "failed", "paid", "returned", "sent", "awaiting_withdraw"]
    #: The rail; null before routing.
    provider: Optional[str]
    #: The rail's own payment id.
    providerRef: Optional[str]
    #: As the caller gave it.
    reason: Optional[str]
    #: The caller's reference.
    ref: Optional[str]
    #: Set while the payout is held or failed.
    failureKind: Optional[Literal["transient", "permanent"]]
    #: True only for a failed payout with a transient cause, whose owed rows, if any, did not go elsewhere.
    retryable: bool
    #: The bounce fee of a returned payout.
    liftingFeeCents: int
    #: Always null here; delivered webhooks carry it.
    claimUrl: Optional[str]
    #: When the money arrived; null where the rail only says that it left.
    settledAt: Optional[str]
    metadata: Dict[str, str]
    createdAt: str
    updatedAt: str
    #: `code`, or `code: detail`; see the reasons in the docs.
    statusReason: Optional[str]
    #: The event trail, oldest first: the first 20 and the newest 180 steps.
    events: List[Trail]
    #: How many steps between those are left out of `events`.
    eventsLeftOut: int


class ClaimPayoutBody(TypedDict, total=False):
    #: Where the payee of `mock:swap` wants the money; some address if left out.
    destination: str


class FailPayoutBody(TypedDict):
    #: A transient failure can be retried.
    kind: Literal["transient", "permanent"]


class ReturnPayoutBody(TypedDict, total=False):
    #: Default 0.
    liftingFeeCents: int


class AdvanceClockBody(TypedDict):
    #: How much time passes; a year at most, and in all until the client itself would be older than 1970.
    advanceSeconds: int


class ClockRan(TypedDict):
    #: Payouts that are sent, or that the rail is asked about, from now on.
    railQuestions: int
    #: Payouts that are tried again from now on.
    retries: int
    #: Deliveries of events that are made, or tried again, from now on.
    webhooks: int
    #: Mails that are tried again from now on.
    mails: int
    #: Other work that begins now.
    others: int
    #: Payouts that waited for another day, and were released before the answer.
    released: int


class Clock(TypedDict):
    #: The real time: requests are dated and signed as ever.
    now: str
    #: What came due.
    ran: ClockRan


class _PushItem(TypedDict):
    #: Integer minor units of the currency.
    amountCents: int
    #: ISO 4217, upper case.
    currency: str
    #: The caller's ledger id; one row per reference, for ever. `return:` begins those of the service.
    externalRef: str


class PushItem(_PushItem, total=False):
    #: Exactly one of payeeId and email.
    payeeId: Optional[str]
    #: The oldest payee with this address, or a new one.
    email: Optional[str]
    #: Becomes the legal name of a payee that has none.
    name: Optional[str]
    #: What it is owed for. It becomes that of the payout where all of its rows share it; in test mode a directive.
    reason: Optional[str]


class _PushDisbursementsBody(TypedDict):
    items: List[PushItem]


class PushDisbursementsBody(_PushDisbursementsBody, total=False):
    #: Tell each payee with an address what is new. Default false.
    sendEmail: bool


class Disbursement(TypedDict):
    id: str
    payeeId: str
    #: The payee's address.
    email: Optional[str]
    #: Minor units of the currency.
    amountCents: int
    #: ISO 4217.
    currency: str
    #: Follows the payout it is on.
    status: Literal["owed", "released", "paid", "returned"]
    #: The caller's ledger id.
    externalRef: str
    #: The payout it is on now, or was on last.
    transactionId: Optional[str]
    reason: Optional[str]
    createdAt: str
    updatedAt: str


class _PushedRow(TypedDict):
    #: The place of the row in the request.
    index: int
    status: Literal["ok", "error"]


class PushedRow(_PushedRow, total=False):
    #: On ok.
    disbursement: Disbursement
    #: On ok: the row was there already, whatever this one says; compare it.
    idempotentReplay: bool
    #: On error.
    error: Literal["payee_target_missing", "payee_target_ambiguous", "payee_not_found", "invalid_amount", "invalid_currency", "invalid_email", "invalid_external_ref", "invalid_row", "internal_error"]
    #: On error, in words that may change.
    message: str


class Push(TypedDict):
    #: One for each row, in order.
    results: List[PushedRow]


class DisbursementPage(TypedDict):
    data: List[Disbursement]
    #: Give it back as `cursor`; null on the last page.
    nextCursor: Optional[str]


class RecoveryLinkBody(TypedDict):
    #: The payout that moved the money.
    replacementTransactionId: str
    #: The rows it paid.
    disbursementIds: List[str]


class RecoveryLink(TypedDict):
    replacementTransactionId: str
    #: How many rows this call linked.
    linked: int
    disbursementIds: List[str]
    #: The rows were linked to this payout already.
    idempotentReplay: bool


class Balance(TypedDict):
    #: Owed, and not released yet.
    withdrawableCents: int
    #: On its way to the payee.
    onTheWayCents: int
    #: Waits for the payee to claim or withdraw it.
    actionNeededCents: int
    #: All that ever arrived, and was not sent back.
    landedCents: int
    #: Held only because it is under the rail's floor.
    heldBelowMinimumCents: int
    #: The floor that the held money must reach.
    minPayoutCents: int
    #: The rail the payee resolves to now.
    provider: Optional[str]
    #: The currency of all amounts here.
    currency: str


class _Withdraw(TypedDict):
    #: Owed rows that are on a payout under way, or paid.
    released: int
    #: What those rows come to, in minor units of each currency, added up.
    releasedCents: int
    #: Rows left owed: the client's wallet does not cover them.
    awaitingFunding: int
    #: Rows on a payout that is held.
    held: int
    #: Rows whose payout failed; they are owed again.
    failed: int


class Withdraw(_Withdraw, total=False):
    #: Where the payee claims the money, on a rail with claim links.
    payoutLink: str


class _OnboardingLinkBody(TypedDict):
    #: Where the page sends the payee back to: an https address on the host of your webhook URL, or on this service.
    returnUrl: str


class OnboardingLinkBody(_OnboardingLinkBody, total=False):
    #: `iframe`: the page may be shown in a frame by the site of your webhook URL. `redirect`, the default: by none.
    mode: Literal["redirect", "iframe"]


class OnboardingLink(TypedDict):
    #: A page of this service. Whoever has the link needs no log-in.
    url: str
    #: The rail; null if none serves the payee.
    provider: Optional[str]
    mode: Literal["redirect", "iframe"]
    #: 15 minutes after it was made.
    expiresAt: str


class PortalLink(TypedDict):
    #: The mail is on its way to the payee.
    sent: bool
    #: Until then the link opens the wallet, once.
    expiresAt: str


class Key(TypedDict):
    id: str
    #: The beginning of the key.
    hint: str
    expiresAt: Optional[str]
    revokedAt: Optional[str]
    createdAt: str


class OverlapBody(TypedDict, total=False):
    #: How long the old one works on. Default 0.
    overlapSeconds: int


class IssuedKey(TypedDict):
    keyId: str
    #: Shown this once.
    apiKey: str


class Webhook(TypedDict):
    url: Optional[str]
    eventTypes: List[str]


class WebhookBody(TypedDict, total=False):
    #: Where events are sent; null: nowhere. Left out, it stays.
    url: Optional[str]
    #: What is told. Left out, it stays.
    eventTypes: List[Literal["payee.updated", "payout.status"]]


class OwnKey(TypedDict):
    id: str
    #: The beginning of the key.
    hint: str
    expiresAt: Optional[str]
    revokedAt: Optional[str]
    createdAt: str
    #: The key that signed this request.
    inUse: bool


class OwnKeys(TypedDict):
    data: List[OwnKey]
    nextCursor: Optional[str]


class PayeeUpdatedEvent(TypedDict):
    """A payee's onboarding state changed. The latest state wins."""

    #: The same over all attempts and replays.
    eventId: str
    #: Rises with each event of the payout or payee.
    sequence: int
    #: When it happened.
    occurredAt: str
    type: Literal["payee.updated"]
    #: The payee's id in your system.
    externalId: str
    payeeId: str
    #: True when the payee can be paid now.
    payable: bool
    kycStatus: Literal["not_started", "pending", "verified", "rejected"]
    #: Set only when kycStatus is `rejected` and the provider gave a reason.
    kycReason: Optional[str]


class _PayoutStatusEvent(TypedDict):
    #: The same over all attempts and replays.
    eventId: str
    #: Rises with each event of the payout or payee.
    sequence: int
    #: When it happened.
    occurredAt: str
    type: Literal["payout.status"]
    #: Joins the events of one payout.
    transactionId: str
    #: Null for consolidated withdrawals.
    ref: Optional[str]
    #: In the words of the client's status version.
    status: Literal["requested", "authorized", "submitted", "held", "failed", "paid", "returned", "sent", "awaiting_withdraw"]
    #: Null until the rail accepts.
    providerRef: Optional[str]
    #: The payee's id in your system.
    externalId: str
    payeeId: str
    #: Minor units.
    amountCents: int
    #: ISO 4217.
    currency: str
    #: The rail; null before routing.
    provider: Optional[str]
    #: Show it to the payee: there is something to claim.
    claimUrl: Optional[str]
    #: Set on `held` and `failed`.
    failureKind: Optional[Literal["transient", "permanent"]]
    #: When the money arrived; null where nobody says.
    settledAt: Optional[str]


class PayoutStatusEvent(_PayoutStatusEvent, total=False):
    """A payout as it stood right after a change of its state."""

    #: On `returned` only: what the bounce cost.
    liftingFeeCents: int
    #: On `returned` only: what comes back to the payee.
    restoredCents: int


class ErrorDetailsFields(TypedDict):
    path: str
    message: str


class ErrorDetails(TypedDict, total=False):
    #: With `invalid_request`: what is wrong where.
    fields: List[ErrorDetailsFields]
    #: The rows that collide.
    indices: List[int]


class _ErrorBody(TypedDict):
    #: The only thing to branch on.
    error: Literal["invalid_request", "invalid_kyc", "invalid_cursor", "invalid_status", "invalid_return_url", "duplicate_target", "duplicate_external_ref", "invalid_disbursement_ids", "invalid_api_key", "stale_timestamp", "invalid_signature", "replayed_request", "invalid_operator_token", "insufficient_scope", "insufficient_role", "client_suspended", "not_found", "payee_not_found", "payout_not_found", "client_not_found", "key_not_found", "disbursement_not_found", "replacement_transaction_not_found", "event_not_found", "operator_not_found", "drift_not_found", "method_not_allowed", "account_already_linked", "payee_cooling_down", "payout_not_retryable", "payout_not_cancellable", "payout_not_releasable", "destination_fixed", "payee_not_checked", "payer_not_found", "withdrawals_disabled", "payee_not_payable", "nothing_to_withdraw", "below_minimum_withdrawal", "above_maximum_withdrawal", "withdrawal_frequency_limited", "replacement_transaction_not_active", "recovery_link_mismatch", "recovery_link_conflict", "recovery_link_amount_mismatch", "superseded_transaction_not_failed", "withdrawal_in_progress", "illegal_transition", "client_is_live", "name_taken", "event_not_replayable", "mail_not_found", "mail_not_sendable", "webhook_url_missing", "payload_too_large", "unsupported_media_type", "idempotency_conflict", "account_unverifiable", "destination_refused", "payee_email_missing", "rate_limited", "internal_error", "service_unavailable"]


class ErrorBody(_ErrorBody, total=False):
    #: For people; it may change at any time.
    message: str
    details: ErrorDetails


class ListEventsQuery(TypedDict, total=False):
    """Of `GET /events`."""

    limit: int
    #: nextCursor of the page before.
    cursor: str
    type: Literal["payee.updated", "payout.status"]
    status: Literal["pending", "delivered", "failed", "skipped"]
    #: The payout that events are about.
    transactionId: str
    #: The payee that events are about; not those about its payouts.
    payeeId: str
    #: Made then or later.
    createdFrom: str
    #: Made before then.
    createdTo: str


class ListPayeesQuery(TypedDict, total=False):
    """Of `GET /payees`."""

    limit: int
    #: nextCursor of the page before.
    cursor: str
    kyc: Literal["not_started", "pending", "verified", "rejected"]
    #: `true` or `false`; anything else is ignored.
    payable: str
    #: Exact.
    email: str
    #: Exact.
    externalId: str


class ListPayoutsQuery(TypedDict, total=False):
    """Of `GET /payouts`."""

    limit: int
    #: nextCursor of the page before. Rows of the very same instant may be skipped.
    cursor: str
    #: nextCursor2 of the page before. Skips nothing.
    cursor2: str
    #: A word of version 1, whatever the client's version.
    status: Literal["requested", "authorized", "submitted", "held", "failed", "paid", "returned"]
    payeeId: str
    #: Exact.
    ref: str
    #: A rail.
    provider: str
    #: Created then or later.
    createdFrom: str
    #: Created before then.
    createdTo: str


class ListDisbursementsQuery(TypedDict, total=False):
    """Of `GET /disbursements`."""

    limit: int
    #: nextCursor of the page before.
    cursor: str
    status: Literal["owed", "released", "paid", "returned"]
    payeeId: str
    #: Exact.
    externalRef: str
    #: The payout that rows are on now, or were on last.
    transactionId: str


class BalanceOwedPayeeQuery(TypedDict, total=False):
    """Of `GET /payees/{id}/balance`."""

    #: Default: the currency of the payee's newest movement, or the client's default.
    currency: str


class PingEvent(TypedDict):
    """What ``webhook.test()`` sends. Acknowledge it and leave it at that."""

    eventId: str
    #: Always 0: a ping is about no payout and no payee.
    sequence: int
    occurredAt: str
    type: Literal["ping"]


class _TypeToCome(str, enum.Enum):
    """In truth any other word. An enum of its own, and not ``str``, as a type checker would narrow nothing by that."""

    ANY = "of a type to come"


class UnknownEvent(TypedDict):
    """An event of a type that this version does not know. Acknowledge it and leave it aside."""

    eventId: str
    sequence: int
    occurredAt: str
    type: Literal[_TypeToCome.ANY]


#: What a webhook brings. Go by ``type``, and leave aside what is none of those you handle.
GatewayEvent = Union[PayeeUpdatedEvent, PayoutStatusEvent, PingEvent, UnknownEvent]


class Ask(Protocol):
    """Each route with what it is asked with, and what it answers."""

    @overload
    def __call__(self, route: Literal["GET /events"], *, query: Optional[ListEventsQuery] = ...) -> EventPage: ...

    @overload
    def __call__(self, route: Literal["GET /events/{id}"], id: str) -> EventDetail: ...

    @overload
    def __call__(self, route: Literal["POST /events/{id}/replay"], id: str) -> Event: ...

    @overload
    def __call__(self, route: Literal["POST /webhook-test"]) -> WebhookTest: ...

    @overload
    def __call__(self, route: Literal["POST /payees"], *, body: UpsertPayeeBody) -> Payee: ...

    @overload
    def __call__(self, route: Literal["GET /payees"], *, query: Optional[ListPayeesQuery] = ...) -> PayeePage: ...

    @overload
    def __call__(self, route: Literal["GET /payees/{id}"], id: str) -> Payee: ...

    @overload
    def __call__(self, route: Literal["POST /payees/{id}/methods"], id: str, *, body: AdoptMethodBody) -> Adoption: ...

    @overload
    def __call__(self, route: Literal["GET /payees/{id}/readiness"], id: str) -> Readiness: ...

    @overload
    def __call__(self, route: Literal["POST /test/payees/{id}/onboarding"], id: str, *, body: TestOnboardingBody) -> Payee: ...

    @overload
    def __call__(self, route: Literal["GET /wallet"]) -> List[Wallet]: ...

    @overload
    def __call__(self, route: Literal["POST /payouts/batch"], *, body: CreateBatchBody) -> Batch: ...

    @overload
    def __call__(self, route: Literal["POST /payouts"], *, body: CreatePayoutBody) -> Transaction: ...

    @overload
    def __call__(self, route: Literal["GET /payouts"], *, query: Optional[ListPayoutsQuery] = ...) -> TransactionPage: ...

    @overload
    def __call__(self, route: Literal["GET /payouts/{id}"], id: str) -> TransactionDetail: ...

    @overload
    def __call__(self, route: Literal["POST /payouts/{id}/release"], id: str) -> Transaction: ...

    @overload
    def __call__(self, route: Literal["POST /payouts/{id}/retry"], id: str) -> Transaction: ...

    @overload
    def __call__(self, route: Literal["POST /payouts/{id}/cancel"], id: str) -> Transaction: ...

    @overload
    def __call__(self, route: Literal["POST /test/payouts/{id}/claim"], id: str, *, body: ClaimPayoutBody) -> Transaction: ...

    @overload
    def __call__(self, route: Literal["POST /test/payouts/{id}/settle"], id: str) -> Transaction: ...

    @overload
    def __call__(self, route: Literal["POST /test/payouts/{id}/fail"], id: str, *, body: FailPayoutBody) -> Transaction: ...

    @overload
    def __call__(self, route: Literal["POST /test/payouts/{id}/return"], id: str, *, body: ReturnPayoutBody) -> Transaction: ...

    @overload
    def __call__(self, route: Literal["POST /test/clock"], *, body: AdvanceClockBody) -> Clock: ...

    @overload
    def __call__(self, route: Literal["POST /disbursements"], *, body: PushDisbursementsBody) -> Push: ...

    @overload
    def __call__(self, route: Literal["GET /disbursements"], *, query: Optional[ListDisbursementsQuery] = ...) -> DisbursementPage: ...

    @overload
    def __call__(self, route: Literal["GET /disbursements/{id}"], id: str) -> Disbursement: ...

    @overload
    def __call__(self, route: Literal["POST /disbursements/recovery-link"], *, body: RecoveryLinkBody) -> RecoveryLink: ...

    @overload
    def __call__(self, route: Literal["GET /payees/{id}/balance"], id: str, *, query: Optional[BalanceOwedPayeeQuery] = ...) -> Balance: ...

    @overload
    def __call__(self, route: Literal["POST /payees/{id}/withdraw"], id: str) -> Withdraw: ...

    @overload
    def __call__(self, route: Literal["POST /payees/{id}/onboarding-link"], id: str, *, body: OnboardingLinkBody) -> OnboardingLink: ...

    @overload
    def __call__(self, route: Literal["POST /payees/{id}/portal-link"], id: str) -> PortalLink: ...

    @overload
    def __call__(self, route: Literal["GET /webhook"]) -> Webhook: ...

    @overload
    def __call__(self, route: Literal["PUT /webhook"], *, body: WebhookBody) -> Webhook: ...

    @overload
    def __call__(self, route: Literal["GET /keys"]) -> OwnKeys: ...

    @overload
    def __call__(self, route: Literal["POST /keys"], *, body: OverlapBody) -> IssuedKey: ...

    @overload
    def __call__(self, route: Literal["DELETE /keys/{id}"], id: str) -> Key: ...


#: By method and path after /api/v1.
ROUTES: Tuple[str, ...] = (
    "GET /events",
    "GET /events/{id}",
    "POST /events/{id}/replay",
    "POST /webhook-test",
    "POST /payees",
    "GET /payees",
    "GET /payees/{id}",
    "POST /payees/{id}/methods",
    "GET /payees/{id}/readiness",
    "POST /test/payees/{id}/onboarding",
    "GET /wallet",
    "POST /payouts/batch",
    "POST /payouts",
    "GET /payouts",
    "GET /payouts/{id}",
    "POST /payouts/{id}/release",
    "POST /payouts/{id}/retry",
    "POST /payouts/{id}/cancel",
    "POST /test/payouts/{id}/claim",
    "POST /test/payouts/{id}/settle",
    "POST /test/payouts/{id}/fail",
    "POST /test/payouts/{id}/return",
    "POST /test/clock",
    "POST /disbursements",
    "GET /disbursements",
    "GET /disbursements/{id}",
    "POST /disbursements/recovery-link",
    "GET /payees/{id}/balance",
    "POST /payees/{id}/withdraw",
    "POST /payees/{id}/onboarding-link",
    "POST /payees/{id}/portal-link",
    "GET /webhook",
    "PUT /webhook",
    "GET /keys",
    "POST /keys",
    "DELETE /keys/{id}",
)

"""What may be sent again, and when. The same decisions as in libs/sdk/src/repeats.ts; a test compares them."""

import email.utils
import re
import time
from typing import FrozenSet, Optional, Protocol


class Headers(Protocol):
    def get(self, name: str, /) -> Optional[str]: ...


#: Sent again only if the gateway certainly did nothing: else the second answer would hide what the first did, or it would
#: be done twice. Every other route does nothing twice, whatever became of the first time.
UNBEGUN: FrozenSet[str] = frozenset(
    {
        "POST /payouts/{id}/retry",
        "POST /payouts/{id}/release",
        "POST /payees/{id}/withdraw",
        "POST /test/payouts/{id}/claim",
        "POST /test/payouts/{id}/settle",
        "POST /test/payouts/{id}/fail",
        "POST /test/payouts/{id}/return",
        "POST /payees/{id}/portal-link",
        "POST /keys",
        "POST /events/{id}/replay",
        "POST /webhook-test",
        "POST /test/clock",
    }
)

#: Of another status nothing changes by asking again.
PASSES = frozenset({408, 429, 500, 502, 503, 504})
#: Refused before anything was done: too many requests, or a body that did not arrive.
_NOT_DONE = frozenset({408, 429})


def may_have_happened(status: int, readable: bool) -> bool:
    """Of a try that changes something. A redirect or a page of HTML may stand in front of what was done."""
    return not readable or (status not in _NOT_DONE and (status >= 500 or status < 400))


def pause_before(
    turn: int,
    status: Optional[int],
    headers: Optional[Headers],
    first_pause: float,
    longest_pause: float,
    chance: float,
    now: Optional[float] = None,
) -> Optional[float]:
    """Seconds until the next try, or None: the gateway wants to be left alone for longer than one waits."""
    asked = _asked_for(status, headers, time.time() if now is None else now)
    if asked is None:
        return min(first_pause * 2.0 ** (turn - 1) * (0.5 + chance / 2), longest_pause)
    # All that were turned away at once should not come back at once.
    return None if asked > longest_pause else asked + chance * first_pause * 2


def _asked_for(status: Optional[int], headers: Optional[Headers], now: float) -> Optional[float]:
    if headers is None:
        return None
    if status == 429:
        return _until_next_minute(headers, now)
    return _retry_after(headers.get("retry-after"), now)


def _until_next_minute(headers: Headers, now: float) -> float:
    """The contract has no Retry-After here: requests are counted by the minute, by the clock of the gateway."""
    reset = headers.get("ratelimit-reset") or ""
    if re.fullmatch(r"[0-9]{1,5}", reset):
        return float(reset)
    there = _seconds_of(headers.get("date"))
    return 60 - (now if there is None else there) % 60


def _retry_after(text: Optional[str], now: float) -> Optional[float]:
    """Seconds, or a date."""
    if text is not None and re.fullmatch(r"[0-9]{1,9}", text):
        return float(text)
    then = _seconds_of(text)
    return None if then is None else max(0.0, then - now)


def _seconds_of(text: Optional[str]) -> Optional[float]:
    try:
        return email.utils.parsedate_to_datetime(text).timestamp() if text else None
    except (TypeError, ValueError):
        return None

"""How much one person, one address and all newcomers together may ask for; counted on rows.

A budget is a bucket that fills by itself. One number is kept for each: the time at which it will be
full again. A request moves that time on by what it costs, and is refused if the time would lie
further ahead than an empty bucket's. One statement looks and moves, so no two web processes, of one
machine or of many, can both take the last of it.

People are told apart by account or by the signed cookie of the learner; visitors without either
count with their address, and an address may do what fifty people may: a class behind one router
meets no limit, a flood does. What a visitor without an account makes us keep has limits of its own
(`NEWCOMERS`, `GROWTH`): each address has a little for itself, and beyond it draws on what the site
has for crowds, so a flood from some addresses takes nothing from a visitor at another. What the
site has for crowds is enough for the whole share of one address, and bounds what all can do.

Keys are hashes under the site's secret: the table tells no address. A process remembers which keys
are refused until when, and refuses again without asking the database.

What a figure costs is known only once it is drawn, so its budget (`MeasuredBudget`) may be
overdrawn: the time then lies further ahead than an empty bucket's, and nothing is drawn until it no
longer does.
"""

import hashlib
import logging
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from http import HTTPStatus

from django.conf import settings
from django.db import Error as AnyDatabaseError
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from quizzes.learners.client_address import client_address, network_of
from quizzes.learners.learner_cookie import named_learner
from quizzes.learners.models import Budget

log = logging.getLogger(__name__)

SESSIONS_OF_AN_ADDRESS = 50
KEPT_REFUSALS = 10_000  # of each process; the oldest goes first
SETTLED_COST = 0.25  # of a measured budget: what a process keeps to itself before it writes
STALE_SECONDS = 600  # a time further ahead than this and the bucket was set by another clock
DEBT_SECONDS = 540  # the longest wait for a debt: a minute less, by which hosts' clocks may differ
READ_AGAIN_SECONDS = 1.0  # of a measured budget: how long a process takes a row to be as it was
MOST_MINUTES = 15  # that the page tells to wait; no bucket here takes longer for one request
SAFE = {"GET", "HEAD", "OPTIONS", "TRACE"}

_SPEND = """
INSERT INTO {table} (key, full_at) VALUES (%s, %s) ON CONFLICT (key) DO UPDATE SET full_at =
    CASE WHEN {table}.full_at > %s AND {table}.full_at < %s THEN {table}.full_at ELSE %s END + %s
WHERE {table}.full_at <= %s OR {table}.full_at >= %s RETURNING full_at
"""
_OWE = """
INSERT INTO {table} (key, full_at) VALUES (%s, %s) ON CONFLICT (key) DO UPDATE SET full_at =
    CASE WHEN {table}.full_at <= %s OR {table}.full_at >= %s THEN %s
        WHEN {table}.full_at >= %s THEN %s ELSE {table}.full_at + %s END
RETURNING full_at
"""


class BudgetSpentError(Exception):
    """Nothing is left for this request; the bucket has enough again in `wait_seconds`."""

    def __init__(self, wait_seconds: int) -> None:
        super().__init__(f"nothing is left for {wait_seconds} s")
        self.wait_seconds = wait_seconds


class _ExpiringKeys:
    """Keys that this process remembers, and until when."""

    def __init__(self) -> None:
        self._until: OrderedDict[int, float] = OrderedDict()
        self._lock = threading.Lock()

    def wait(self, key: int) -> float:
        with self._lock:
            return max(0.0, self._until.get(key, 0.0) - time.monotonic())

    def add(self, key: int, seconds: float) -> None:
        with self._lock:
            self._until.pop(key, None)
            self._until[key] = time.monotonic() + seconds
            if len(self._until) > KEPT_REFUSALS:
                self._until.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._until.clear()


refusals = _ExpiringKeys()  # what this process knows to be refused


@dataclass(frozen=True)
class Bucket:
    """`per_second` in the long run and `burst` at once, for each source."""

    name: str
    per_second: float
    burst: float

    def key(self, source: str) -> int:
        """Return the number of this source's row."""
        secret = settings.SECRET_KEY.encode()[:64]
        text = f"{self.name}\n{source}".encode()
        return int.from_bytes(
            hashlib.blake2b(text, key=secret, digest_size=8).digest(), "big", signed=True
        )

    def spend(self, source: str, cost: float = 1.0, *, now: float | None = None) -> float:
        """Take `cost` if it is there: return 0, or the seconds until it may be."""
        key = self.key(source)
        if known := refusals.wait(key):
            return known
        if cost > self.burst:
            return self.burst / self.per_second
        if self._take(key, cost, now=now):
            return 0.0
        wait = self._missing(key, cost, now=now)
        refusals.add(key, min(wait, 1.0))  # others may give the row back, a clock may be put right
        return wait

    def wait_seconds(self, source: str, cost: float = 1.0) -> int:
        """Return 0, or the whole seconds until `cost` is there; take nothing."""
        now = time.time()
        full_at = Budget.objects.filter(pk=self.key(source)).values_list("full_at", flat=True)
        ahead, most = (full_at.first() or now) - now, self.burst / self.per_second
        if ahead >= most + STALE_SECONDS:  # as `spend` has it
            return 0
        return max(0, math.ceil(ahead - (self.burst - cost) / self.per_second))

    def owe(self, source: str, cost: float) -> None:
        """Take what was used already, even if nothing is left: the next will have to wait.

        A row that lies more than STALE_SECONDS ahead was set by a clock which has been put right,
        and its bucket counts as full: else a clock that jumped an hour would refuse people for an
        hour. A debt in full could lie as far ahead and would be forgiven for the same reason, so
        it is cut off at DEBT_SECONDS; what requests at the same moment use beyond that is lost.
        """
        key, now = self.key(source), time.time()
        seconds, most = cost / self.per_second, self.burst / self.per_second
        cap = now + most + DEBT_SECONDS
        anew = min(now + seconds, cap)
        stale = now + most + STALE_SECONDS
        values = [key, anew, now, stale, anew, cap - seconds, cap, seconds]
        self.remember_debt(key, self._write(_OWE, values) or now)

    def remember_debt(self, key: int, full_at: float) -> None:
        """Refuse this key until what is owed will have been paid, without a query."""
        ahead = full_at - time.time() - self.burst / self.per_second
        if 0 < ahead < STALE_SECONDS:
            refusals.add(key, ahead)

    def _take(self, key: int, cost: float, *, now: float | None) -> bool:
        now = time.time() if now is None else now
        seconds, most = cost / self.per_second, self.burst / self.per_second
        stale = now + most + STALE_SECONDS
        values = [key, now + seconds, now, stale, now, seconds, now + most - seconds, stale]
        return self._write(_SPEND, values) is not None

    def _write(self, statement: str, values: list[float]) -> float | None:
        with connection.cursor() as cursor:
            cursor.execute(statement.format(table=Budget._meta.db_table), values)
            row = cursor.fetchone()
        return None if row is None else float(row[0])

    def _missing(self, key: int, cost: float, *, now: float | None) -> float:
        now = time.time() if now is None else now
        full_at = Budget.objects.filter(pk=key).values_list("full_at", flat=True).first() or now
        return max(0.1, full_at - now - (self.burst - cost) / self.per_second)


@dataclass(frozen=True)
class PersonBudget:
    """A budget of one person, of which an address has fifty.

    Of these, strangers, who bring nothing that we gave, may use half: a program without cookies, or
    a page of another site in one browser of a class, leaves the rest to those who are known.
    """

    name: str
    per_second: float
    burst: float
    person: Bucket = field(init=False)
    strangers: Bucket = field(init=False)
    address: Bucket = field(init=False)

    def __post_init__(self) -> None:
        many = SESSIONS_OF_AN_ADDRESS
        for part, name, times in (
            ("person", self.name, 1),
            ("strangers", f"{self.name} of strangers of an address", many / 2),
            ("address", f"{self.name} of an address", many),
        ):
            bucket = Bucket(name, times * self.per_second, times * self.burst)
            object.__setattr__(self, part, bucket)

    def buckets(self, request: HttpRequest) -> list[tuple[Bucket, str]]:
        """Return what a request takes from, with whose that is; the person's or strangers' first.

        Or one who is refused again and again would use up what the others of the address have.
        """
        address = network_of(client_address(request))
        if address is None:
            return []
        person = person_of(request)
        first = (self.person, person) if person else (self.strangers, address)
        return [first, (self.address, address)]

    def spend(self, request: HttpRequest, cost: float = 1.0) -> int:
        """Take `cost`: return 0, or the whole seconds to wait."""
        for bucket, source in self.buckets(request):
            if wait := bucket.spend(source, cost):
                return max(1, math.ceil(wait))
        return 0


@dataclass(frozen=True)
class CrowdBudget:
    """A little for each address, and beyond it what the site has for all together.

    `person`: what one person may take of it, or one who never stops would use up the class's.
    """

    own: Bucket
    ceiling: Bucket  # of what one address takes from the crowd's
    crowd: Bucket
    person: Bucket | None = None

    def spend(self, request: HttpRequest, cost: float = 1.0) -> None:
        """Take `cost`. Raises BudgetSpentError."""
        address = network_of(client_address(request))
        if address is None:
            return
        person = person_of(request)
        if self.person and person and (wait := self.person.spend(person, cost)):
            raise BudgetSpentError(max(1, math.ceil(wait)))
        if not self.own.spend(address, cost):
            return
        wait = self.ceiling.spend(address, cost) or self.crowd.spend("", cost)
        if wait:
            raise BudgetSpentError(max(1, math.ceil(wait)))

    def refuse_again(self, request: HttpRequest) -> None:
        """Raise BudgetSpentError where this process knows that nothing is left; ask no database."""
        address = network_of(client_address(request))
        if address is None or not refusals.wait(self.own.key(address)):
            return
        ceiling, crowd = self.ceiling.key(address), self.crowd.key("")
        if wait := refusals.wait(ceiling) or refusals.wait(crowd):
            raise BudgetSpentError(max(1, math.ceil(wait)))

    def most_within(self, seconds: float, *, addresses: int) -> float:
        """Return the most that this many addresses can take in this time, whatever they do."""
        own = self.own.burst + seconds * self.own.per_second
        ceiling = self.ceiling.burst + seconds * self.ceiling.per_second
        crowd = self.crowd.burst + seconds * self.crowd.per_second
        return addresses * own + min(addresses * ceiling, crowd)


class MeasuredBudget:
    """A budget of processor seconds, which are known only afterwards.

    A page asks for sixty small figures a second: each process adds up what they cost and writes
    when it is worth a row, and reads what all processes have written once a second. So each of them
    may draw for a second more than there is; that is owed as well, and waited for afterwards.
    """

    def __init__(self, budget: PersonBudget) -> None:
        self.budget = budget
        self._unsettled: OrderedDict[int, float] = OrderedDict()
        self._lately_read = _ExpiringKeys()
        self._lock = threading.Lock()

    def wait_seconds(self, request: HttpRequest) -> int:
        """Return 0, or how long to wait: what was used before is more than was there."""
        buckets = {bucket.key(source): bucket for bucket, source in self.budget.buckets(request)}
        if not any(map(refusals.wait, buckets)):
            self._read(buckets)
        return math.ceil(max(map(refusals.wait, buckets), default=0.0))

    def note(self, request: HttpRequest, seconds: float) -> None:
        """Add what a request has cost."""
        for bucket, source in self.budget.buckets(request):
            key = bucket.key(source)
            with self._lock:
                owed = self._unsettled.pop(key, 0.0) + seconds
                if owed < SETTLED_COST:
                    self._unsettled[key], owed = owed, 0.0
                    if len(self._unsettled) > KEPT_REFUSALS:
                        self._unsettled.popitem(last=False)
            if owed:
                self._owe(bucket, source, owed)

    # A picture needs no database. One that cannot be read or written now, or whose disk is full,
    # takes no figure from a reader, and no page whose address has a figure's parameters.
    def _owe(self, bucket: Bucket, source: str, seconds: float) -> None:
        try:
            bucket.owe(source, seconds)
        except AnyDatabaseError:
            log.warning("%.2f s of figures are not counted: the database takes no writes", seconds)

    def _read(self, buckets: dict[int, Bucket]) -> None:
        """Learn what is owed from the rows, except those that were read within the last second."""
        unread = [key for key in buckets if not self._lately_read.wait(key)]
        if not unread:
            return
        for key in unread:
            self._lately_read.add(key, READ_AGAIN_SECONDS)
        try:
            rows = dict(Budget.objects.filter(pk__in=unread).values_list("key", "full_at"))
        except AnyDatabaseError:
            log.warning("what figures have cost cannot be read: figures are drawn all the same")
            return
        for key, full_at in rows.items():
            buckets[key].remember_debt(key, full_at)


def person_of(request: HttpRequest) -> str:
    """Return what tells one person from another, "" for a visitor that has nothing of ours yet.

    Only what we gave counts: a made-up cookie would be a new person with each request.
    """
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        return f"account {user.pk}"
    learner = named_learner(request)
    return f"learner {learner}" if learner else ""


# Somebody who writes and answers as fast as the pages let them saves twice a second at most.
POSTS = PersonBudget("posts", per_second=4, burst=120)
# Each costs a hash of a password, 50 ms of a processor.
ACCOUNTS = PersonBudget("accounts", per_second=0.2, burst=20)
FIGURES = MeasuredBudget(PersonBudget("figures", per_second=0.02, burst=3))  # processor seconds

# New learners without an account, and accounts: a class begins at once, and 20 addresses that flood
# for five minutes make 1 800 (`most_within`).
NEWCOMERS = CrowdBudget(
    own=Bucket("newcomers", per_second=1 / 60, burst=10),
    ceiling=Bucket("newcomers of an address", per_second=0.5, burst=400),
    crowd=Bucket("newcomers of the site", per_second=1, burst=1200),
)
# Bytes that are kept for visitors without an account: their code, and for each row what it takes
# with its indexes. A class of 200 works through a lesson and checks the longest code of a course
# within one burst; 20 addresses that flood for five minutes fill 12.9 MB,
# and leave a visitor at another address a Check every six seconds.
ROW_BYTES = 300  # a step that was read, an answer, a draft
ATTEMPT_BYTES = 4_000  # a quiz begun: a row for each question that was drawn
SUBMISSION_BYTES = 2_000  # beside its code: the row, its place in the queue, its report
_GROWTH = Bucket("growth of a person", per_second=300, burst=100_000)
GROWTH = CrowdBudget(
    own=Bucket("growth", per_second=280, burst=85_000),
    ceiling=Bucket(
        "growth of an address",
        per_second=SESSIONS_OF_AN_ADDRESS * _GROWTH.per_second,
        burst=SESSIONS_OF_AN_ADDRESS * _GROWTH.burst,
    ),
    crowd=Bucket("growth of the site", per_second=15_000, burst=5_000_000),
    person=_GROWTH,
)


class BudgetMiddleware:
    """Count every request that may change something, and answer 429 when too many came."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method in SAFE:
            return self._get_response(request)
        for budget in _budgets_of(request.path_info):
            if wait := budget.spend(request):
                return refuse(request, wait)
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Answer a view that made nothing because nothing is left for it."""
        return refuse(request, error.wait_seconds) if isinstance(error, BudgetSpentError) else None


def _budgets_of(path: str) -> Iterable[PersonBudget]:
    return (POSTS, ACCOUNTS) if path.startswith("/accounts/") else (POSTS,)


def refuse(request: HttpRequest, wait_seconds: int) -> HttpResponse:
    """Answer 429: a page where one was asked for, else a sentence that scripts can show.

    The page is the same for everybody who waits as many minutes, so that a flood of refusals costs
    next to nothing.
    """
    if "text/html" in request.headers.get("Accept", ""):
        minutes = min(math.ceil(wait_seconds / 60), MOST_MINUTES)
        answer = HttpResponse(_page(minutes), status=HTTPStatus.TOO_MANY_REQUESTS)
    else:
        answer = HttpResponse(
            f"Too many requests came from you. Try again in {wait_seconds} s.\n",
            status=HTTPStatus.TOO_MANY_REQUESTS,
            content_type="text/plain; charset=utf-8",
        )
    answer["Retry-After"] = str(wait_seconds)
    answer["Cache-Control"] = "no-store"
    return answer


@lru_cache(maxsize=MOST_MINUTES)
def _page(minutes: int) -> str:
    return render_to_string("429.html", {"plain": True, "minutes": minutes})


def forget_budgets(*, now: float | None = None) -> int:
    """Delete the rows of buckets that are full, or were set by another clock; return how many.

    Web hosts fill buckets by their clocks. A worker, whose own may be hours apart, gives `now`.
    """
    now = time.time() if now is None else now
    full = Budget.objects.filter(full_at__lt=now)
    strange = Budget.objects.filter(full_at__gt=now + 24 * 3600)
    return full.delete()[0] + strange.delete()[0]

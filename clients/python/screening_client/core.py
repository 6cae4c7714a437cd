"""The client: calls the API, follows lists and the feed, brings rosters in, and verifies webhooks."""

from __future__ import annotations

import base64
import gzip
import hashlib
import hmac
import json
import math
import random
import time
import uuid
from decimal import Decimal
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Callable, Iterable, Iterator, Mapping, Optional, Type, Union, cast
from urllib.parse import quote, urlencode

import httpx

from . import models
from .operations import Operations

#: Too many requests, or nobody there for the moment: 502 and 504 come from proxies.
PASSING = (429, 502, 503, 504)
#: As many items as a page can have.
PAGE = 500
#: How long a request waits for the end of a job: shorter than proxies do.
WAIT_SECONDS = 30
#: For the rows of an import, which may take long to send.
ROWS_TIMEOUT = 900.0
FIRST_PAUSE = 0.25
MAX_PAUSE = 10.0
#: How far the time of a webhook may be from now, in seconds.
TOLERANCE = 300
#: What a participant has of its own. All other columns of a data frame are attributes.
MEMBERS = ("externalUid", "email", "name")
#: How many wrong cells of a frame are said.
MAX_FAULTS = 100

Query = Mapping[str, object]
Progress = Callable[[models.Job], None]
#: Bytes, a text, a path, or an open file.
File = Union[bytes, str, Path, IO[bytes]]


class ApiError(Exception):
    """An answer that is no success (RFC 9457), or the problem of a job that failed.

    What is no problem, such as a proxy's page, has the code `unreadable_answer`. When nothing answers at all, the error
    is one of httpx.
    """

    def __init__(self, status: int, problem: Mapping[str, Any], retry_after: Optional[float] = None) -> None:
        super().__init__(_said(status, problem))
        self.status = status
        self.problem = problem
        self.code: str = problem.get("code") or "unreadable_answer"
        #: What is wrong, each with its pointer; at most 100.
        self.errors: list[Mapping[str, Any]] = problem.get("errors") or []
        self.error_count: int = problem.get("errorCount") or len(self.errors)
        #: The id under which the service's log has the request.
        self.request_id: Optional[str] = problem.get("requestId")
        self.job_id: Optional[str] = problem.get("jobId")
        #: After how many seconds it can be tried again.
        self.retry_after = retry_after


def _said(status: int, problem: Mapping[str, Any]) -> str:
    """The detail; and where it only counts the errors, the first ten of them, one a line."""
    detail = problem.get("detail") or problem.get("title") or f"The answer has the status {status}."
    errors = problem.get("errors") or []
    if len(errors) < 2:
        return detail
    more = (problem.get("errorCount") or len(errors)) - 10
    lines = [f"  {one['pointer'] or 'The body'} {one['message']}" for one in errors[:10]]
    return "\n".join([detail, *lines, *([f"  … and {more:,} more"] if more > 0 else [])])


class Answer:
    """A success: JSON is parsed, anything else a text, and no body None."""

    def __init__(self, status: int, headers: httpx.Headers, body: Any) -> None:
        self.status = status
        self.headers = headers
        self.body = body


class Client(Operations):
    """Calls the API. Use it with `with`, or close it at the end.

    A GET, and a POST through its Idempotency-Key, is sent again when nothing answers, or 429, 502, 503 or 504 does: for
    up to `retry_for` seconds. Each try may take `timeout` seconds between two pieces of the answer.
    """

    def __init__(
        self,
        url: str,
        *,
        api_key: Optional[str] = None,
        api_secret: Optional[str] = None,
        access_token: Optional[str] = None,
        timeout: float = 120.0,
        retry_for: float = 60.0,
        http: Optional[httpx.Client] = None,
    ) -> None:
        if not access_token and not (api_key and api_secret):
            raise TypeError("A client needs api_key and api_secret, or an access_token.")
        self._url = url.rstrip("/")
        self._timeout = timeout
        self._retry_for = retry_for
        self._headers = {"X-Service-Api-Version": models.API_VERSION}
        if api_key and api_secret:
            self._headers.update({"X-Service-Api-Key": api_key, "X-Service-Api-Secret": api_secret})
        if access_token:
            self._headers["Authorization"] = f"Bearer {access_token}"
        self._http = http or httpx.Client()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def call(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        content: Optional[bytes] = None,
        query: Optional[Query] = None,
        headers: Optional[Mapping[str, Optional[str]]] = None,
        timeout: Optional[float] = None,
        **ids: str,
    ) -> Answer:
        """Calls an operation of any media type. `ids` fill in the path. Raises ApiError, or an error of httpx."""
        given = {name: value for name, value in (headers or {}).items() if value is not None}
        if method == "POST" and "Idempotency-Key" not in given:
            given["Idempotency-Key"] = str(uuid.uuid4())
        if body is not None:
            given["Content-Type"] = "application/json"
            content = json.dumps(body, allow_nan=False, ensure_ascii=False).encode()
        # Headers carry bytes. The service reads them as UTF-8.
        sent = [(name.encode(), value.encode()) for name, value in {**given, **self._headers}.items()]
        request = httpx.Request(
            method,
            self._url + _filled(path, ids),
            params=urlencode(_pairs(query or {})),
            headers=sent,
            content=content,
            extensions={"timeout": httpx.Timeout(timeout or self._timeout).as_dict()},
        )
        return self._send(request, content, method in ("GET", "POST"))

    def _send(self, request: httpx.Request, content: Optional[bytes], is_repeatable: bool) -> Answer:
        end = time.monotonic() + self._retry_for
        failures = 0
        while True:
            try:
                return _read(self._http.send(request))
            except (ApiError, httpx.TransportError) as error:
                pause = _pause_after(error, failures)
                if pause is None or not is_repeatable or time.monotonic() + pause > end:
                    raise
                time.sleep(pause)
            failures += 1

    def _call(self, method: str, path: str, **options: Any) -> Any:
        return self.call(method, path, **options).body

    def _items(self, path: str, query: Optional[Query] = None, **options: Any) -> Iterator[Any]:
        asked: dict[str, object] = dict(query or {})
        offset = int(cast(int, asked.get("pagination[offset]", 0)))
        while True:
            page: dict[str, object] = {"pagination[limit]": PAGE, **asked, "pagination[offset]": offset}
            body = self._call("GET", path, query=page, **options)
            yield from body["items"]
            offset += len(body["items"])
            if offset >= body["total"] or not body["items"]:
                return

    def wait_for_job(self, job_id: str, on_progress: Optional[Progress] = None) -> models.Job:
        """Waits until a job has ended, or is a plan, and gives it whether it did its work or not."""
        seconds = 1 if on_progress else WAIT_SECONDS
        while True:
            answer = self.call("GET", "/jobs/{id}", id=job_id, headers={"Prefer": f"wait={seconds}"})
            job: models.Job = answer.body
            if on_progress:
                on_progress(job)
            if job["finishedAt"] is not None:
                return job
            # Nobody has waited, for example because the service shuts down.
            if "Preference-Applied" not in answer.headers:
                time.sleep(float(answer.headers.get("Retry-After", 1)))

    def import_participants(
        self,
        screener_id: str,
        *,
        participants: Optional[Iterable[Mapping[str, Any]]] = None,
        frame: Any = None,
        csv: Optional[File] = None,
        ndjson: Optional[File] = None,
        columns: Optional[Mapping[str, str]] = None,
        mode: Optional[str] = None,
        dry_run: bool = False,
        max_removals: Union[int, str, None] = None,
        on_row_error: Optional[str] = None,
        expected_rows: Optional[int] = None,
        match_by: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        note: Optional[str] = None,
        on_progress: Optional[Progress] = None,
    ) -> Import:
        """Imports into a screener one of: participants, a data frame (pandas or Polars), a CSV, or NDJSON. Waits for the end.

        `columns` says what the columns of a CSV are, by their headings. The result is done, or a plan, because of
        `dry_run` or `max_removals`. Raises ApiError when the import failed: then nothing was changed.
        """
        given = [one for one in (participants, frame, csv, ndjson) if one is not None]
        if len(given) != 1:
            raise TypeError("An import takes one of participants, frame, csv and ndjson.")
        rows = rows_of_frame(frame) if frame is not None else participants
        content = _lines(rows) if rows is not None else _bytes_of(cast(File, given[0]))
        query: dict[str, object] = {
            "screenerId": screener_id,
            "importMode": mode,
            "dryRun": dry_run or None,
            "maxRemovals": max_removals,
            "onRowError": on_row_error,
            "expectedRows": expected_rows,
            "matchBy": match_by,
            **{f"columns[{heading}]": member for heading, member in (columns or {}).items()},
        }
        headers = {
            "Prefer": "respond-async",
            "Idempotency-Key": idempotency_key,
            "X-Action-Note": note,
            "Content-Type": "text/csv" if csv is not None else "application/x-ndjson",
            "Content-Encoding": "gzip",
        }
        try:
            answer = self.call(
                "POST",
                "/screener-participants-import",
                query=query,
                headers={name: value for name, value in headers.items() if value is not None},
                content=gzip.compress(content),
                timeout=ROWS_TIMEOUT,
            )
        except ApiError as error:
            # Sent before: it was stopped by the limit, and is a plan.
            if error.code != "removal_limit_exceeded" or not error.job_id:
                raise
            return self._ended(error.job_id, on_progress)
        # Of an import that had been sent before, and has ended, the answer is its result. The header names the job.
        named = answer.body.get("id") if isinstance(answer.body, dict) else None
        job_id = named or answer.headers["Location"].rsplit("/", 1)[1]
        return self._ended(job_id, on_progress, answer.headers.get("Idempotency-Superseded-By"))

    def _ended(self, job_id: str, on_progress: Optional[Progress], superseded_by: Optional[str] = None) -> Import:
        job = self.wait_for_job(job_id, on_progress)
        if job["status"] not in ("SUCCEEDED", "PLANNED"):
            problem = cast(Mapping[str, Any], job["problem"] or {"detail": f"The job is {job['status']}."})
            raise ApiError(problem.get("status", 500), {**problem, "jobId": job["id"]})
        return Import(self, job, superseded_by)

    def feed(self, after: Optional[str] = None, *, wait: bool = False, query: Optional[Query] = None) -> Iterator[models.Event]:
        """The events of the workspace in their order, from the one behind `after` on: a cursor, the id of an event.

        Keep the id of the last event that was dealt with. With `wait` it goes on for ever: at the end of the log it
        waits for the next event. Raises ApiError `event_gone` where the log begins later.
        """
        while True:
            headers = {"Prefer": f"wait={WAIT_SECONDS}"} if wait else {}
            asked: dict[str, object] = {**(query or {}), "limit": PAGE, "after": after}
            page = self.get("/events/feed", query=asked, headers=headers)
            yield from page["items"]
            if not page["items"] and not wait:
                return
            after = page["cursor"]


class Import:
    """An import, or an undo, that was done or is a plan."""

    def __init__(self, client: Client, job: models.Job, superseded_by: Optional[str] = None) -> None:
        self._client = client
        #: As it was at its end.
        self.job = job
        #: Of an import that was sent before, with the same idempotency_key: the id of the first later import or undo for
        #: the same screener that was applied, or is about to be.
        self.superseded_by = superseded_by

    @property
    def id(self) -> str:
        return self.job["id"]

    @property
    def is_plan(self) -> bool:
        """Whether nothing was changed, because of dry_run or max_removals."""
        return self.job["status"] == "PLANNED"

    def rows(self, query: Optional[Query] = None) -> Iterator[models.JobRow]:
        """What became of each row, or would: {"filter[outcome][eq]": "REMOVED"} chooses some."""
        return self._client.items("/jobs/{id}/rows", id=self.id, query=query)

    def apply(self, on_progress: Optional[Progress] = None) -> Import:
        """Does exactly what the plan shows. Raises ApiError when that is not possible any more."""
        return self._follow("/jobs/{id}/apply", None, on_progress)

    def undo(self, *, dry_run: bool = False, on_progress: Optional[Progress] = None) -> Import:
        """Takes back what was imported. With `dry_run` the undo is a plan, too. It can itself be undone."""
        return self._follow("/jobs/{id}/undo", {"dryRun": dry_run}, on_progress)

    def discard(self) -> None:
        """Gives the plan up."""
        self._client.call("DELETE", "/jobs/{id}", id=self.id)

    def _follow(self, path: str, body: Any, on_progress: Optional[Progress]) -> Import:
        answer = self._client.call("POST", path, id=self.id, body=body, headers={"Prefer": "respond-async"})
        return self._client._ended(answer.body["id"], on_progress)


def rows_of_frame(frame: Any) -> Iterator[dict[str, Any]]:
    """The rows of a data frame as participants: of pandas (`to_dict("records")`) or of Polars (`to_dicts()`).

    Columns with other names than externalUid, email and name are attributes. What a frame has where nothing is (NaN, NaT,
    NA, None) is left out. Raises ValueError for cells that are no text, number, truth value, date or time: all of them.
    """
    if not hasattr(frame, "to_dicts") and not hasattr(frame, "to_dict"):
        raise TypeError(f"{type(frame).__name__} is no data frame of pandas or Polars. A lazy one has collect().")
    records = frame.to_dicts() if hasattr(frame, "to_dicts") else frame.to_dict("records")
    rows, faults = [], []
    for number, record in enumerate(records, start=1):
        row: dict[str, Any] = {}
        attributes: dict[str, Any] = {}
        for column, value in record.items():
            try:
                plain = _plain(value)
            except ValueError as error:
                faults.append(f"Row {number}, column {column}: {error}")
                continue
            if plain is not None and column in MEMBERS:
                # Where a column of ids lacks one, pandas keeps all of them as 9001.0.
                row[column] = str(int(plain) if isinstance(plain, float) and plain.is_integer() else plain)
            elif plain is not None:
                attributes[str(column)] = plain
        rows.append({**row, "attributes": attributes} if attributes else row)
    if faults:
        more = [f"There are {len(faults) - MAX_FAULTS} more."] if len(faults) > MAX_FAULTS else []
        raise ValueError("\n".join([*faults[:MAX_FAULTS], *more]))
    return iter(rows)


def verify_webhook(
    secret: str,
    headers: Mapping[str, str],
    body: bytes,
    *,
    tolerance: int = TOLERANCE,
    now: Optional[float] = None,
) -> models.EventMessage:
    """The message of a webhook (Standard Webhooks), if its signature is right and its time is near. Raises ValueError.

    `body` are the bytes as they came: what a framework has parsed and written again has another signature.
    """
    given = {name.lower(): value for name, value in headers.items()}
    message_id, sent_at, signatures = (
        given.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature")
    )
    if not sent_at.isdigit() or abs((time.time() if now is None else now) - int(sent_at)) > tolerance:
        raise ValueError("The message is too old, or from the future, or has no time.")
    try:
        key = base64.b64decode(secret[len("whsec_") :] if secret.startswith("whsec_") else secret, validate=True)
    except ValueError:
        key = b""
    if not key:
        # Anybody can sign with an empty key.
        raise ValueError("The secret is none of a webhook: it begins with whsec_, and base64 follows.")
    signed = b".".join([message_id.encode(), sent_at.encode(), body])
    wanted = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    # While a secret is replaced, a message has two.
    if not any(hmac.compare_digest(f"v1,{wanted}".encode(), one.encode()) for one in signatures.split(" ")):
        raise ValueError("The message has no right signature.")
    return cast("models.EventMessage", json.loads(body))


def _read(response: httpx.Response) -> Answer:
    kind = response.headers.get("Content-Type", "")
    is_problem = kind.startswith("application/problem+json")
    if response.is_success or response.status_code == 304:
        if not response.content:
            return Answer(response.status_code, response.headers, None)
        body = response.json() if kind.startswith("application/json") else response.text
        return Answer(response.status_code, response.headers, body)
    after = response.headers.get("Retry-After", "")
    problem = (
        response.json()
        if is_problem
        else {
            "detail": f"The answer {response.status_code} is no problem of the API: {response.text[:200]}",
            "requestId": response.headers.get("X-Request-Id"),
        }
    )
    raise ApiError(response.status_code, problem, float(after) if after.isdigit() else None)


def _pause_after(error: Exception, failures: int) -> Optional[float]:
    """None where trying again can't help."""
    if isinstance(error, ApiError) and error.status not in PASSING:
        return None
    asked = (error.retry_after or 0.0) if isinstance(error, ApiError) else 0.0
    grown = min(FIRST_PAUSE * 2.0**failures, MAX_PAUSE) * (0.5 + random.random() / 2)
    return max(asked, grown)


def _filled(path: str, ids: Mapping[str, str]) -> str:
    for name, value in ids.items():
        if not value:
            raise TypeError(f"The path {path} needs {name}.")
        path = path.replace(f"{{{name}}}", quote(value, safe=""))
    # An id has no such sign any more.
    missing = [part.split("}")[0] for part in path.split("{")[1:]]
    if missing:
        raise TypeError(f"The path {path} needs {' and '.join(missing)}.")
    return path


def _pairs(query: Query) -> list[tuple[str, str]]:
    """A list is a parameter several times. None is left out; an empty list matches nothing."""
    pairs: list[tuple[str, str]] = []
    for name, value in query.items():
        if value is None:
            continue
        values = list(value) if isinstance(value, (list, tuple, set)) else [value]
        pairs += [(name, _text(one)) for one in values] or [(name, "")]
    return pairs


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    return b"".join(json.dumps(dict(row), allow_nan=False, ensure_ascii=False).encode() + b"\n" for row in rows)


def _bytes_of(file: File) -> bytes:
    if isinstance(file, bytes):
        return file
    if isinstance(file, str):
        return file.encode()
    return file.read_bytes() if isinstance(file, Path) else file.read()


def _plain(value: Any) -> Any:
    """A value of a frame as JSON has it."""
    if _is_missing(value):
        return None
    if hasattr(value, "isoformat"):
        return value.isoformat()
    is_number_of_numpy = hasattr(value, "item") and not hasattr(value, "__len__")
    one = value.item() if is_number_of_numpy else float(value) if isinstance(value, Decimal) else value
    if isinstance(one, (str, int)) or isinstance(one, float) and math.isfinite(one):
        return one
    what = repr(one) if isinstance(one, float) else type(one).__name__
    raise ValueError(f"{what} is no text, finite number, true, false, date or time.")


def _is_missing(value: Any) -> bool:
    """NaN and NaT are no equals of themselves, and NA does not say whether it is."""
    try:
        return value is None or bool(value != value)
    except (TypeError, ValueError):
        return type(value).__name__ == "NAType"

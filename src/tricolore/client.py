"""A client for `tricolore serve`: the same scores, computed by a server.

>>> client = Client("http://127.0.0.1:8000")
>>> client.url
'http://127.0.0.1:8000'
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from tricolore.arguments import check_arguments
from tricolore.errors import TricoloreError
from tricolore.example import Example
from tricolore.run.run import Scores
from tricolore.score import Score

if TYPE_CHECKING:
    import httpx


class ServerError(TricoloreError):
    """A server could not be reached, or has refused a request.

    `status` is the HTTP status, 0 if there was no answer; `retry_after` the seconds after which
    the server may take the request, if it said so.
    """

    def __init__(
        self,
        problem: str,
        hint: str = "",
        *,
        argument: str = "",
        status: int = 0,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(problem, hint, argument=argument)
        self.status = status
        self.retry_after = retry_after


@dataclass(frozen=True)
class StreamedScore:
    """A score that has arrived: of which example, by its index, and by which measure."""

    row: int
    measure: str
    score: Score


class Client:
    """A server that scores. Use it as a context manager, or call `close` at the end.

    Args:
        url: The address of the server, such as "http://127.0.0.1:8000".
        token: The token, if the server needs one.
        timeout: Seconds to wait for an answer.
    """

    def __init__(self, url: str, *, token: str = "", timeout: float = 120.0) -> None:
        check_arguments(Client.__init__, locals())
        try:
            import httpx
        except ImportError as error:
            raise TricoloreError("a client needs httpx: pip install 'tricolore[web]'") from error
        self.url = url.rstrip("/")
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._http = httpx.Client(base_url=self.url, headers=headers, timeout=timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def score(
        self,
        source: str | Sequence[str] = (),
        summary: str = "",
        *,
        references: str | Sequence[str] = (),
        measures: str | Sequence[str] | None = None,
        evidence: bool = False,
    ) -> Scores:
        """The scores of one summary, by measure, as `tricolore.score` gives them.

        Args:
            source: The text that was summarised, or several.
            summary: The summary to judge.
            references: Summaries that people wrote.
            measures: Specs of measures; the recommended ones if not given.
            evidence: Whether scores have the spans of text that they rest on.
        """
        check_arguments(Client.score, locals())
        example = Example(source=source, summary=summary, references=references)
        [scores] = self.score_all([example], measures, evidence=evidence)
        return scores

    def score_all(
        self,
        examples: Iterable[Example | Mapping[str, Any]],
        measures: str | Sequence[str] | None = None,
        *,
        evidence: bool = False,
    ) -> list[Scores]:
        """The scores of several summaries, in their order.

        Args:
            examples: Examples, or dicts with the fields of one.
            measures: Specs of measures; the recommended ones if not given.
            evidence: Whether scores have the spans of text that they rest on.
        """
        check_arguments(Client.score_all, locals())
        found = self._call("POST", "/v1/score", _request(examples, measures, evidence=evidence))
        return [
            Scores({label: _score(plain) for label, plain in row["scores"].items()})
            for row in found["results"]
        ]

    def stream(
        self,
        examples: Iterable[Example | Mapping[str, Any]],
        measures: str | Sequence[str] | None = None,
        *,
        evidence: bool = False,
    ) -> Iterator[StreamedScore]:
        """The scores of several summaries as they are ready, in any order.

        Args:
            examples: Examples, or dicts with the fields of one.
            measures: Specs of measures; the recommended ones if not given.
            evidence: Whether scores have the spans of text that they rest on.
        """
        check_arguments(Client.stream, locals())
        return self._lines(_request(examples, measures, evidence=evidence))

    def measures(self) -> list[dict[str, Any]]:
        """The measures that the server offers, with their settings."""
        found: list[dict[str, Any]] = self._call("GET", "/v1/measures")
        return found

    def compare(
        self,
        examples: Iterable[Example | Mapping[str, Any]],
        measures: str | Sequence[str] | None = None,
        *,
        alpha: float = 0.05,
        seed: int = 0,
    ) -> dict[str, Any]:
        """Which system is better by which measure, and whether that is significant.

        Args:
            examples: Summaries of several systems; those of one document share a `doc_id`.
            measures: Specs of measures; the recommended ones if not given.
            alpha: Significance level.
            seed: Seed of the random resampling.
        """
        check_arguments(Client.compare, locals())
        body = {**_request(examples, measures), "alpha": alpha, "seed": seed}
        found: dict[str, Any] = self._call("POST", "/v1/compare", body)
        return found

    def perturb(
        self,
        source: str | Sequence[str] = (),
        summary: str = "",
        *,
        kind: str = "subtle-errors",
        errors: int = 1,
        seed: int = 0,
    ) -> dict[str, Any]:
        """A summary that was made worse on purpose, and the changes.

        Args:
            source: The text that was summarised, or several.
            summary: The summary to damage.
            kind: Kind of damage, with its settings.
            errors: Number of errors.
            seed: Seed of the random choices.
        """
        check_arguments(Client.perturb, locals())
        text = source if isinstance(source, str) else list(source)
        body = {"source": text, "summary": summary, "kind": kind, "errors": errors, "seed": seed}
        found: dict[str, Any] = self._call("POST", "/v1/perturb", body)
        return found

    def _call(self, method: str, path: str, body: Any = None) -> Any:
        import httpx

        try:
            answer = self._http.request(method, path, json=body)
        except httpx.HTTPError as error:
            raise self._unreachable(error) from error
        _check(answer)
        return answer.json()

    def _lines(self, body: Any) -> Iterator[StreamedScore]:
        import httpx

        is_done = False
        try:
            with self._http.stream("POST", "/v1/score/stream", json=body) as answer:
                if answer.is_error:
                    answer.read()
                _check(answer)
                for line in answer.iter_lines():
                    plain = json.loads(line)
                    if "problem" in plain:
                        raise ServerError(plain["problem"], plain.get("hint", ""), status=200)
                    if "row" in plain:
                        score = _score(plain["score"])
                        yield StreamedScore(plain["row"], plain["measure"], score)
                    is_done = is_done or "done" in plain
        except (httpx.HTTPError, ValueError) as error:
            if isinstance(error, TricoloreError):
                raise
            raise self._unreachable(error) from error
        if not is_done:
            raise ServerError("the server has ended the stream before it was done")

    def _unreachable(self, error: Exception) -> ServerError:
        return ServerError(f"no answer from {self.url}: {error or type(error).__name__}")


def _request(
    examples: Iterable[Example | Mapping[str, Any]],
    measures: str | Sequence[str] | None,
    *,
    evidence: bool | None = None,
) -> dict[str, Any]:
    rows = [one.to_json() if isinstance(one, Example) else dict(one) for one in examples]
    for row in rows:
        row.pop("human", None)  # no measure reads human scores
    body: dict[str, Any] = {"examples": rows}
    if measures is not None:
        body["measures"] = [measures] if isinstance(measures, str) else list(measures)
    return body if evidence is None else {**body, "evidence": evidence}


def _score(plain: Mapping[str, Any]) -> Score:
    kept = ("value", "parts", "flags", "problem", "evidence")
    return Score.from_json({name: plain[name] for name in kept})


def _check(answer: httpx.Response) -> None:
    """Raise an error if the answer is one."""
    if not answer.is_error:
        return
    plain: Any = None
    with suppress(ValueError):
        plain = answer.json()
    if not isinstance(plain, dict) or "problem" not in plain:
        plain = {"problem": f"the server answered with status {answer.status_code}"}
    wait = answer.headers.get("retry-after", "")
    raise ServerError(
        plain["problem"],
        plain.get("hint", ""),
        argument=plain.get("argument", ""),
        status=answer.status_code,
        retry_after=float(wait) if wait.isdigit() else None,
    )

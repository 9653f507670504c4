"""The endpoints give what the library gives."""

from __future__ import annotations

import json
import math
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from conftest import FERRY, noted, wait_until

import tricolore
from tricolore import Example
from tricolore.report.painting import painted
from tricolore.score import Score

MEASURES = ["rouge-1:stem=true", "coverage", "importance", "length+novelty", "estime", "grounding"]
ROWS = [
    {**FERRY, "references": ["A ferry took 420 people to Skye."], "system": "a", "doc_id": "1"},
    {"source": ["It rained.", "Roads were wet."], "summary": "Roads are wet.", "system": "b"},
    {"source": "A dog barked at night.", "summary": ""},
]


def as_score(plain):
    kept = ("value", "parts", "flags", "problem", "evidence")
    return Score.from_json({key: plain[key] for key in kept})


def same(one, other):
    """Whether two scores are equal, where NaN equals NaN."""
    return one.to_json() == other.to_json()


@pytest.mark.slow
def test_scores_equal_those_of_the_library(server):
    body = {"examples": ROWS, "measures": MEASURES, "evidence": True}
    answer = server.post("/v1/score", body)
    assert answer.status_code == 200, answer.text
    plain = answer.json()
    assert [measure["label"] for measure in plain["measures"]] == MEASURES
    expected = tricolore.evaluate([Example(**row) for row in ROWS], MEASURES, evidence=True)
    signatures = [measure.signature() for measure in expected.measures]
    assert [m["signature"] for m in plain["measures"]] == json.loads(json.dumps(signatures))
    for row, result in zip(plain["results"], expected, strict=True):
        assert list(row["scores"]) == MEASURES
        for label, score in result.scores.items():
            given = dict(row["scores"][label])
            assert same(as_score(given), score), label
            assert given["painting"] == painted(result.example, label, score).to_json()
    assert plain["results"][0]["scores"]["grounding"]["evidence"]
    assert plain["results"][2]["scores"]["coverage"]["problem"] == "the summary is empty"


def test_without_evidence_there_is_no_painting(server):
    [row] = server.post("/v1/score", {"examples": [FERRY], "measures": ["coverage"]}).json()[
        "results"
    ]
    assert (row["scores"]["coverage"]["painting"], row["scores"]["coverage"]["evidence"]) == (
        None,
        [],
    )


def test_measures_that_are_left_out_are_the_recommended_ones(server):
    labels = [
        m["label"] for m in server.post("/v1/score", {"examples": [FERRY]}).json()["measures"]
    ]
    expected = [m.label for m in tricolore.evaluate([Example(**FERRY)]).measures]
    assert labels == expected
    plain = server.post("/v1/score", {"examples": [{"summary": "a", "references": "a"}]}).json()
    assert "rouge-1" in [m["label"] for m in plain["measures"]]


def test_a_corpus_is_that_of_the_request_if_it_is_large_enough(server):
    rows = [
        {"source": f"Report {n}: the {w} of town {n} was seen by {n} people.", "summary": f"A {w}."}
        for n, w in enumerate("cat dog fox owl elk hen pig cow bat ant bee yak".split())
    ]
    for some in (rows, rows[:3]):
        answer = server.post("/v1/score", {"examples": some, "measures": ["importance"]})
        run = tricolore.Run(["importance"])
        results = list(run.score([Example(**row) for row in some]))
        expected = [result.scores["importance"].value for result in results]
        given = server.values(answer)
        assert [math.nan if v is None else v for v in given] == pytest.approx(expected, nan_ok=True)
        [measure] = answer.json()["measures"]
        assert measure["signature"]["corpus"] == run.measures[0].signature()["corpus"]
    assert "background" in measure["signature"]["corpus"]


def test_a_stream_has_a_line_per_score(server):
    body = {"examples": ROWS, "measures": ["length", "coverage", "length+coverage"]}
    with server.http.stream("POST", "/v1/score/stream", json=body) as answer:
        assert answer.headers["content-type"] == "application/x-ndjson"
        first, *lines, last = [json.loads(line) for line in answer.iter_lines()]
    assert [m["label"] for m in first["measures"]] == body["measures"]
    assert last["done"] is True
    assert last["seconds"] > 0
    at_once = server.post("/v1/score", body).json()["results"]
    assert len(lines) == 9
    for line in lines:
        assert line["score"] == at_once[line["row"]]["scores"][line["measure"]]
    assert {(line["row"], line["measure"]) for line in lines} == {
        (row, label) for row in range(3) for label in body["measures"]
    }


def test_a_stream_sends_scores_before_all_are_ready(server, tmp_path):
    gate = tmp_path / "gate"
    body = {"examples": [FERRY], "measures": ["length", f"gated:gate={gate}"]}
    with server.http.stream("POST", "/v1/score/stream", json=body) as answer:
        lines = answer.iter_lines()
        next(lines)
        assert json.loads(next(lines))["measure"] == "length"
        gate.touch()
        assert json.loads(next(lines))["measure"] == f"gated:gate={gate}"


def test_a_problem_in_the_middle_of_a_stream_is_its_last_line(server, tmp_path, monkeypatch):
    body = {"examples": [FERRY], "measures": [f"gated:gate={tmp_path / 'never'}"]}
    from tricolore.errors import Unavailable

    with server.http.stream("POST", "/v1/score/stream", json=body) as answer:
        lines = answer.iter_lines()
        next(lines)
        [order] = server.server.service.scheduler._orders
        order.fail(Unavailable("the worker is gone"))
        assert json.loads(next(lines))["problem"] == "the worker is gone"
        assert list(lines) == []
    (tmp_path / "never").touch()


def test_measures_are_listed_with_their_settings(server):
    found = {measure["name"]: measure for measure in server.get("/v1/measures").json()}
    rouge = found["rouge-2"]
    assert rouge["needs"] == ["references"]
    assert {"name", "type", "default", "help", "choices"} == set(rouge["settings"][0])
    assert found["density"]["bounds"] == [0.0, None]
    assert found["grounding"]["is_recommended"]
    assert not found["blanc-help"]["is_recommended"]
    assert "mix" not in found, "needs a directory of this machine"
    assert "corpus" not in [s["name"] for s in found["importance"]["settings"]], "names a file"
    nli = found["nli"]
    assert nli["is_available"] or "is not installed" in nli["why_not"]


def test_systems_are_compared_as_by_the_library(server):
    rows = [
        {"source": f"a b c d {n}", "summary": s, "system": name, "doc_id": str(n)}
        for n in range(6)
        for name, s in (("copy", f"a b c {n}"), ("other", f"x y c {n}"))
    ]
    body = {"examples": rows, "measures": ["coverage", "length"], "seed": 3}
    plain = server.post("/v1/compare", body).json()
    scores = tricolore.evaluate([Example(**row) for row in rows], "coverage,length")
    expected = tricolore.compare(scores, seed=3)
    assert plain["answer"] == expected.answer
    assert plain["systems"] == ["copy", "other"]
    [coverage, _] = plain["pairs"]
    [pair] = expected.comparisons["coverage"]
    assert (coverage["difference"], coverage["low"], coverage["p"], coverage["corrected"]) == (
        pair.difference,
        pair.low,
        pair.p,
        pair.corrected,
    )
    assert [(r["system"], r["rank"]) for r in plain["ranks"] if r["measure"] == "coverage"] == [
        ("copy", 1),
        ("other", 2 if pair.significant() else 1),
    ]
    assert plain["table"] == json.loads(json.dumps(scores.systems.to_json()))


@pytest.mark.parametrize(
    ("systems", "status", "words"), [(["a", "a"], 422, "two systems"), (range(21), 413, "21")]
)
def test_too_few_and_too_many_systems(server, systems, status, words):
    rows = [{"summary": "a b", "system": str(s), "doc_id": "1"} for s in systems]
    answer = server.post("/v1/compare", {"examples": rows, "measures": ["length"]})
    assert answer.status_code == status
    assert words in answer.json()["problem"]


def test_systems_without_a_common_document(server):
    rows = [{"summary": "a b", "system": s, "doc_id": s} for s in "ab"]
    answer = server.post("/v1/compare", {"examples": rows, "measures": ["length"]})
    assert answer.status_code == 422
    assert "share no document" in answer.json()["problem"]


@pytest.mark.parametrize("kind", ["negation-swap", "number-swap", "sentence-shuffle"])
def test_damage_is_that_of_the_library(server, kind):
    clean = {
        "source": "The ferry carried 420 people on 3 May. It was 2 hours late.",
        "summary": "The ferry was not late. It carried 420 people. It was seen on 3 May.",
    }
    plain = server.post("/v1/perturb", {**clean, "kind": kind, "seed": 5}).json()
    [made] = tricolore.perturb([clean], kind, errors_per_summary=1, seed=5).damaged
    assert plain["summary"] == made.example.summary
    for change, edit in zip(plain["changes"], made.edits, strict=True):
        assert plain["summary"][change["start"] : change["end"]] == edit.change.replacement
        assert change["before"] == edit.original
        assert change["label"]


def test_damage_that_cannot_be_done(server):
    answer = server.post(
        "/v1/perturb", {"summary": "No digits.", "source": "x", "kind": "number-swap"}
    )
    assert answer.status_code == 422
    assert "number" in answer.json()["problem"]
    answer = server.post("/v1/perturb", {"summary": "x", "kind": "number-swop"})
    assert (answer.status_code, answer.json()["argument"]) == (422, "kind")
    assert "did you mean 'number-swap'?" in answer.json()["problem"]


def test_kinds_of_damage_are_listed(server):
    found = {one["kind"]: one for one in server.get("/v1/perturbations").json()}
    assert found["entity-swap"]["needs_source"]
    assert not found["truncation"]["is_counted"]
    assert found["subtle-errors"]["settings"][0]["name"] == "model"


@pytest.mark.parametrize(
    ("body", "status", "words", "argument"),
    [
        ({"measures": ["rogue-1"]}, 422, "did you mean", "measures"),
        ({"measures": ["rouge-1:stem=maybe"]}, 422, "must be true or false", "measures"),
        ({"measures": []}, 422, "no measure is named", "measures"),
        ({"measures": ["importance:corpus=/etc/passwd"]}, 422, "not allowed here", "measures"),
        ({"measures": ["estime:model=bert-base-cased"]}, 422, "not allowed here", "measures"),
        ({"measures": ["estime:model_revision=main"]}, 422, "not allowed here", "measures"),
        ({"measures": ["mix:directory=/etc"]}, 422, "not allowed here", "measures"),
        ({"measures": "length"}, 422, "measures: input should be a valid list", "measures"),
        ({"examples": []}, 422, "examples: list should have at least 1 item", "examples"),
        ({"examples": [{"source": "a"}]}, 422, "field required", "examples.0.summary"),
        ({"examples": [{"summary": 3}]}, 422, "valid string", "examples.0.summary"),
        ({"examples": [{"summary": "a", "x": 1}]}, 422, "extra inputs", "examples.0.x"),
        ({"examples": [{"summary": "a"}] * 257}, 413, "may have 256", "examples"),
        ({"examples": [{"summary": "a" * 1_000_001}]}, 413, "1,000,001 characters", "examples"),
        ({"measures": ["rouge-1"] * 2000}, 413, "10,000 characters", "measures"),
        ({"measures": [f"chrf:beta={n}" for n in range(1, 34)]}, 413, "33 measures", "measures"),
        (
            {"measures": ["+".join(f"{n}*chrf:beta={n}" for n in range(1, 34))]},
            413,
            "33",
            "measures",
        ),
    ],
)
def test_requests_that_cannot_be_done(server, body, status, words, argument):
    for path in ("/v1/score", "/v1/score/stream"):
        answer = server.post(path, {"examples": [FERRY], "measures": ["length"], **body})
        assert answer.status_code == status, answer.text[:200]
        plain = answer.json()
        assert set(plain) == {"problem", "hint", "argument"}
        assert words in plain["problem"]
        assert plain["argument"] == argument


def test_clients_at_the_same_time_each_get_their_own_scores(server):
    def ask(n):
        with httpx.Client(base_url=server.url, timeout=60) as http:
            example = {"source": f"word{n} " * 9, "summary": f"word{n} " * (1 + n % 7)}
            body = {"examples": [example], "measures": ["length", "coverage"]}
            [row] = http.post("/v1/score", json=body).json()["results"]
            return row["scores"]["length"]["value"], row["scores"]["coverage"]["value"]

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, range(64))) == [(1 + n % 7, 1.0) for n in range(64)]


def test_a_client_that_leaves_stops_work_that_has_not_begun(server, tmp_path):
    """The first batch is under way when the client leaves; nothing else of it is done."""
    gate, notes = tmp_path / "gate", tmp_path / "notes"
    scheduler = server.server.service.scheduler
    for path in ("/v1/score", "/v1/score/stream"):
        rows = [{"summary": f"s{n}"} for n in range(40)]
        body = {"examples": rows, "measures": [f"gated:gate={gate},noted={notes}"]}
        http = httpx.Client(base_url=server.url)
        leave = threading.Event()

        def ask(http=http, path=path, body=body, leave=leave):
            with http.stream("POST", path, json=body) as answer:
                for _ in answer.iter_lines():
                    leave.wait(30)
                    return

        def give_up(http=http, path=path, body=body):
            with pytest.raises(httpx.ReadTimeout):
                http.post(path, json=body, timeout=0.5)

        thread = threading.Thread(target=ask if path.endswith("stream") else give_up)
        thread.start()
        wait_until(lambda: len(noted(notes)) == 1)
        assert scheduler.waiting == 32
        leave.set()
        thread.join()
        http.close()
        wait_until(lambda: scheduler.waiting == 0)
        gate.touch()
        assert server.values(server.score("after")) == [1.0]
        assert len(noted(notes)) == 1
        gate.unlink()
        notes.unlink()


@pytest.mark.parametrize("small", [{"seconds": 1.5}], indirect=True)
def test_a_request_that_takes_too_long(small, tmp_path):
    gate = tmp_path / "gate"
    rows = [{"summary": f"s{n}"} for n in range(24)]
    answer = small.post("/v1/score", {"examples": rows, "measures": [f"gated:gate={gate}"]})
    assert answer.status_code == 504
    assert answer.json()["problem"] == "the request took longer than 1.5 s"
    gate.touch()
    wait_until(lambda: small.get("/readyz").status_code == 200)
    assert small.values(small.score("a b")) == [2.0]

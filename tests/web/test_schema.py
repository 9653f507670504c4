"""schemathesis asks for whatever the OpenAPI document allows, and for what it does not."""

from __future__ import annotations

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode, checks

pytestmark = pytest.mark.slow

OPERATIONS = [
    ("POST", "/v1/score"),
    ("POST", "/v1/score/stream"),
    ("POST", "/v1/compare"),
    ("POST", "/v1/perturb"),
    ("POST", "/v1/permalinks"),
    ("GET", "/v1/permalinks/{id}"),
    ("GET", "/v1/measures"),
    ("GET", "/v1/perturbations"),
    ("GET", "/healthz"),
    ("GET", "/readyz"),
    ("GET", "/metrics"),
    ("POST", "/v1/report"),
]
FEW = ("/v1/report",)
"""Answers that take a second each."""
CASES = [(*operation, GenerationMode.POSITIVE) for operation in OPERATIONS]
CASES += [(*operation, GenerationMode.NEGATIVE) for operation in OPERATIONS[:5]]
CHECKS = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
]


@pytest.fixture(scope="module")
def document(server):
    return server.get("/openapi.json").json()


def test_every_operation_is_asked(document):
    found = {(method.upper(), path) for path, of in document["paths"].items() for method in of}
    assert found == set(OPERATIONS)


@pytest.mark.parametrize(("method", "path", "mode"), CASES)
def test_no_request_makes_the_server_fail(server, document, method, path, mode):
    """No status of 500 or more, and every answer is of the form that the document shows."""
    operation = schemathesis.openapi.from_dict(document)[path][method]
    asked = []

    @settings(
        max_examples=50 if method == "POST" and path not in FEW else 10,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case):
        answer = case.call(base_url=server.url, timeout=320)
        asked.append(answer.status_code)
        case.validate_response(answer, checks=CHECKS)

    ask()
    assert asked
    if mode == GenerationMode.NEGATIVE:
        assert set(asked) <= {404, 405, 413, 415, 422}, set(asked)

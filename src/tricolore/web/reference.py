"""The page that documents the API, made from its OpenAPI document: no script, no other site."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from tricolore.report.pages import templates

_METHODS = ("get", "post", "put", "delete")


def reference_page(document: Mapping[str, Any]) -> str:
    """The page as HTML."""
    source = files("tricolore.web") / "reference.html.j2"
    template = templates().from_string(source.read_text(encoding="utf-8"))
    schemas = document.get("components", {}).get("schemas", {})
    return template.render(
        version=document["info"]["version"],
        operations=[
            _operation(path, method, one)
            for path, by_method in document["paths"].items()
            for method, one in by_method.items()
            if method in _METHODS
        ],
        types=[_type(name, schema) for name, schema in sorted(schemas.items())],
        names=set(schemas),
    )


def _operation(path: str, method: str, one: Mapping[str, Any]) -> dict[str, Any]:
    body = one.get("requestBody", {}).get("content", {}).get("application/json", {})
    return {
        "path": path,
        "method": method.upper(),
        "anchor": one["operationId"],
        "summary": one.get("summary", ""),
        "description": one.get("description", one.get("summary", "")),
        "body": type_words(body["schema"]) if body else "",
        "answers": [
            {
                "status": status,
                "schema": _answer_words(answer.get("content", {})),
                "description": answer["description"],
            }
            for status, answer in sorted(one["responses"].items())
        ],
    }


def _answer_words(content: Mapping[str, Any]) -> str:
    if not content:
        return ""
    kind, about = next(iter(content.items()))
    schema = about.get("schema", {})
    return type_words(schema) if kind == "application/json" and schema else kind


def _type(name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    required = schema.get("required", ())
    return {
        "name": name,
        "description": schema.get("description", ""),
        "fields": [
            {
                "name": key,
                "type": type_words(of),
                "default": "required" if key in required else json.dumps(of.get("default", "")),
                "description": of.get("description", ""),
            }
            for key, of in schema.get("properties", {}).items()
        ],
    }


def type_words(schema: Mapping[str, Any]) -> str:
    """A type in words.

    >>> type_words({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]})
    'string or list of string'
    """
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(map(type_words, schema["anyOf"]))
    if "enum" in schema:
        return " or ".join(json.dumps(value) for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {type_words(schema.get('items', {}))}"
    if schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {type_words(schema['additionalProperties'])}"
    return str(schema.get("type", "any value"))

"""The page that documents the API."""

import re

from tricolore.web.reference import reference_page, type_words

DOCUMENT = {
    "info": {"version": "1"},
    "paths": {
        "/v1/<b>": {
            "post": {
                "operationId": "do_it",
                "summary": "Do <i>it</i>",
                "requestBody": {
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/In"}}}
                },
                "responses": {"200": {"description": "Fine & good.", "content": {"text/x": {}}}},
            }
        }
    },
    "components": {
        "schemas": {
            "In": {
                "description": "What comes in.",
                "required": ["first"],
                "properties": {
                    "first": {"type": "string", "description": "The first."},
                    "second": {"type": "integer", "default": 3},
                },
            }
        }
    },
}


def test_all_of_the_document_is_there_as_text():
    page = reference_page(DOCUMENT)
    assert "POST /v1/&lt;b&gt;" in page
    assert "Do &lt;i&gt;it&lt;/i&gt;" in page
    assert "Fine &amp; good." in page
    assert '<a href="#In">In</a>' in page
    cells = re.sub(r"<[^>]+>", " ", page).split()
    assert cells[cells.index("first") :][:5] == ["first", "string", "required", "The", "first."]
    assert cells[cells.index("second") :][:3] == ["second", "integer", "3"]


def test_every_link_leads_somewhere(server):
    page = server.get("/docs").text
    ids = set(re.findall(r'id="([^"]+)"', page))
    links = re.findall(r'href="#([^"]+)"', page)
    assert len(links) > 20
    assert set(links) <= ids
    for link in re.findall(r'href="(/[^"]+)"', page):
        assert server.get(link).status_code == 200


def test_types_in_words():
    assert type_words({"type": "array", "items": {"$ref": "#/x/Row"}}) == "list of Row"
    assert type_words({"enum": ["a", None]}) == '"a" or null'
    number = {"anyOf": [{"type": "number"}, {"type": "null"}]}
    words = "object of number or null"
    assert type_words({"type": "object", "additionalProperties": number}) == words
    assert type_words({}) == "any value"

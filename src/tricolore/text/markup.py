"""What a text has for its layout and not for its content: list marks, headings, labels.

Language models write summaries in Markdown and begin them with "Here is a summary:". Such text
states nothing that a source could support.
"""

from __future__ import annotations

import re

from tricolore.memo import remembered

_BOLD = r"(?:\*\*|__)"
_LAYOUT = re.compile(
    rf"""
      ^[ \t]*\#{{1,6}}[ \t].*$                                   # a heading
    | ^[ \t]*{_BOLD}[^*_\n]{{1,80}}{_BOLD}[ \t]*:?[ \t]*$        # a line in bold
    | ^[ \t]*(?:[-*•–]|\d{{1,3}}[.)])[ \t]+                      # the mark of a list item, and
      (?:{_BOLD}[^*_\n]{{1,60}}(?::{_BOLD}|{_BOLD}[ \t]*:))?     # a label in bold after it
    | ^[ \t]*{_BOLD}[^*_\n]{{1,60}}(?::{_BOLD}|{_BOLD}[ \t]*:)   # a label in bold
    """,
    re.MULTILINE | re.VERBOSE,
)
_PREAMBLE = re.compile(
    r"\s*(?:(?:sure|certainly|of course|okay|ok)[,!.]?\s+)?"
    r"(?:here(?:['’]s|\s+is|\s+are)|below\s+is|the\s+following\s+is)\b[^\n.!?]{0,100}"
    r"\b(?:summary|summaries|overview|points|takeaways)\b[^\n.!?]{0,80}:",
    re.IGNORECASE,
)


@remembered
def layout_spans(text: str) -> tuple[tuple[int, int], ...]:
    """The spans of a text that are layout, in order.

    >>> text = "Here is a summary:\\n## Jobs\\n1. **Scale:** The firm cuts 420 jobs."
    >>> [text[start:end] for start, end in layout_spans(text)]
    ['Here is a summary:', '## Jobs', '1. **Scale:**']
    """
    preamble = _PREAMBLE.match(text)
    found = [preamble.span()] if preamble else []
    found += [match.span() for match in _LAYOUT.finditer(text, found[0][1] if found else 0)]
    return tuple(found)

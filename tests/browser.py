"""Pages in a real browser: Debian's chromium, driven by Playwright."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 375, "height": 812}
_OWN = ("file:", "data:", "blob:", "about:")
"""Addresses that need no network."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """A running chromium; the test is skipped where it is not installed."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip("chromium is not installed: apt-get install chromium")
    sync_api = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: pip install 'tricolore[dev]'"
    )
    with sync_api.sync_playwright() as playwright:
        # No sandbox: tests may run as root, and open only what they have made.
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class PageWatch:
    """What a page has asked for and complained about."""

    page: Page
    errors: list[str] = field(default_factory=list)
    """Errors and warnings of the console, and exceptions of scripts."""
    requests: list[str] = field(default_factory=list)
    """The addresses that were asked for, except files and data inside the page."""

    def __post_init__(self) -> None:
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", self._request)

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(message.text)

    def _request(self, request: Any) -> None:
        if not request.url.startswith(_OWN):
            self.requests.append(request.url)


class Pages:
    """Opens pages in contexts of their own: a size, a colour scheme, with scripts or without."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self._contexts: list[BrowserContext] = []

    def open(
        self,
        address: str,
        *,
        viewport: Any = None,
        scheme: str = "light",
        javascript: bool = True,
        touch: bool = False,
    ) -> PageWatch:
        """Open an address, and watch the page."""
        context = self.browser.new_context(
            viewport=viewport or DESKTOP,
            color_scheme=scheme,
            java_script_enabled=javascript,
            has_touch=touch,
            reduced_motion="reduce",
        )
        self._contexts.append(context)
        watch = PageWatch(context.new_page())
        watch.page.goto(address)
        return watch

    def close(self) -> None:
        """Close all pages."""
        for context in self._contexts:
            context.close()


def serious_problems(page: Page) -> list[str]:
    """What axe-core finds that is serious or critical: the rule and the first element."""
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright",
        reason="axe-playwright-python is not installed: pip install 'tricolore[dev]'",
    )
    found = axe.Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {one['help']}: {one['nodes'][0]['html'][:200]} "
        f"{one['nodes'][0].get('failureSummary', '')}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


def scrolls_sideways(page: Page) -> bool:
    """Whether the page is wider than the screen."""
    wide: bool = page.evaluate(
        "document.scrollingElement.scrollWidth > document.scrollingElement.clientWidth"
    )
    return wide

"""SIGTERM and SIGHUP stop a command as Ctrl-C does: what is done stays done."""

from __future__ import annotations

import signal
from types import FrameType

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")


class Stopping:
    """Turns signals into KeyboardInterrupt, and remembers which one came.

    A second signal ends the program at once, whatever it is doing. Signals that are ignored, as
    SIGHUP is under nohup, stay ignored.
    """

    def __init__(self) -> None:
        self.received = 0
        numbers = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
        self._numbers = [n for n in numbers if signal.getsignal(n) is not signal.SIG_IGN]
        for number in self._numbers:
            signal.signal(number, self._stop)

    @property
    def exit_code(self) -> int:
        """The exit code of a command that a signal has stopped, as shells write it; else 0."""
        return 128 + self.received if self.received else 0

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self.received = number
        for each in self._numbers:
            signal.signal(each, signal.SIG_DFL)
        raise KeyboardInterrupt

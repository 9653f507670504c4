"""`os._exit` within a command; tests/cli/test_stopping.py has plugins that call it."""

import os

import pytest

from tricolore.cli.early_exit import early_exit_line, no_early_exit


def test_it_raises_within_the_block_only():
    before = os._exit
    with no_early_exit(), pytest.raises(SystemExit) as caught:
        os._exit(0)
    assert caught.value.code == 0
    assert os._exit is before
    line = early_exit_line(caught.value)
    assert line == "test_early_exit.py ended the program before the command was done"


def test_a_forked_process_may_end():
    with no_early_exit():
        child = os.fork()
        if not child:
            os._exit(7)
        _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 7

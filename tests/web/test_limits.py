"""Limits that follow from others."""

from tricolore.web.limits import Limits


def test_a_batch_may_hang_twice_within_the_time_of_a_request():
    limits = Limits(seconds=30)
    assert limits.batch_seconds == 10
    assert 2 * limits.batch_seconds < limits.seconds

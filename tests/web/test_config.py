"""What is safe to start."""

import pytest

from tricolore.errors import TricoloreError
from tricolore.web.config import ServerConfig, in_header, is_loopback

TOKEN = "0123456789abcdef"


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org", "2001:db8::1"])
def test_other_machines_need_a_token(host):
    with pytest.raises(TricoloreError, match="needs a token") as caught:
        ServerConfig(host=host)
    assert caught.value.argument == "token"
    assert ServerConfig(host=host, token=TOKEN).host == host


@pytest.mark.parametrize("host", ["127.0.0.1", "127.3.2.1", "::1", "localhost"])
def test_loopback_does_not(host):
    assert is_loopback(host)
    assert ServerConfig(host=host).token == ""


@pytest.mark.parametrize("token", ["short", "with a blank in the middle", "nöt-ascii-but-long"])
def test_tokens_that_are_refused(token):
    with pytest.raises(TricoloreError, match="token") as caught:
        ServerConfig(token=token)
    assert token not in str(caught.value)


def test_the_token_is_not_shown():
    assert TOKEN not in repr(ServerConfig(token=TOKEN))


def test_the_names_of_a_server():
    own = ServerConfig(host="192.168.1.5", token=TOKEN, hosts=["Summaries.Example", "fe80::1"])
    assert {"192.168.1.5", "summaries.example", "[fe80::1]", "localhost"} <= own.allowed_hosts
    anywhere = ServerConfig(host="0.0.0.0", token=TOKEN)
    assert "0.0.0.0" not in anywhere.allowed_hosts
    assert in_header("::1") == "[::1]"


def test_requests_never_download_anything():
    assert ServerConfig().placement.offline

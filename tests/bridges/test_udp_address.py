"""Addresses: what is read, what is refused, what counts as this machine."""

from __future__ import annotations

import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensorium.bridges.udp_address import UdpAddress
from sensorium.core.errors import ConfigurationError, WireError


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("127.0.0.1:9000", "127.0.0.1", 9000),
        (" localhost:0 ", "localhost", 0),
        ("[::1]:65535", "::1", 65535),
        ("[2001:db8::7]:80", "2001:db8::7", 80),
        ("my-pc.example.org:5000", "my-pc.example.org", 5000),
    ],
)
def test_addresses_are_read_and_written(text: str, host: str, port: int) -> None:
    """IPv4, IPv6 in brackets and names; the text form reads back."""
    address = UdpAddress.parse(text)
    assert (address.host, address.port) == (host, port)
    assert UdpAddress.parse(str(address)) == address


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("127.0.0.1", "write HOST:PORT"),
        (":9000", "write HOST:PORT"),
        ("", "write HOST:PORT"),
        ("127.0.0.1:", "'' in '127.0.0.1:' is not a port"),
        ("127.0.0.1:65536", "0 to 65535"),
        ("127.0.0.1:-1", "0 to 65535"),
        ("127.0.0.1:9_0", "0 to 65535"),
        ("127.0.0.1:" + "9" * 5000, "0 to 65535"),
        ("::1:9000", r"IPv6 in brackets, for example \[::1\]:9000"),
        ("[::1:9000", "IPv6 in brackets"),
        ("[::g]:1", "not an IPv6 address"),
        ("[127.0.0.1]:1", "not an IPv6 address"),
        ("127.0.0.256:1", "not an IPv4 address"),
        ("127.1:1", "not an IPv4 address"),
    ],
)
def test_wrong_addresses(text: str, message: str) -> None:
    """Each mistake is told by itself, with what is right."""
    with pytest.raises(ConfigurationError, match=message):
        UdpAddress.parse(text)


@given(st.text(max_size=30))
def test_any_text_is_an_address_or_an_error(text: str) -> None:
    """No text makes anything but an address that reads back or an error of ours."""
    try:
        address = UdpAddress.parse(text)
    except ConfigurationError:
        return
    assert UdpAddress.parse(str(address)) == address


@pytest.mark.parametrize("text", ["127.0.0.1:1", "127.9.9.9:1", "[::1]:1", "localhost:1", "[::ffff:127.0.0.1]:1"])
def test_this_machine(text: str) -> None:
    """127.0.0.0/8, ::1 and names of them are this machine."""
    family, address = UdpAddress.parse(text).resolved(allow_remote=False)
    assert address.is_loopback
    assert family in (socket.AF_INET, socket.AF_INET6)


@pytest.mark.parametrize("text", ["0.0.0.0:1", "[::]:1", "192.0.2.1:1", "[2001:db8::1]:1", "[::ffff:192.0.2.1]:1"])
def test_other_machines_need_permission(text: str) -> None:
    """All interfaces and other machines are refused, with the name of the option that allows them."""
    address = UdpAddress.parse(text)
    with pytest.raises(WireError, match=r"allow_remote=True \(--allow-remote\)"):
        address.resolved(allow_remote=False)
    assert address.resolved(allow_remote=True)[1].host == address.host


def test_unknown_hosts() -> None:
    """A host that cannot be found is named; so is one that no name server could know."""
    for host in ("no-such-host.invalid", "a" * 300):
        with pytest.raises(WireError, match=host[:10]):
            UdpAddress(host, 1).resolved(allow_remote=False)

"""Addresses of UDP sockets: written as HOST:PORT, kept on this machine unless told otherwise."""

from __future__ import annotations

import ipaddress
import re
import socket
from dataclasses import dataclass

from sensorium.core.errors import ConfigurationError, WireError

_NUMBERS, _PORT = re.compile(r"[0-9.]+"), re.compile(r"[0-9]{1,5}")


@dataclass(frozen=True)
class UdpAddress:
    """A host (name, IPv4 or IPv6) and a port; port 0 lets the system choose one when a socket is bound."""

    host: str
    port: int

    @classmethod
    def parse(cls, text: str) -> UdpAddress:
        """Read "127.0.0.1:9000", "localhost:9000" or "[::1]:9000"."""
        host, colon, port = text.strip().rpartition(":")
        if not colon or not host:
            raise ConfigurationError(f"'{text}' is not an address; write HOST:PORT, for example 127.0.0.1:9000")
        if not (_PORT.fullmatch(port) and int(port) <= 65535):
            raise ConfigurationError(f"'{port}' in '{text}' is not a port; it must be a whole number of 0 to 65535")
        bracketed = host.startswith("[") and host.endswith("]")
        if ":" in host and not bracketed:
            raise ConfigurationError(f"'{text}' is not an address; write IPv6 in brackets, for example [::1]:9000")
        host = host.removeprefix("[").removesuffix("]") if bracketed else host
        if bracketed and not _is_ip(host, 6):
            raise ConfigurationError(f"'{host}' in '{text}' is not an IPv6 address")
        if _NUMBERS.fullmatch(host) and not _is_ip(host, 4):
            raise ConfigurationError(f"'{host}' in '{text}' is not an IPv4 address; it has four numbers of 0 to 255")
        return cls(host, int(port))

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def resolved(self, allow_remote: bool) -> tuple[socket.AddressFamily, UdpAddress]:
        """Return the family and the address in numbers; refuses one off this machine unless `allow_remote`.

        A name with several addresses gives its first, IPv4 before IPv6.
        """
        try:
            found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_DGRAM)
        except (OSError, UnicodeError) as error:
            raise WireError(f"'{self.host}' is not the name of a host that this machine can find: {error}") from None
        family, *_, place = min(found, key=lambda entry: entry[0] != socket.AF_INET)
        numbers = UdpAddress(str(place[0]), self.port)
        if not (allow_remote or numbers.is_loopback):
            raise WireError(
                f"{self} is not on this machine's loopback; data would cross the network unprotected. "
                "Use 127.0.0.1 or [::1], or pass allow_remote=True (--allow-remote) if that is meant"
            )
        return family, numbers

    @property
    def is_loopback(self) -> bool:
        """Whether an address in numbers stays on this machine."""
        place = ipaddress.ip_address(self.host.partition("%")[0])
        mapped = getattr(place, "ipv4_mapped", None)
        return bool((mapped or place).is_loopback)


def _is_ip(host: str, version: int) -> bool:
    try:
        return ipaddress.ip_address(host).version == version
    except ValueError:
        return False

"""Surrogates of the addresses of machines."""

import re
from collections.abc import Iterator
from ipaddress import AddressValueError, IPv4Network, IPv6Address

from ..core.scope import Scope
from .codes import Codes, get_characters, write_into

# Set aside for documentation (RFC 5737, RFC 3849, RFC 7042).
NETWORKS = ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24")
HOSTS = [str(host) for network in NETWORKS for host in IPv4Network(network).hosts()]
NETWORK_6 = int(IPv6Address("2001:db8::"))
FREE_BITS = 64
MACS = ("00005E0053", "01005E9010")


ADDRESS = re.compile(
    r"(?P<v4>(?:\d{1,3}\.){3}\d{1,3})(?P<port>:\d+)?|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}",
    re.IGNORECASE,
)
MAC = re.compile(r"(?<![^\W_])[0-9a-f]{2}(?:[:. -]{0,3}[0-9a-f]{2}){5}(?![^\W_])", re.IGNORECASE)


class IpAddresses(Codes):
    """Replaces addresses of the internet protocol by those set aside for documentation. A port stays."""

    def read(self, text: str) -> str:
        match = ADDRESS.search(text)
        if match is None or match["v4"]:
            return match["v4"] if match else text.strip().lower()
        try:
            return IPv6Address(match[0]).compressed
        except AddressValueError:
            return match[0].lower()

    def draw(self, core: str, scope: Scope) -> Iterator[str]:
        if ":" not in core:
            start = scope.number(len(HOSTS), "ip", core)
            yield from (HOSTS[i] for i in (start, *scope.cycle(len(HOSTS), start, "ip")))
            return
        start = scope.number(1 << FREE_BITS, "ip", core)
        for host in scope.cycle(1 << FREE_BITS, start, "ip"):
            yield IPv6Address(NETWORK_6 + host).compressed

    def write(self, text: str, core: str, new: str) -> str:
        match = ADDRESS.search(text)
        port = (match["port"] or "") if match else ""
        return (new.upper() if text.isupper() else new) + port


class MacAddresses(Codes):
    """Replaces the addresses of network cards by the 512 set aside for documentation:
    00-00-5E-00-53-00 and on."""

    def read(self, text: str) -> str:
        match = MAC.search(text)
        return get_characters(match[0] if match else text)

    def draw(self, core: str, scope: Scope) -> Iterator[str]:
        start = scope.number(256, "mac", core)
        for head in MACS:
            yield from (f"{head}{i:02X}" for i in (start, *scope.cycle(256, start, "mac")))

    def write(self, text: str, core: str, new: str) -> str:
        match = MAC.search(text)
        if match is None:
            return new
        written = write_into(match[0].upper(), new)
        return written.lower() if any(map(str.islower, match[0])) else written

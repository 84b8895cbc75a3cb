"""The address of a client behind reverse proxies."""

import pytest

from channels.proxies import TrustedProxies, is_private
from rag.settings import Settings


@pytest.mark.parametrize(
    ("peer", "forwarded", "proxies", "address"),
    [
        ("198.51.100.1", "", "", "198.51.100.1"),
        ("198.51.100.1", "203.0.113.9", "", "198.51.100.1"),
        ("198.51.100.1", "203.0.113.9", "10.0.0.1", "198.51.100.1"),
        ("127.0.0.1", "203.0.113.9", "", "203.0.113.9"),
        ("127.0.0.1", "6.6.6.6, 203.0.113.9", "", "203.0.113.9"),
        ("127.0.0.1", "6.6.6.6, 127.0.0.1, 203.0.113.9", "", "203.0.113.9"),
        ("127.0.0.1", "6.6.6.6,203.0.113.9 , 10.0.0.1", "", "10.0.0.1"),
        ("127.0.0.1", "6.6.6.6,203.0.113.9 , 10.0.0.1", "10.0.0.0/8", "203.0.113.9"),
        ("10.0.0.7", "6.6.6.6, 203.0.113.9", "10.0.0.0/8, 192.0.2.1", "203.0.113.9"),
        ("127.0.0.1", "10.0.0.1, 10.0.0.2", "10.0.0.0/8", "10.0.0.1"),
        ("127.0.0.1", "", "", "127.0.0.1"),
        ("127.0.0.1", " , ", "", "127.0.0.1"),
        ("127.0.0.1", "<script>", "", "127.0.0.1"),
        ("127.0.0.1", "203.0.113.9, unknown", "", "127.0.0.1"),
        ("::1", "203.0.113.9", "", "203.0.113.9"),
        ("::ffff:127.0.0.1", "203.0.113.9", "", "203.0.113.9"),
        ("2001:db8:1:2:aaaa::1", "", "", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:bbbb::2", "", "", "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.9", "", "", "203.0.113.9"),
        ("", "", "", ""),
    ],
)
def test_an_address_is_what_our_own_proxies_have_seen(peer, forwarded, proxies, address):
    trusted = TrustedProxies(Settings(trusted_proxies=proxies).proxy_networks)

    assert trusted.client(peer, forwarded) == address


@pytest.mark.parametrize("wrong", ["1", "nginx", "10.0.0.0/99", "10.0.0.1;10.0.0.2"])
def test_a_proxy_that_is_no_address_is_told(wrong):
    with pytest.raises(ValueError, match="trusted_proxies"):
        Settings(trusted_proxies=wrong)


@pytest.mark.parametrize(
    ("address", "private"),
    [
        ("127.0.0.1", True),
        ("192.168.1.5", True),
        ("::1", True),
        ("::ffff:10.0.0.1", True),
        ("8.8.8.8", False),
        ("::ffff:8.8.8.8", False),
        ("x", False),
    ],
)
def test_private_addresses(address, private):
    assert is_private(address) is private

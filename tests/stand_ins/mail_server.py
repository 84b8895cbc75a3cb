"""A mail server on a free loopback port (aiosmtpd), with a certificate of its own and one account."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from reserved_ports import reserve_port

USER, PASSWORD = "covan", "mat-khau-thu"


@dataclass
class MailServer:
    """Takes mails of its one account, but none for the addresses in `unknown`."""

    host: str = "127.0.0.1"
    port: int = 0
    certificate: Path = Path()
    mails: list[EmailMessage] = field(default_factory=list)
    encrypted: list[bool] = field(default_factory=list)
    unknown: set[str] = field(default_factory=set)

    async def handle_RCPT(  # noqa: N802
        self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any
    ) -> str:
        if address in self.unknown:
            return "550 no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        message = message_from_bytes(envelope.content, policy=default)
        assert isinstance(message, EmailMessage)
        self.mails.append(message)
        self.encrypted.append(session.ssl is not None)
        return "250 OK"


@contextmanager
def mail_server(folder: Path) -> Iterator[tuple[MailServer, ssl.SSLContext]]:
    """Serve; yields the server, and the context of a client that trusts it. It takes STARTTLS, then the password."""
    certificate = _certificate(folder)
    own = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    own.load_cert_chain(certificate)
    server = MailServer(certificate=certificate)
    controller = Controller(
        server,
        hostname=server.host,
        port=reserve_port(),
        tls_context=own,
        require_starttls=True,
        auth_required=True,
        auth_require_tls=True,
        authenticator=_authenticated,
    )
    controller.start()
    try:
        server.port = controller.port
        yield server, ssl.create_default_context(cafile=str(certificate))
    finally:
        controller.stop()


def _authenticated(_server: Any, _session: Any, _envelope: Any, _mechanism: str, given: Any) -> AuthResult:
    right = isinstance(given, LoginPassword) and given == LoginPassword(USER.encode(), PASSWORD.encode())
    return AuthResult(success=right, handled=False)


def _certificate(folder: Path) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / "mail.pem"
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + made.public_bytes(serialization.Encoding.PEM)
    )
    return path

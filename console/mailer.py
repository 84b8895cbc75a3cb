"""Sending mails over SMTP (RFC 5321), encrypted unless the settings say otherwise."""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from typing import Literal

from rag.errors import CovanError

TIMEOUT_S = 20.0


class MailError(CovanError):
    """A mail could not be handed over; the message is the mail server's, without the password."""


@dataclass(frozen=True)
class Mailer:
    """Hands mails over to one mail server. `context` is of the encryption; None: certificates as the system trusts."""

    host: str
    port: int
    tls: Literal["starttls", "tls", "none"]
    sender: str
    user: str = ""
    password: str = field(default="", repr=False)
    context: ssl.SSLContext | None = None

    def send(self, subject: str, texts: Mapping[str, str]) -> Mapping[str, str]:
        """Send each address its text; return why each address that was refused was.

        Raises MailError when the mail server cannot be used at all.
        """
        refused = {}
        try:
            with self._connected() as server:
                for address, text in texts.items():
                    try:
                        server.send_message(self._message(subject, address, text))
                    except smtplib.SMTPResponseException as error:
                        refused[address] = f"{error.smtp_code}"
                    except smtplib.SMTPRecipientsRefused as error:
                        refused[address] = f"{next(iter(error.recipients.values()))[0]}"
        except (OSError, smtplib.SMTPException) as error:
            raise MailError(f"{self.host}:{self.port}: {_told(error)}") from error
        return refused

    def _connected(self) -> smtplib.SMTP:
        context = self.context or ssl.create_default_context()
        if self.tls == "tls":
            server: smtplib.SMTP = smtplib.SMTP_SSL(self.host, self.port, timeout=TIMEOUT_S, context=context)
        else:
            server = smtplib.SMTP(self.host, self.port, timeout=TIMEOUT_S)
        try:
            if self.tls == "starttls":
                server.starttls(context=context)
            if self.user:
                server.login(self.user, self.password)
        except BaseException:
            server.close()
            raise
        return server

    def _message(self, subject: str, address: str, text: str) -> EmailMessage:
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self.sender, address, subject
        message["Date"], message["Message-ID"] = formatdate(localtime=True), make_msgid("covan")
        # No answer of an absence assistant (RFC 3834).
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(text)
        return message


def _told(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        # The code alone: the text of a refused log-in may repeat what was sent.
        return f"{type(error).__name__} {error.smtp_code}"
    return f"{type(error).__name__}: {error}"

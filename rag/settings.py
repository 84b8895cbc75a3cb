"""The one place where settings are read: environment variables `COVAN_...`, or a `.env` file."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal, Self, TypeAlias
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from rag.errors import SettingsError
from rag.messages import DEFAULT, languages
from rag.store_address import with_encoded_password

Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network

_LOOPBACK = (ipaddress.ip_network("127.0.0.0/8"), ipaddress.ip_network("::1"))


def http_address(value: str, example: str = "https://api.openai.com/v1") -> str:
    """Return `value` when it is empty or the whole address of a server. Raises ValueError with an example."""
    if value and (urlsplit(value).scheme not in ("http", "https") or not urlsplit(value).hostname):
        raise ValueError(f"write the whole address, as {example}")
    return value


class Settings(BaseSettings):
    """Every setting has a default that works on a laptop with no network."""

    model_config = SettingsConfigDict(env_prefix="COVAN_", env_file=".env", extra="ignore", frozen=True)

    knowledge_dir: Path = Path("knowledge")
    """The folder with what the bot may say."""
    state_dir: Path = Path(".covan")
    """Where indexes, conversations and logs are kept."""
    preset: str = "covan"
    """The pipeline: a name in rag/presets, or the path of a YAML file."""
    embedder: str = "e5"
    """What makes vectors of text: e5, or sentence-transformers:NAME_OR_PATH (make transformers)."""
    session_hours: float = Field(12, ge=0)
    """Hours of silence after which a conversation begins anew, with the profile kept; 0: never."""
    retention_days: float = Field(180, ge=0)
    """Days for which what is said is kept, in the channels' and Rasa's stores, and logs put aside;
    0: for ever."""
    graph_store: str = "ladybug"
    """Where the knowledge graph of an index is kept: ladybug, a file inside the index, or neo4j, a server."""
    neo4j_url: str = "neo4j://127.0.0.1:7687"
    """The server of `graph_store` neo4j."""
    neo4j_user: str = ""
    """The name to log in with; empty: the server asks for none."""
    neo4j_password: SecretStr = SecretStr("")
    """The password of that name."""
    neo4j_database: str = ""
    """The database on the server; empty: its default one."""
    locale: str = "vi"
    """The language of messages to students and of faults in the knowledge folder: vi or en."""
    host: str = "127.0.0.1"
    """The address the front door listens on; Rasa and actions stay on loopback."""
    rasa_port: int = Field(5005, ge=1, le=65535)
    """Port of the Rasa server."""
    actions_port: int = Field(5055, ge=1, le=65535)
    """Port of the action server."""
    page_port: int = Field(8000, ge=1, le=65535)
    """Port of the front door: the page with the chat, and the channels' webhooks."""
    console_port: int = Field(8080, ge=1, le=65535)
    """Port of the advisors' console, on the same address as the front door."""
    console_db: str = ""
    """Where the console keeps accounts and its own notes, as an SQLAlchemy address; empty: console.sqlite in
    the state folder."""
    console_https: bool = False
    """Whether advisors reach the console through HTTPS only: its cookies are then sent over nothing else."""
    console_url: str = ""
    """The address under which advisors reach the console, as https://covan.example.edu.vn; links in mails
    lead there."""
    smtp_host: str = ""
    """The mail server that tells advisors of students who wait; empty: no mails."""
    smtp_port: int = Field(587, ge=1, le=65535)
    """The mail server's port; 465 for `smtp_tls` tls."""
    smtp_tls: Literal["starttls", "tls", "none"] = "starttls"
    """How the connection is encrypted: from STARTTLS on, from the beginning, or not at all."""
    smtp_user: str = ""
    """The name to log in with; empty: the mail server asks for none."""
    smtp_password: SecretStr = SecretStr("")
    """The password of that name."""
    smtp_from: str = ""
    """The sender of the mails, as covan@example.edu.vn."""
    mail_after_minutes: float = Field(10, ge=1)
    """Minutes that a student waits for an advisor before mails are sent."""
    openid_issuer: str = ""
    """The school's OpenID Connect provider, as https://login.example.edu.vn/realms/school; empty: people
    sign in to the console with passwords only."""
    openid_client_id: str = ""
    """The console's id at that provider."""
    openid_client_secret: SecretStr = SecretStr("")
    """The secret of that id; empty: a public client."""
    openid_name: str = ""
    """What the button is called that signs in so; empty: the school's account."""
    openid_trust_mail: bool = False
    """Whether mail addresses are believed that the provider does not call verified."""
    rasa_urls: str = ""
    """Addresses of several Rasa processes, as http://127.0.0.1:5005, with commas between; empty: there
    is one, at rasa_port."""
    internal_token: SecretStr = SecretStr("")
    """What the front door shows to Rasa, which has no other way in; empty: `covan up` makes one."""

    # --- the language model (docs/mo-hinh-ngon-ngu.md) ------------------------------------------------------------
    llm_url: str = ""
    """The address of a server of the OpenAI protocol, as https://api.openai.com/v1 or
    http://127.0.0.1:11434/v1; empty: no model is used."""
    llm_model: str = ""
    """The model's name on that server."""
    llm_key: SecretStr = SecretStr("")
    """The server's key; empty: it asks for none."""
    llm_timeout_s: float = Field(20, gt=0, le=45)
    """Seconds for all calls of one message; after them the student gets the extract. A turn may take a minute."""
    llm_temperature: float = Field(0, ge=0, le=2)
    """How freely the model words its answers; 0: always the likeliest words."""
    llm_sources: str = "document study"
    """Which answers the model may write, with blanks between: document (it words extracts), study (it summarizes
    chapters of study materials and adds exercises); empty: none. All other answers stay as they are."""
    llm_fallback: bool = False
    """Whether the model answers alone, with a warning, when nothing published answers (as URAG does)."""
    llm_daily_tokens: int = Field(2_000_000, ge=0)
    """The most tokens of a day (UTC); 0: no limit."""
    llm_daily_cost: float = Field(0, ge=0)
    """The most money of a day, in the currency of the prices; 0: no limit."""
    llm_prompt_price: float = Field(0, ge=0)
    """The price of a million tokens that are sent."""
    llm_completion_price: float = Field(0, ge=0)
    """The price of a million tokens that the model writes."""
    mcp_token: SecretStr = SecretStr("")
    """The token that agents show to `covan mcp` over HTTP; without it, only stdio is served."""

    # --- the channels (docs/kenh-*.md) ----------------------------------------------------------------------------
    channels_db: str = ""
    """Where what the channels receive and send is kept, as an SQLAlchemy address; empty: channels.sqlite in
    the state folder."""
    redis_url: str = ""
    """Redis, when several front doors serve the website; empty: there is one."""
    tracker_db: str = ""
    """Where Rasa keeps the conversations, as an SQLAlchemy address; empty: tracker.sqlite in the
    state folder."""
    locks_url: str = ""
    """Redis, where several Rasa processes lock a conversation; empty: there is one process."""
    public_url: str = ""
    """The https address under which Telegram, Facebook and Zalo reach this machine."""
    advisor_token: SecretStr = SecretStr("")
    """What the advisors' pages and commands show to the front door; empty: `covan up` makes one."""
    web_secret: SecretStr = SecretStr("")
    """Signs the sessions of the website's chat; empty: `covan up` makes one."""
    web_origins: str = ""
    """Websites that may hold the chat, as https://www.example.edu.vn, with commas between."""
    trusted_proxies: str = ""
    """Addresses or networks of the reverse proxies whose X-Forwarded-For is believed, as 10.0.0.5, with
    commas between; one on this machine always is."""
    consent_url: str = ""
    """The school's page on what the chat keeps; linked from the chat."""
    telegram_token: SecretStr = SecretStr("")
    """The bot's token, from @BotFather."""
    telegram_secret: SecretStr = SecretStr("")
    """What Telegram shows with each update: 16-256 letters, digits, _ or -."""
    telegram_updates: Literal["webhook", "polling"] = "webhook"
    """`polling` is for a machine that Telegram cannot reach."""
    telegram_api_url: str = "https://api.telegram.org"
    """The Bot API."""
    messenger_token: SecretStr = SecretStr("")
    """The page's access token."""
    messenger_app_secret: SecretStr = SecretStr("")
    """The app's secret: signs what Facebook sends."""
    messenger_verify_token: SecretStr = SecretStr("")
    """What Facebook shows when the webhook is set up; choose any."""
    messenger_api_url: str = "https://graph.facebook.com"
    """The Graph API."""
    zalo_app_id: str = ""
    """The number of the app that the Zalo OA is linked with."""
    zalo_app_secret: SecretStr = SecretStr("")
    """The app's secret key: renews the access token."""
    zalo_oa_secret: SecretStr = SecretStr("")
    """The OA's secret key, from the app's webhook page: signs what Zalo sends."""
    zalo_refresh_token: SecretStr = SecretStr("")
    """A refresh token to begin with, used once; empty: `covan channel zalo` gets one."""
    zalo_api_url: str = "https://openapi.zalo.me"
    """The OA API."""
    zalo_oauth_url: str = "https://oauth.zaloapp.com"
    """Where Zalo's tokens are renewed."""

    @property
    def language(self) -> str:
        """The language of messages about the knowledge folder: `locale`, or English when it has no messages."""
        return self.locale if self.locale in languages() else DEFAULT

    @property
    def index_dir(self) -> Path:
        return self.state_dir / "index"

    @property
    def channels_database(self) -> str:
        """The SQLAlchemy address of the channels' database."""
        return self.channels_db or f"sqlite:///{self.state_dir / 'channels.sqlite'}"

    @property
    def console_database(self) -> str:
        """The SQLAlchemy address of the console's database."""
        return self.console_db or f"sqlite:///{self.state_dir / 'console.sqlite'}"

    @property
    def channels_place(self) -> str:
        """The file of the channels' database, or the address of its server without a password."""
        url = urlsplit(self.channels_database)
        if url.scheme.startswith("sqlite"):
            return self.channels_database.partition(":///")[2]
        return f"{url.scheme.partition('+')[0]}://{url.hostname or ''}{url.path}"

    @property
    def allowed_origins(self) -> frozenset[str]:
        """The websites of `web_origins`, without slashes at the end."""
        return frozenset(
            origin.strip().rstrip("/") for origin in self.web_origins.split(",") if origin.strip()
        )

    @property
    def llm_ledger(self) -> Path:
        """The file with the model's usage and its kept replies."""
        return self.state_dir / "language_model.sqlite"

    @field_validator("llm_url")
    @classmethod
    def _is_an_address(cls, value: str) -> str:
        return http_address(value)

    @field_validator("llm_sources")
    @classmethod
    def _may_generate(cls, value: str) -> str:
        if not {"document", "study"}.issuperset(value.split()):
            raise ValueError(
                "write document, study or both, or nothing: all other answers stay word for word"
            )
        return value

    @model_validator(mode="after")
    def _name_a_model(self) -> Self:
        if bool(self.llm_url) != bool(self.llm_model):
            raise ValueError("COVAN_LLM_URL and COVAN_LLM_MODEL belong together: set both, or neither")
        return self

    @field_validator("console_url")
    @classmethod
    def _is_of_the_web(cls, value: str) -> str:
        return http_address(value, "https://covan.example.edu.vn").rstrip("/")

    @field_validator("openid_issuer")
    @classmethod
    def _is_encrypted(cls, value: str) -> str:
        url = urlsplit(value)
        is_here = url.scheme == "http" and url.hostname in ("localhost", "127.0.0.1", "::1")
        if value and not (is_here or (url.scheme == "https" and url.hostname)):
            raise ValueError("write the whole address, with https")
        return value

    @model_validator(mode="after")
    def _sign_in_with_a_provider(self) -> Self:
        if self.openid_issuer and not (self.openid_client_id and self.console_url):
            raise ValueError("COVAN_OPENID_ISSUER needs COVAN_OPENID_CLIENT_ID and COVAN_CONSOLE_URL, too")
        return self

    @model_validator(mode="after")
    def _mails_have_a_sender_and_a_link(self) -> Self:
        if self.smtp_host and not (self.smtp_from and self.console_url):
            raise ValueError("COVAN_SMTP_HOST needs COVAN_SMTP_FROM and COVAN_CONSOLE_URL, too")
        return self

    @field_validator("channels_db", "console_db", "redis_url", "tracker_db", "locks_url")
    @classmethod
    def _has_an_encoded_password(cls, value: str) -> str:
        return with_encoded_password(value)

    @field_validator("trusted_proxies")
    @classmethod
    def _are_networks(cls, value: str) -> str:
        _networks(value)
        return value

    @property
    def proxy_networks(self) -> Sequence[Network]:
        """The networks of `trusted_proxies`, and this machine."""
        return (*_LOOPBACK, *_networks(self.trusted_proxies))

    @property
    def rasa_addresses(self) -> Sequence[str]:
        """The addresses of the Rasa processes."""
        named = [address.strip() for address in self.rasa_urls.split(",") if address.strip()]
        return named or [f"http://127.0.0.1:{self.rasa_port}"]


def _networks(written: str) -> Sequence[Network]:
    return [ipaddress.ip_network(each.strip(), strict=False) for each in written.split(",") if each.strip()]


@lru_cache(maxsize=1)
def settings() -> Settings:
    """Return the settings of this process, read once. Raises SettingsError that names every unusable setting."""
    try:
        return Settings()
    except ValidationError as error:
        wrong = "; ".join(
            f"COVAN_{'_'.join(map(str, found['loc'])).upper()}: {found['msg']}"
            if found["loc"]
            else found["msg"].removeprefix("Value error, ")
            for found in error.errors()
        )
        raise SettingsError(f"a setting cannot be used: {wrong}") from error

"""Hypothesis strategies for hostile input: JSON documents, bodies, headers and addresses that are nearly right.

A document is mutated as text, since some mutations have no Python value: a number of 5,000 digits, a key twice.
"""

from __future__ import annotations

import copy
import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

Header = tuple[bytes, bytes]

TOO_DEEP = (b"[" * 100_000 + b"]" * 100_000, b'{"a":' * 50_000 + b"1" + b"}" * 50_000)
NOT_UTF_8 = (b'"\xff\xfe"', b'"hoc ph\xc3"', b'"\xed\xa0\x80"')

ODD_JSON = (
    *(b"1" + b"0" * 400, b"-1" + b"0" * 400, b"1" * 5_000, b"-" + b"9" * 5_000),
    *(b"1e999", b"-1e999", b"1e-999", b"NaN", b"Infinity", b"-Infinity", b"1.5", b"-0", b"-1"),
    *(b"9223372036854775807", b"9223372036854775808", b"18446744073709551616", b"4503599627370496"),
    *(rb'"\ud800"', rb'"\udc00\ud800"', rb'"a\ud800b"', rb'"\u0000"', rb'"a\u0000b"', rb'"\uffff"'),
    *(b'""', b'" "', b'"0"', b'"x"', b'"o:"', b'"c:forget"', b'"/restart"', b'"' + b"a" * 100_000 + b'"'),
    *(rb'"\u202eabc\u202c"', '"\u0110i\u1ec3m chu\u1ea9n"'.encode(), b'"\xef\xb7\xba"'),
    *(b"[]", b"{}", b"[null]", b"[[]]", b"[{}]", b'{"":""}', b'{"a":1,"a":[]}', b'{"id":{"id":[]}}'),
    *(b"null", b"true", b"false", b"0"),
    b"[" * 200 + b"]" * 200,
    *TOO_DEEP,
    *NOT_UTF_8,
)
"""JSON texts that a careless reader stumbles over."""

TEXT = st.one_of(
    st.text(max_size=12),
    st.text(st.sampled_from('\ud800\udfff\x00\ufeff\u202e\u2028\r\n"\\đ😀a'), max_size=6),
)
"""Half characters and NUL among them."""

_KEYS = st.one_of(st.sampled_from(("\ud800", "a\udfff", "\x00", "", "a" * 300)), TEXT)

_SCALARS: SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    TEXT,
)

JSON: SearchStrategy[Any] = st.recursive(
    _SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXT, inner, max_size=3)),
    max_leaves=6,
)


def json_texts() -> SearchStrategy[bytes]:
    """Any JSON value as text, and the odd ones."""
    return st.one_of(st.sampled_from(ODD_JSON), JSON.map(lambda value: json.dumps(value).encode()))


# --- documents --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Document:
    """A JSON text; `readable` tells whether each reader of JSON can read it: valid UTF-8, of a sane depth."""

    text: bytes
    readable: bool = True


def documents(valid: Sequence[Any], *, whole: bool = True) -> SearchStrategy[Document]:
    """One of the valid documents with one to three of its fields replaced, removed, doubled or added.

    With `whole`, the document itself may be replaced, too.
    """
    return st.sampled_from(valid).flatmap(lambda document: _mutated(document, whole))


@st.composite
def _mutated(draw: Any, document: Any, whole: bool) -> Document:
    changed = copy.deepcopy(document)
    texts: list[bytes] = []
    place: tuple[Any, ...]
    for number in range(draw(st.integers(1, 3))):
        places = [place for place in _places(changed) if place]
        if whole and not draw(st.integers(0, 15)):
            places = [()]
        if not places:
            break
        place = draw(st.sampled_from(places))
        text, mark = draw(json_texts()), f"@@{number}@@"
        how = draw(st.sampled_from(("replace", "replace", "replace", "remove", "double", "add", "add")))
        if not place:
            changed = mark
        else:
            *way, last = place
            holder = changed
            for key in way:
                holder = holder[key]
            if how == "remove":
                del holder[last]
            elif how == "double" and isinstance(last, str):
                text = json.dumps(holder[last]).encode() + b"," + json.dumps(last).encode() + b":" + text
                holder[last] = mark
            elif how == "add" and isinstance(holder, dict):
                holder[draw(_KEYS)] = mark
            else:
                holder[last] = mark
        texts.append(text)
    written = json.dumps(changed).encode()
    # From the last one: a doubled field's text may hold the mark of an earlier one.
    for number, text in reversed(list(enumerate(texts))):
        written = written.replace(f'"@@{number}@@"'.encode(), text)
    return Document(written, not any(odd in written for odd in (*TOO_DEEP, *NOT_UTF_8)))


def _places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield way
    inner: Any = ()
    if isinstance(value, Mapping):
        inner = value.items()
    elif isinstance(value, list):
        inner = enumerate(value)
    for key, each in inner:
        yield from _places(each, (*way, key))


# --- bodies, headers, addresses ---------------------------------------------------------------------------------------


@st.composite
def bodies(draw: Any, valid: bytes) -> bytes:
    """`valid` with bytes cut off, flipped, added, in another encoding; or any bytes."""
    how = draw(
        st.sampled_from(
            ("cut", "flip", "insert", "twice", "before", "utf-16", "utf-32", "gzip", "any", "nothing")
        )
    )
    at = draw(st.integers(0, max(0, len(valid) - 1)))
    if how == "cut":
        return valid[:at]
    if how == "flip" and valid:
        return valid[:at] + bytes([valid[at] ^ 1 << draw(st.integers(0, 7))]) + valid[at + 1 :]
    if how == "insert":
        return valid[:at] + draw(st.binary(min_size=1, max_size=8)) + valid[at:]
    if how == "before":
        return (
            draw(
                st.sampled_from((b"\xef\xbb\xbf", b"\x00", b"\xff\xfe", b")]}',\n", b"data=", b" " * 70_000))
            )
            + valid
        )
    if how == "any":
        return draw(st.binary(max_size=64))
    return {
        "twice": valid + valid,
        "utf-16": valid.decode("utf-8", "replace").encode("utf-16"),
        "utf-32": valid.decode("utf-8", "replace").encode("utf-32"),
        "gzip": gzip.compress(valid, mtime=0),
    }.get(how, b"")


ODD_VALUES = (
    *(
        b"",
        b" ",
        b",",
        b";",
        b"/",
        b"*",
        b"null",
        b"[",
        b"http://[",
        b"https://[::1",
        b"http://a:b:c",
        b"http://\\",
    ),
    *(
        b"\xff\xfe",
        b"\xc3\xa9",
        b"\xed\xa0\x80",
        b"0",
        b"-1",
        b"1" * 400,
        b"1" * 5_000,
        b"1e9",
        b"0x10",
        b"1_0",
    ),
    *(
        "\u0661".encode(),
        b"a" * 9_000,
        b"a," * 3_000,
        b"chunked",
        b"identity",
        b"chunked, identity",
        b"gzip",
        b"br",
    ),
    *(
        b"bytes=0-",
        b"bytes=-1",
        b"bytes=5-1",
        b"bytes=a-b",
        b"bytes=0-1,2-3",
        b"items=0-1",
        b"bytes=0-" + b"9" * 5_000,
    ),
    *(b"Thu, 99 Foo 9999 99:99:99 GMT", b"Thu, 01 Jan 1970 00:00:00 +9999", b'"etag"', b'W/"x"', b"Bearer"),
    *(
        b"Bearer a.b.c",
        b"Bearer " + b"." * 500,
        b"Basic YTpi",
        b"127.0.0.1",
        b"::1, ::ffff:1.2.3.4",
        b"fe80::1%eth0",
    ),
    *(
        b"text/plain",
        b"application/json; charset=utf-16",
        b"multipart/form-data",
        b"application/json;" + b"a=b;" * 900,
    ),
    *(b"localhost:99999", b"a b", b"xn--", b"[::", b"%00", b"../../x"),
)

HEADER_NAMES = (
    *(b"accept", b"accept-encoding", b"authorization", b"connection", b"content-encoding", b"content-length"),
    *(
        b"content-type",
        b"cookie",
        b"expect",
        b"forwarded",
        b"host",
        b"if-match",
        b"if-modified-since",
        b"if-none-match",
    ),
    *(
        b"if-range",
        b"if-unmodified-since",
        b"last-event-id",
        b"origin",
        b"range",
        b"referer",
        b"sec-fetch-site",
    ),
    *(
        b"te",
        b"transfer-encoding",
        b"upgrade",
        b"user-agent",
        b"via",
        b"x-forwarded-for",
        b"x-forwarded-host",
    ),
    *(
        b"x-zevent-signature",
        b"num_retry",
        b"x-forwarded-proto",
        b"x-http-method-override",
        b"x-hub-signature-256",
        b"x-real-ip",
        b"x-request-id",
    ),
    b"x-telegram-bot-api-secret-token",
)

METHODS = (
    "GET",
    "HEAD",
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "OPTIONS",
    "TRACE",
    "CONNECT",
    "PROPFIND",
    "get",
    "X",
)


def header_values() -> SearchStrategy[bytes]:
    """The value of a header: what a web server hands on has no line end and no NUL."""
    return st.one_of(
        st.sampled_from(ODD_VALUES),
        st.binary(max_size=24).map(lambda value: value.translate(None, b"\r\n\x00").strip()),
    )


def headers() -> SearchStrategy[list[Header]]:
    """Up to three odd headers, the same name twice among them."""
    return st.lists(st.tuples(st.sampled_from(HEADER_NAMES), header_values()), max_size=3)


ODD_NUMBERS = (
    b"0",
    b"-1",
    b"01",
    b"1.5",
    b"1" * 400,
    b"1" * 5_000,
    b"9223372036854775808",
    "\u0661".encode(),
    b"",
)

ODD_SEGMENTS = (
    *(
        b"",
        b".",
        b"..",
        b"%2e%2e",
        b"%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        b"%00",
        b"a%00b",
        b"%ff%fe",
        b"%ed%a0%80",
    ),
    *(
        b"%",
        b"%zz",
        b"\\",
        b"..\\..",
        b"a" * 5_000,
        b"%c3%a9",
        b"0",
        b"-1",
        b"1",
        b"1" * 400,
        b"1" * 5_000,
        b"01",
    ),
    *(
        b"9223372036854775807",
        b"9223372036854775808",
        b"1.5",
        b"1e3",
        "\u0661".encode(),
        b"index.html",
        b"index.html/",
    ),
    *(
        b"assets",
        b"api",
        b"health",
        b"school",
        b"webhooks",
        b"webhook",
        b"web",
        b"C:",
        b"nul",
        b";",
        b"%3f",
        b"*",
        b"~",
    ),
)


@st.composite
def addresses(draw: Any, valid: Sequence[bytes]) -> bytes:
    """The path of an address: a valid one, often with a segment replaced or added."""
    path: bytes = draw(st.sampled_from(valid))
    if draw(st.integers(0, 2)):
        return path
    segments = path.split(b"/")
    at = draw(st.integers(1, len(segments)))
    odd = draw(st.one_of(st.sampled_from(ODD_SEGMENTS), st.binary(max_size=8).map(_percent)))
    return b"/".join([*segments[:at], odd, *segments[at + draw(st.integers(0, 1)) :]]) or b"/"


@st.composite
def queries(draw: Any, names: Sequence[bytes]) -> bytes:
    """The query of an address with known names and odd values."""
    value = st.one_of(st.sampled_from(ODD_SEGMENTS), st.binary(max_size=8).map(_percent))
    pairs = draw(st.lists(st.tuples(st.sampled_from((*names, b"", b"%ff", b"x")), value), max_size=3))
    return b"&".join(name + b"=" + each for name, each in pairs)


def _percent(value: bytes) -> bytes:
    return b"".join(b"%%%02x" % byte for byte in value)

"""PDF files, made in code."""

from __future__ import annotations

from collections.abc import Sequence

RULES = "".join(
    [f"40 {700 - 20 * row} m 340 {700 - 20 * row} l S\n" for row in range(3)]
    + [f"{40 + 150 * column} 660 m {40 + 150 * column} 700 l S\n" for column in range(3)]
)
"""The rules of a table of four cells."""


def pdf_bytes(pages: Sequence[Sequence[str]], *, protected: bool = False, ruled: Sequence[int] = ()) -> bytes:
    """A PDF with one font whose codes a ToUnicode map makes Vietnamese; each page is a list of lines.

    `protected` adds a password that nobody knows; the pages `ruled`, from 1, have the rules of a table.
    """
    characters = sorted({char for page in pages for line in page for char in line})
    codes = {char: code for code, char in enumerate(characters, start=33)}
    assert len(codes) < 220, "one font has room for 220 different characters"
    mapping = "\n".join(f"<{code:02x}> <{char.encode('utf-16-be').hex()}>" for char, code in codes.items())
    to_unicode = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /T def /CMapType 2 def\n"
        "1 begincodespacerange <00> <ff> endcodespacerange\n"
        + "".join(
            f"{len(part)} beginbfchar\n" + "\n".join(part) + "\nendbfchar\n"
            for part in (mapping.splitlines()[at : at + 90] for at in range(0, len(codes), 90))
        )
        + "endcmap CMapName currentdict /CMap defineresource pop end end"
    )
    objects: list[str] = []

    def add(body: str) -> int:
        objects.append(body)
        return len(objects)

    def stream(content: str) -> str:
        return f"<< /Length {len(content)} >>\nstream\n{content}\nendstream"

    add("<< /Type /Catalog /Pages 2 0 R >>")
    kids = " ".join(f"{5 + 2 * index} 0 R" for index in range(len(pages)))
    add(f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>")
    add(
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /FirstChar 0 /LastChar 255 "
        f"/Widths [{'500 ' * 256}] /ToUnicode 4 0 R >>"
    )
    add(stream(to_unicode))
    for number, page in enumerate(pages, start=1):
        shown = "".join(
            f"1 0 0 1 40 {800 - 14 * place} Tm <{''.join(f'{codes[char]:02x}' for char in line)}> Tj\n"
            for place, line in enumerate(page)
            if line
        )
        add(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {len(objects) + 2} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>"
        )
        add(stream(f"BT /F1 10 Tf\n{shown}ET\n{RULES if number in ruled else ''}"))
    trailer = "/Root 1 0 R"
    if protected:
        number = add(f"<< /Filter /Standard /V 1 /R 2 /O <{'ab' * 32}> /U <{'cd' * 32}> /P -4 >>")
        trailer += f" /Encrypt {number} 0 R /ID [<{'01' * 16}> <{'01' * 16}>]"
    out = b"%PDF-1.4\n"
    offsets = []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode("ascii")
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode("ascii")
    out += b"".join(f"{offset:010d} 00000 n \n".encode("ascii") for offset in offsets)
    out += f"trailer\n<< /Size {len(objects) + 1} {trailer} >>\nstartxref\n{start}\n%%EOF".encode("ascii")
    return out

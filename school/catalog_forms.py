"""What the catalogue of a school gives to its entity linker: the surface forms of everything it names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from school.catalog import Catalog, Cohort
from school.name_patterns import named_forms
from school.surface_forms import EntityForms, LongName, SurfaceForm
from vietnamese.text import fold

SHORTEST_LONG_NAME = 9
"""Letters that a name must have to be recognised with a typo."""

_WORD = re.compile(r"[^\W_]+")


def entity_forms(catalog: Catalog, extra: Iterable[SurfaceForm] = ()) -> EntityForms:
    """Return the forms of everything that `catalog` names, and the `extra` ones, such as names of documents."""
    named = list(_named(catalog))
    forms: list[SurfaceForm] = []
    for cohort in catalog.cohorts:
        forms += _cohort_forms(cohort)
    for major in catalog.majors:
        if major.code:
            code = re.escape(fold(major.code))
            forms.append(SurfaceForm(rf"\b{code}\b", "major", major.id, fold(major.code)))
    for entity, value, names in named:
        forms += named_forms(entity, value, names)
    for course in catalog.courses:
        if course.code:
            forms += named_forms("course", course.id, (course.code,))
    return EntityForms(
        patterns=tuple(dict.fromkeys((*forms, *extra))),
        names=tuple(dict.fromkeys(name for each in named for name in _long_names(*each))),
        entered={cohort.year: cohort.id for cohort in catalog.cohorts if cohort.year is not None},
        year_begins=catalog.school.year_begins,
    )


def _named(catalog: Catalog) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """The entity, the id and the names of everything that the catalogue calls by name."""
    for major in catalog.majors:
        yield "major", major.id, (major.name, major.name_en, *major.aliases)
    for program in catalog.programs:
        yield "program", program.id, (program.name, program.short, program.name_en, *program.aliases)
    for course in catalog.courses:
        yield "course", course.id, (course.name, course.name_en, *course.aliases)
    for office in catalog.offices:
        yield "office", office.id, (office.name, office.name_en, *office.aliases)


def _long_names(entity: str, value: str, names: Iterable[str]) -> Iterator[LongName]:
    """The names that may be mistyped: those long enough to be no other word."""
    for name in names:
        words = _WORD.findall(fold(name))
        if len("".join(words)) >= SHORTEST_LONG_NAME:
            yield LongName(" ".join(words), entity, value)


def _cohort_forms(cohort: Cohort) -> Iterator[SurfaceForm]:
    number, year = re.escape(cohort.id), cohort.year
    # "k 48 tín chỉ" may be "không, 48 tín chỉ"; "k48" and "khóa 48" are nothing else.
    not_an_amount = r"(?! ?(?:(?:tin chi|tc|trieu|nghin|ngan|dong|diem)\b|%))"
    patterns = [
        (rf"\bk[.\-]?{number}\b", cohort.id),
        (rf"\bk {number}\b{not_an_amount}", cohort.id),
        (rf"\bkhoa ?(?:hoc |thu |tuyen sinh )?k? ?{number}\b", cohort.id),
        # "K47, 48" and "k47-49": the number alone stands beside another one.
        (
            rf"(?:(?<=\bk\d\d)|(?<=\bkhoa \d\d))(?:, ?|[-/&]| (?:(?:va|hay|hoac|voi) )?){number}\b"
            rf"(?=\W*$| (?:thi|khac|co|hoc(?! phan)|deu|giong|phai|nganh|dong)\b)",
            cohort.id,
        ),
        (rf"\b(?:cohort|batch) {number}\b", cohort.id),
    ]
    if year is not None:
        # "2021-2022" is a school year; "khóa 2021-2025" is when a cohort studies.
        no_school_year = r"(?! ?[-–/] ?20\d\d)"
        patterns += [
            (
                rf"\bkhoa (?:hoc |nam |tuyen sinh (?:nam )?|vao (?:nam )?)?{year}\b(?: ?[-–] ?20\d\d\b)?",
                str(year),
            ),
            (rf"\b(?:sv|sinh vien) (?:khoa )?(?:nam )?{year}\b{no_school_year}", str(year)),
            (
                rf"\b(?:(?:sv|sinh vien|em|minh) tuyen sinh|trung tuyen|nhap hoc|vao hoc|vao truong)"
                rf"(?: tu| vao)?(?: nam)? {year}\b"
                rf"{no_school_year}",
                str(year),
            ),
            (rf"\bk{year}\b", str(year)),
            (rf"\b(?:class of|intake|cohort|batch) {year}\b{no_school_year}", str(year)),
        ]
    for pattern, needle in patterns:
        yield SurfaceForm(pattern, "cohort", cohort.id, needle)
    own = [name for name in (cohort.name, *cohort.aliases) if not re.fullmatch(r"k(?:hoa)? ?\d+", fold(name))]
    yield from named_forms("cohort", cohort.id, own)

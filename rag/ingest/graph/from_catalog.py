"""The catalogue, the topics and the course tables as nodes and edges."""

from __future__ import annotations

from collections.abc import Sequence

from rag.graph.types import FoundBy, Provenance, Table, node_id
from rag.ingest.graph.building import At, GraphBuilder
from rag.ingest.graph.course_tables import CourseRow, CourseTable
from rag.ingest.graph.linking import MentionFinder
from rag.ingest.graph.rules import directory_title, row_locator
from school.catalog import Catalog, School, Topic
from vietnamese.text import fold

CATALOG = "catalog"
"""The id of the catalogue as a table that answers cite."""


def _at(locator: str) -> At:
    return At(Provenance(FoundBy.CATALOG, CATALOG, locator), "catalog.yml")


def add_catalog(builder: GraphBuilder, catalog: Catalog, topics: Sequence[Topic]) -> None:
    """Add the school, and the categories, cohorts, programmes, majors, offices and courses of the catalogue."""
    builder.tables[CATALOG] = Table(
        CATALOG, directory_title(catalog.school.name), None, catalog.school.website or None
    )
    school = _add_school(builder, catalog.school)
    for topic in topics:
        builder.add_node("Category", topic.id, topic.name, _at(topic.name), [topic.name_en])
    for cohort in catalog.cohorts:
        properties = {"year": cohort.year, "name_en": cohort.name_en}
        builder.add_node("Cohort", cohort.id, cohort.name, _at(cohort.name), cohort.names, properties)
    for program in catalog.programs:
        about = {"short": program.short, "name_en": program.name_en}
        source = builder.add_node(
            "Program", program.id, program.name, _at(program.name), program.names, about
        )
        if source is not None and school is not None:
            builder.add_edge(source, "belongs_to", school, _at(program.name))
    for office in catalog.offices:
        kept = ("phone", "email", "hours", "location", "map_url", "name_en")
        said = {key: getattr(office, key) for key in kept}
        source = builder.add_node("Office", office.id, office.name, _at(office.name), office.names, said)
        for handled in office.handles:
            if source is not None and node_id("Category", handled) in builder.nodes:
                builder.add_named_edge(source, "responsible_for", handled, _at(office.name))
    for major in catalog.majors:
        about_major = {"code": major.code, "years": major.years, "name_en": major.name_en}
        source = builder.add_node("Major", major.id, major.name, _at(major.name), major.names, about_major)
        for end in (*major.programs, *([major.faculty] if major.faculty else [])):
            if source is not None:
                builder.add_named_edge(source, "belongs_to", end, _at(major.name))
        if source is not None and school is not None:
            builder.add_edge(source, "belongs_to", school, _at(major.name))
    for course in catalog.courses:
        code = course.code or course.id
        properties = {"code": course.code, "name_en": course.name_en}
        builder.add_node("Course", code, course.name, _at(course.name), course.names, properties)


def _add_school(builder: GraphBuilder, school: School) -> str | None:
    """Add the school and its campuses; return its id, None for a catalogue that does not name it."""
    if not school.name:
        return None
    names = (school.name, school.name_en, school.short, *school.aliases)
    kept = ("phone", "email", "website", "hours", "map_url", "name_en")
    about = {key: getattr(school, key) for key in kept}
    places = [campus.address for campus in school.campuses if campus.address]
    about["address"] = school.address or next(iter(places), "")
    source = builder.add_node("School", school.id, school.name, _at(school.name), names, about)
    for campus in school.campuses:
        of_campus = {"address": campus.address, "map_url": campus.map_url}
        own = (campus.name, *campus.aliases)
        place = builder.add_node("Campus", campus.name, campus.name, _at(campus.name), own, of_campus)
        if place is not None and source is not None:
            builder.add_edge(place, "part_of", source, _at(campus.name))
    return source


def add_course_nodes(builder: GraphBuilder, tables: Sequence[CourseTable]) -> None:
    """Add the courses of the tables; a course of two tables is one node."""
    for table in tables:
        builder.tables[table.table.id] = table.table
        for row in table.rows:
            properties = {
                "code": row.code,
                "credits": row.credits,
                "semester": row.semester,
                "name_en": row.name_en,
            }
            names = (row.name_en, row.code, *row.aliases)
            builder.add_node("Course", row.code, row.name, _of_row(row, table), names, properties)


def add_course_edges(builder: GraphBuilder, tables: Sequence[CourseTable], catalog: Catalog) -> None:
    """Add what the rows of the tables say of courses, once all nodes are there."""
    codes = {fold(node.id): node.id for node in builder.nodes.values() if node.type == "Course"}
    for table in tables:
        for row in table.rows:
            _add_row(builder, row, _of_row(row, table), codes, catalog)


def add_locations(builder: GraphBuilder) -> None:
    """Add the buildings that the locations of offices name."""
    finder = MentionFinder(builder.nodes.values(), frozenset({"Building"}))
    for node in list(builder.nodes.values()):
        located = " ".join(str(node.properties.get(key, "")) for key in ("location", "room"))
        if node.type in ("Office", "Department", "Person") and located.strip():
            at = At(node.provenance, "catalog.yml")
            for building in finder.find(located):
                builder.add_edge(node.id, "located_in", building, at)


def _of_row(row: CourseRow, table: CourseTable) -> At:
    place = Provenance(
        FoundBy.TABLE,
        table.table.id,
        row_locator(row.code),
        effective_from=table.effective_from,
        effective_to=table.effective_to,
    )
    return At(place, row.file, row.line)


def _add_row(builder: GraphBuilder, row: CourseRow, at: At, codes: dict[str, str], catalog: Catalog) -> None:
    by_id = {course.id: course.code or course.id for course in catalog.courses}
    course = node_id("Course", row.code)
    if course not in builder.nodes:
        return
    for relation, named in (
        ("prerequisite_of", row.prerequisites),
        ("corequisite_of", row.corequisites),
    ):
        for code in named:
            other = codes.get(fold(node_id("Course", by_id.get(code, code))), node_id("Course", code))
            builder.add_edge(other, relation, course, at)
    semester = {"semester": int(row.semester)} if row.semester.isdecimal() else {}
    # Without majors a course is for all of them.
    for end in (*(row.majors or [major.id for major in catalog.majors]), *row.programs):
        builder.add_named_edge(course, "belongs_to", end, at, semester)
    if row.department:
        builder.add_named_edge(course, "belongs_to", row.department, at)
    if row.topic:
        builder.add_named_edge(course, "belongs_to", row.topic, at)
    for person in row.lecturers:
        builder.add_named_edge(course, "taught_by", person, at)
    for book in row.textbooks:
        builder.add_named_edge(course, "uses_book", book, at)

"""The classifier learns from seeds, the school's names, its questions, and variants of them."""

from __future__ import annotations

from collections import Counter

from covan.training_data.examples import all_examples, by_intent
from covan.training_data.templates import Group, Templates, filled, read_templates
from covan.training_data.variants import Rules, Variants
from rag.ingest.load import Knowledge
from rag.types import FaqEntry
from school.catalog import Catalog, Cohort, DimensionValue, Major, Program, Topic
from school.dimensions import spec

CATALOG = Catalog(
    cohorts=(Cohort("47", "Khóa 47", 2021), Cohort("48", "Khóa 48", 2022)),
    majors=(Major("cntt", "Công nghệ thông tin", aliases=("cntt",)), Major("luat", "Luật")),
    programs=(Program("clc", "Chất lượng cao"),),
)
FAQ = (
    FaqEntry(id="t-1", question="Học phí bao nhiêu?", variants=("hp nhiu z",), answer="...", topic="tuition"),
    FaqEntry(
        id="t-2", question="Em không muốn sống nữa", variants=("hoc phi",), answer="...", topic="tuition"
    ),
    FaqEntry(id="p-1", question="Gửi xe ở đâu?", variants=(), answer="...", topic="parking"),
)
NO_RULES = Rules(spellings={}, frames=[], neighbours={})


def templates(*sentences: str, times: int = 1, of_all: tuple[str, ...] = ()) -> Templates:
    group = Group.model_validate({"intent": "inform", "sentences": sentences, "times": times, "all": of_all})
    return Templates(
        forms={"cohort": ["k{id}", "khóa {year}", "khóa {id}"]}, topics=["học phí"], templates=[group]
    )


def test_a_place_is_filled_with_names_of_the_catalogue() -> None:
    [one] = filled(templates("em {cohort} ngành {major}"), CATALOG)

    assert one.text.startswith(("em k4", "em khóa 4", "em khóa 202"))
    assert one.text.endswith(("ngành công nghệ thông tin", "ngành cntt", "ngành luật"))
    assert (one.intent, one.template) == ("inform", "em {cohort} ngành {major}")


def test_a_second_place_gets_another_name() -> None:
    for one in filled(templates("{major} hay {major2}", times=5), CATALOG):
        first, second = one.text.split(" hay ")
        assert first != second


def test_every_name_has_its_turn_where_all_are_wanted() -> None:
    texts = {one.text for one in filled(templates("{major}", of_all=("major",)), CATALOG)}

    assert texts == {"công nghệ thông tin", "cntt", "luật"}


def test_a_dimension_of_the_school_has_examples_of_its_own() -> None:
    campus = spec({"id": "campus", "name": "cơ sở"})
    values = (DimensionValue("hoa-an", "Khu Hòa An"), DimensionValue("trung-tam", "Khu Trung Tâm"))
    catalog = Catalog(dimensions=(campus,), values={"campus": values})

    made = {(one.intent, one.text) for one in filled(read_templates(), catalog)}

    assert ("inform", "khu hòa an") in made
    assert any(intent == "follow_up" and "cơ sở khu" in text for intent, text in made)
    assert not any("{" in text for _, text in made)


def test_a_dimension_whose_id_ends_with_a_digit_has_places() -> None:
    level = spec({"id": "level1", "name": "bậc"})
    values = (DimensionValue("dai-hoc", "Đại học"), DimensionValue("thac-si", "Thạc sĩ"))
    catalog = Catalog(dimensions=(level,), values={"level1": values})

    made = {one.text for one in filled(templates("bậc {level1} hay {level12}"), catalog)}

    assert made <= {"bậc đại học hay thạc sĩ", "bậc thạc sĩ hay đại học"}
    assert made


def test_a_template_without_names_to_fill_it_gives_nothing() -> None:
    assert [one.text for one in filled(templates("{major}", "ok"), Catalog())] == ["ok"]


def test_a_cry_for_help_is_no_question_of_its_topic() -> None:
    found = all_examples({}, Knowledge(faq=FAQ), read_templates(), Variants(NO_RULES))

    texts = by_intent(found.made)["ask_tuition"]
    assert "Học phí bao nhiêu?" in texts
    assert not {"Em không muốn sống nữa", "hoc phi"} & set(texts)
    assert found.topic_intents == ["ask_parking", "ask_tuition"]


def test_no_wording_is_an_example_twice_and_seeds_come_first() -> None:
    seeds = {"greet": ["Chào", "HP NHIU Z"], "goodbye": ["chào"]}
    found = all_examples(
        seeds,
        Knowledge(faq=FAQ, catalog=CATALOG),
        read_templates(),
        Variants(NO_RULES),
    )

    times = Counter(example.text.casefold() for example in (*found.written, *found.made))
    assert set(times.values()) == {1}
    assert by_intent(found.written) == {"greet": ["Chào", "HP NHIU Z"]}


def test_the_school_teaches_with_its_own_examples_and_those_of_its_topics() -> None:
    knowledge = Knowledge(
        catalog=CATALOG,
        topics=(Topic("parking", "Gửi xe", examples=("Bãi xe mở mấy giờ?",)), Topic("food", "Ăn uống")),
        nlu={"ask_parking": ("giữ xe ở đâu", "gửi xe {major} ở đâu"), "greet": ("hế lô",)},
    )

    found = all_examples({}, knowledge, read_templates(), Variants(NO_RULES))

    asked = by_intent(found.made)["ask_parking"]
    assert {"giữ xe ở đâu", "Bãi xe mở mấy giờ?"} <= set(asked)
    assert {"gửi xe luật ở đâu", "gửi xe cntt ở đâu", "gửi xe công nghệ thông tin ở đâu"} & set(asked)
    assert not any("{" in text for text in asked)
    assert "hế lô" in by_intent(found.made)["greet"]
    assert found.topic_intents == ["ask_parking"]

"""People in trouble are noticed, however they type; ways of speaking and questions of the school are not."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from vietnamese.distress import (
    asks_where_to_turn,
    distress,
    is_mere_fear,
    is_of_somebody_else,
    is_relieved,
    tells_of_hardship,
    worries_about_studies,
)
from vietnamese.text import fold

ROOT = Path(__file__).parents[2]

IN_TROUBLE = [
    "thầy dạy em hay nhắn tin tối gạ gẫm em đi chơi riêng",
    "thầy hướng dẫn cứ đòi em đi khách sạn",
    "giảng viên hay sờ tay em",
    "lỡ bạn ấy làm chuyện dại dột thì sao",
    # not wanting to live
    "em muốn tự tử",
    "em không muốn sống nữa",
    "em ko muốn sống nữa ạ",
    "mình hk muốn sống nx",
    "em thật sự không thiết sống nữa",
    "dạo này em cứ nghĩ đến cái chết",
    "em có ý định tự tử mấy lần rồi",
    "em chỉ muốn chết đi cho xong",
    "em muốn chết",
    "muốn chết",
    "em chỉ muốn chếttttt",
    "nhiều lúc em muốn chết lắm",
    "sao em không chết đi cho rồi",
    "giá mà em chưa từng sinh ra",
    "ước gì em biến mất",
    "em muốn biến mất khỏi thế giới này",
    "em rớt môn, ba mẹ chửi suốt, chỉ muốn biến mất khỏi thế giới này. Bị cảnh báo mấy lần thì bị buộc thôi học?",
    "mệt mỏi quá chỉ muốn biến mất thôi",
    "em không tìm thấy lý do để sống",
    "sống chẳng còn ý nghĩa gì nữa",
    "em sống để làm gì nữa",
    "em muốn kết thúc cuộc đời mình",
    "em muốn kết thúc tất cả",
    "nếu em chết thì có ai buồn không",
    "em muốn ngủ một giấc mãi mãi",
    "ước gì ngủ luôn không bao giờ tỉnh lại",
    "vĩnh biệt mọi người",
    "em viết thư tuyệt mệnh rồi",
    "em hay nghĩ quẩn",
    "em chán sống rồi",
    "rớt hết môn rồi, em không muốn sống nữa",
    # hurting oneself
    "em vừa rạch tay",
    "tối qua em cắt cổ tay",
    "em hay tự làm đau bản thân",
    "em đang nghĩ tới chuyện tự làm hại mình",
    "em định uống thuốc ngủ",
    "em vừa uống cả vỉ thuốc",
    "em muốn nhảy lầu",
    "em đang ngồi trên lan can",
    "em uống nhiều thuốc an thần quá rồi",
    # hopeless, breaking down
    "em không chịu nổi nữa",
    "e chịu hết nổi r",
    "em không thể chịu đựng thêm nữa",
    "áp lực quá em không gắng gượng nổi nữa, em muốn nghỉ học",
    "em tuyệt vọng lắm rồi",
    "em thấy mình hoàn toàn bế tắc",
    "em là gánh nặng của ba mẹ",
    "không ai cần em cả",
    "em thấy mình vô dụng quá",
    "em đêm nào cũng khóc một mình",
    "em suy sụp hoàn toàn rồi",
    "em bị trầm cảm nặng",
    "em không thấy lối thoát nào hết",
    "em muốn buông xuôi tất cả",
    # violence and harassment
    "em bị bạn trai đánh",
    "em bị thầy hướng dẫn quấy rối",
    "ba em hay đánh em",
    "em bị bố dượng xâm hại",
    "em bị bắt nạt trên lớp",
    "em bị anh khóa trên dọa đánh",
    "có người dọa giết em",
    "người yêu cũ dọa tung ảnh em",
    "em bị sàm sỡ trên xe buýt của trường",
    "em là nạn nhân của bạo lực gia đình",
    "em bị cưỡng hiếp",
    "bị bạn cùng phòng đánh đập thì em phải báo ai ạ",
    # panic
    "em đang hoảng loạn lắm",
    "em lên cơn hoảng loạn trước giờ thi",
    "em đang khó thở, tim đập nhanh, sợ lắm",
    # somebody else
    "bạn em muốn tự tử",
    "bạn cùng phòng em tự tử hôm qua, em phải làm sao",
    "bạn thân em đòi chết",
    "bạn em nói muốn chết, em phải làm gì",
    "bạn cùng phòng em tự cắt tay, em sợ quá",
    "bạn em bị trầm cảm",
    "bạn em bị người yêu đánh",
    "em lo cho bạn em, nó có ý định tự sát",
    # no diacritics
    "em muon tu tu",
    "em khong muon song nua",
    "ban em noi muon chet em phai lam gi",
    "em khong chiu noi nua",
    "em bi thay quay roi",
    "em co y dinh tu tu",
    "em muon chet di cho roi",
    "bo em hay danh em",
    "khong ai can em",
    "em thay cuoc song vo nghia",
    # denied first, then said
    "em không sợ chết, em chỉ muốn chết",
    "không phải em, bạn em muốn tự tử",
    # English
    "i want to die",
    "I don't want to live anymore",
    "i'm thinking about killing myself",
    "my roommate wants to kill herself",
    "i am being bullied in class",
    "I was sexually harassed by my lecturer",
    "I can't go on",
    "I'm having a panic attack",
    "my friend is suicidal",
]

NOT_IN_TROUBLE = [
    # ways of speaking
    "mệt muốn chết vì deadline",
    "chết rồi em quên đóng học phí",
    "điểm thấp chết mất",
    "tự tử điểm",
    "đói muốn chết mà căn tin đóng cửa",
    "nóng muốn chết, ktx có máy lạnh không",
    "deadline nhiều muốn chết",
    "buồn ngủ muốn chết mà phải học 7h",
    "web trường lag muốn chết",
    "nhìn điểm giữa kỳ muốn chết luôn",
    "thi môn này xong muốn chết",
    "cười chết mất",
    "cứu em với, quên đăng ký môn rồi",
    "thức khuya chạy deadline kiệt sức luôn",
    "chết cha, lộn nhóm rồi",
    "chết thật, mai hết hạn rồi",
    "đề khó chết đi được",
    "đăng ký học phần kiểu này chắc em nhảy lầu",
    "học kiểu này chắc em tự tử mất, deadline dí quá",
    "deadline dí không thở được",
    "em mệt quá",
    "hôm nay học mệt ghê",
    "em buồn vì điểm thấp",
    "stress vì thi quá",
    "lo quá không biết có đậu không",
    "em sợ rớt môn",
    "app đăng ký tín chỉ không chịu nổi",
    "phòng ồn quá em không chịu nổi nữa, cho em đổi phòng",
    "nóng quá chịu hết nổi, bao giờ sửa máy lạnh",
    "bot vô dụng quá",
    "bị đề thi hành hạ",
    "bị deadline bạo hành",
    "mạng ktx yếu đến tuyệt vọng",
    "em bế tắc với đồ án quá, xin đổi giảng viên hướng dẫn được không",
    "em không thiết ăn uống gì mùa thi",
    "tự kết thúc học phần sớm được không",
    "em muốn kết thúc tất cả các môn trong kỳ này",
    "khóc vì deadline mỗi đêm",
    # other words that look alike
    "em muon tu tu roi dong hoc phi duoc khong",
    "cu tu tu tra loi em nha",
    "em muốn sống ở ký túc xá",
    "em không muốn sống chung phòng với người lạ",
    "em khong muon hoc song nganh nua",
    "em không muốn sống trong ktx nữa thì trả phòng thế nào",
    "em bị đánh rớt môn triết",
    "em bị thầy đánh vắng oan",
    "em bị cô đánh trượt",
    "em bị đánh giá rèn luyện thấp",
    "em bi danh vang 3 buoi",
    "em bi loai khoi danh sach thi",
    "em bị mất cắp xe trong trường",
    "em bị mất thẻ sinh viên",
    "laptop em bi hu bao hanh o dau",
    "em bị cảnh báo học vụ",
    "em bị buộc thôi học phải không",
    "em bị đe dọa buộc thôi học vì nợ học phí",
    "em cần tư vấn",
    "em can tu van chon nganh",
    "ngày lễ có treo cờ không",
    "em bị cắt học bổng",
    "em bị đứt tay thì khám ở đâu",
    "trang web bị quay hoài không vào được",
    # questions
    "bị quấy rối, bắt nạt, bạo lực thì báo ai?",
    "đánh nhau trong trường bị kỷ luật thế nào",
    "sinh viên bạo lực học đường bị xử lý ra sao",
    "quấy rối tình dục bị phạt mức nào",
    "trường có phòng tham vấn tâm lý không",
    "đặt hẹn tham vấn tâm lý thế nào",
    "hội thảo phòng chống trầm cảm ở sinh viên được cộng điểm rèn luyện không",
    "em làm đề tài nghiên cứu về tự tử ở sinh viên, xin số liệu ở đâu",
    "môn kỹ năng phòng tránh xâm hại có bắt buộc không",
    "nghỉ chữa trầm cảm rồi học lại sao",
    "bị trầm cảm xin bảo lưu cần giấy tờ gì",
    "em muốn thôi học thì làm thủ tục gì",
    "em muốn nghỉ học tạm thời",
    "em muốn bảo lưu kết quả",
    "em chán ngành này, muốn chuyển ngành",
    "bảo hiểm tai nạn chi trả khi chết thế nào",
    "thân nhân sinh viên qua đời có được hỗ trợ không",
    "bố em mất, em có được miễn giảm học phí không",
    "sơ cứu khi bị ngất ở đâu",
    "đang học mà bị ốm thì hoãn thi được không",
    # denied
    "tạm biệt mọi người",
    "em không muốn chết",
    "em không có ý định tự tử đâu",
    "em chưa bị bắt nạt bao giờ",
    "em đâu có muốn tự tử",
    "khói muốn chết",
    "mùi khét muốn chết luôn",
    "thầy rủ em đi thi nghiên cứu khoa học",
    # English
    "this deadline is killing me",
    "i'm dying to know my grade",
    "where is the suicide prevention workshop",
    "I don't want to live in the dormitory",
    "how do I end my enrollment",
    "can I take my exam again",
    "i want to withdraw from a course",
    "",
    "???",
]


@pytest.mark.parametrize("text", IN_TROUBLE)
def test_a_person_in_trouble_is_noticed(text: str) -> None:
    assert distress(text)


@pytest.mark.parametrize("text", NOT_IN_TROUBLE)
def test_a_way_of_speaking_or_a_question_is_none(text: str) -> None:
    assert not distress(text)


@pytest.mark.parametrize("text", IN_TROUBLE[::3])
def test_case_and_politeness_change_nothing(text: str) -> None:
    assert distress(text.upper())
    assert distress(f"dạ ad ơi, {text} ạ!!!")
    assert distress(f"Chào ad. {text}. Em cảm ơn ạ.")


def test_most_of_it_is_noticed_without_diacritics_too() -> None:
    """Not all: "tự tử" is then also "từ từ", "đánh" also "danh"."""
    noticed = [distress(fold(text)) for text in IN_TROUBLE]

    assert sum(noticed) / len(noticed) >= 0.9


@pytest.mark.parametrize("text", NOT_IN_TROUBLE)
def test_nothing_becomes_trouble_by_dropping_diacritics(text: str) -> None:
    assert not distress(fold(text))


def test_there_are_enough_examples_to_mean_something() -> None:
    assert min(len(set(IN_TROUBLE)), len(set(NOT_IN_TROUBLE))) >= 60


MEANT = re.compile(r"y-te-va-tham-van")


def _ordinary_questions() -> Iterator[str]:
    """Return the questions of the sample school's FAQ, without those on the counselling centre."""
    for path in sorted((ROOT / "knowledge" / "faq").glob("*.yml")):
        for entry in yaml.safe_load(path.read_text(encoding="utf-8")):
            if not any(MEANT.search(str(source)) for source in entry.get("sources", ())):
                yield from (entry["question"], *entry.get("variants", ()))
    with (ROOT / "benchmarks" / "sample_school" / "questions.csv").open(encoding="utf-8") as file:
        yield from (row["question"] for row in csv.DictReader(file))


def test_ordinary_questions_of_a_school_are_hardly_ever_taken_for_it() -> None:
    questions = list(_ordinary_questions())
    taken = [question for question in questions if distress(question)]

    assert len(questions) > 1_000
    assert len(taken) / len(questions) <= 0.005, taken


def test_a_long_message_takes_no_longer_than_its_length() -> None:
    assert not distress("nó bị anh chị mẹ ba không còn " * 2_000)


HARDSHIPS = [
    "em bị sốt nhập viện á",
    "em bị đau bụng quá",
    "em bị ốm mấy hôm nay",
    "em bị covid",
    "em bi tai nan xe gay chan",
    "em bị zona thần kinh",
    "mẹ em mới mất",
    "ba em vua mat tuan truoc",
    "nhà em có tang",
    "dao nay em mat ngu hoai, cang thang qua",
    "i had an accident and broke my leg",
]

GRAVE = [
    "em bị bạn trai đánh phải nhập viện",
    "em uống thuốc quá liều phải nhập viện",
    "em rạch tay phải vào viện khâu",
    "mẹ em mất rồi em không muốn sống nữa",
    "em bệnh nặng, chỉ muốn chết cho đỡ khổ",
    "mất ngủ cả tháng, em kiệt quệ, không thiết gì nữa",
    "em ốm mà không ai quan tâm",
    "me em mat roi, em guc nga",
    "em bi om, o mot minh, khoc suot",
    "my mother passed away and i feel hopeless",
]


@pytest.mark.parametrize("text", HARDSHIPS)
def test_an_illness_an_accident_and_a_death_are_hardships(text: str) -> None:
    assert tells_of_hardship(text)
    assert not is_relieved(text)


@pytest.mark.parametrize("text", [*GRAVE, *IN_TROUBLE])
def test_a_hardship_with_anything_grave_is_none(text: str) -> None:
    assert not tells_of_hardship(text)
    assert not is_relieved(text)


@pytest.mark.parametrize(
    "text", ["da em cam on, noi ra do hon r", "em thấy nhẹ lòng hơn rồi ạ", "em ổn hơn rồi", "i feel better"]
)
def test_relief_is_heard(text: str) -> None:
    assert is_relieved(text)


@pytest.mark.parametrize(
    "text", ["em không ổn", "chết đi cho nhẹ lòng", "tự rạch tay thấy đỡ hơn", "em cảm ơn"]
)
def test_relief_is_neither_despair_nor_mere_thanks(text: str) -> None:
    assert not is_relieved(text)


WATCHED = [
    "Cháu nó dạo này hay khóc, không muốn đi học nữa, tôi lo lắm",
    "cháu không chịu ra khỏi phòng mấy ngày rồi",
    "chau no khong chiu ra khoi phong",
    "con gái tôi bỏ ăn mấy hôm nay, gia đình lo quá",
    "bạn cùng phòng em suốt ngày khóc, em không biết làm sao",
    "nó cứ khóc hoài, không nói chuyện với ai",
    "con tôi dạo này ít nói hẳn, tôi lo lắm",
    "bé nhà tôi tự nhốt mình trong phòng cả tuần",
    "bạn thân em muốn tự tử",
    "bạn em bị người yêu đánh",
    "my roommate cries every night",
]


@pytest.mark.parametrize("text", WATCHED)
def test_who_watches_somebody_withdraw_is_heard_as_worried_for_another(text: str) -> None:
    assert distress(text)
    assert is_of_somebody_else(text)


@pytest.mark.parametrize(
    "text",
    [
        "em bị bạn cùng lớp quấy rối",
        "bạn trai em đánh em",
        "bạn em bỏ em rồi, em không muốn sống nữa",
        "nó dọa tung ảnh em",
        "em muốn chết",
        "my boyfriend beats me",
    ],
)
def test_what_somebody_does_to_the_writer_is_the_writers_trouble(text: str) -> None:
    assert distress(text)
    assert not is_of_somebody_else(text)


@pytest.mark.parametrize(
    "text",
    [
        "cháu nhà tôi không muốn học ngành này nữa, muốn chuyển ngành",
        "con tôi không muốn đi học nữa thì rút hồ sơ ở đâu",
        "bạn cùng phòng em không chịu dọn vệ sinh",
        "bạn em không chịu làm bài tập nhóm",
        "bạn em hay khóc khi xem phim",
        "con tôi không chịu ăn cay, căng tin có món gì",
        "tôi lo cháu không đăng ký kịp học phần",
        "cháu nó không đăng ký được phòng ký túc xá",
    ],
)
def test_what_is_told_of_somebody_is_mostly_no_trouble(text: str) -> None:
    assert not distress(text)


@pytest.mark.parametrize(
    "text",
    [
        "em sợ rớt môn quá",
        "em sợ bị đuổi học quá",
        "so rot mon ghe",
        "lo quá sợ thi không qua môn triết",
        "em lo bị cảnh báo học vụ lắm",
        "sợ không đủ điểm học bổng",
        "em sợ bị kỷ luật vì quay bài",
        "rớt môn này em sợ lắm",
        "i'm scared of failing my exam",
    ],
)
def test_fear_of_a_mark_or_a_rule_is_a_worry_about_studies(text: str) -> None:
    assert worries_about_studies(text)
    assert not distress(text)


@pytest.mark.parametrize(
    "text",
    [
        "em sợ bố đánh vì rớt môn",
        "rớt môn em chỉ muốn chết",
        "thi rớt em tuyệt vọng quá, sợ",
        "em sợ bị bạn cùng lớp đánh sau giờ thi",
        "em sợ mình làm dại vì rớt môn",
        "em cô đơn, sợ thi",
        "học phí bao nhiêu",
        "lo diem bi tut xuong thi sao",
        "ma lo quen dang ky thi bi j",
        "e lo dki 9 tin thoi thi bi j ko",
        "so voi loai gioi thi thieu j",
        "so voi qtkd thi hon bao nhieu diem",
    ],
)
def test_fear_of_something_graver_is_none(text: str) -> None:
    assert not worries_about_studies(text)


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("em nên báo ai", True),
        ("gặp ai bây giờ", True),
        ("gọi số nào", True),
        ("who should i tell", True),
        ("cho em gap ai do noi chuyen voi", False),
        ("căng tin mở mấy giờ", False),
        ("điểm rèn luyện tính sao", False),
        ("thư viện ở đâu", False),
    ],
)
def test_a_question_to_whom_to_turn_is_told_from_others(text: str, asks: bool) -> None:
    assert asks_where_to_turn(text) is asks


@pytest.mark.parametrize(
    "text", ["em sợ quá", "so qua", "e so wa", "hoảng quá ạ", "trời sợ ghê", "I'm scared"]
)
def test_fear_and_nothing_else(text: str) -> None:
    assert is_mere_fear(text)


@pytest.mark.parametrize(
    "text",
    [
        "em sợ thầy",
        "em sợ lắm, cứu em với",
        "có người theo dõi em, em sợ quá",
        "cứu em. sợ quá",
        "em không sợ",
    ],
)
def test_fear_of_something_is_not_mere_fear(text: str) -> None:
    assert not is_mere_fear(text)


@pytest.mark.parametrize(
    "text",
    [
        "ho so xet tot nghiep gom gi",
        "Ho so hoc bong gom gi",
        "so tin chi toi da 1 ki",
        "nguoi dan toc thieu so ho can ngheo thi sao",
        "cho em so dien thoai phong thi",
        "co so 2 thi o phong nao",
        "diem so mon nay sao",
        "so mon hoc toi da",
    ],
)
def test_a_number_without_diacritics_is_no_fear(text: str) -> None:
    assert not worries_about_studies(text)


@pytest.mark.parametrize(
    "text", ["em so rot mon qua", "so bi duoi hoc", "e co so rot ko", "em so mon toan rot"]
)
def test_fear_without_diacritics_is_fear(text: str) -> None:
    assert worries_about_studies(text)

import pytest

from rag.rerank.opposites import opposite, poles


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Một học kỳ được đăng ký tối đa bao nhiêu tín chỉ?", "ít nhất phải đăng ký bao nhiêu tín chỉ"),
        ("toi thieu may tin chi 1 ky", "nhiều nhất mấy tín chỉ một kỳ"),
        ("điểm chuẩn cao nhất", "diem chuan thap nhat"),
    ],
)
def test_most_and_least_are_opposed_however_they_are_typed(one: str, other: str) -> None:
    assert opposite(poles(one), poles(other))
    assert opposite(poles(other), poles(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("tối đa mấy tín chỉ", "nhiều nhất mấy tín chỉ"),
        ("đăng ký mấy tín chỉ", "đăng ký tối đa mấy tín chỉ"),
        ("tối thiểu và tối đa mấy tín chỉ", "đăng ký tối đa mấy tín chỉ"),
        ("tối nay đa số nghỉ", "ít nhất mấy tín chỉ"),
    ],
)
def test_what_leaves_a_side_open_or_agrees_is_not(one: str, other: str) -> None:
    assert not opposite(poles(one), poles(other))

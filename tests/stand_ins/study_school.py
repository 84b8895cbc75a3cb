"""The school of the graph's tests with the study material of one of its courses."""

from __future__ import annotations

import shutil
from pathlib import Path

from graph_school import GRAPH_SCHOOL

MATERIAL = """---
title: Tài liệu môn Nhập môn lập trình
course: ct101
effective_from: 2026-09-01
---

# TÀI LIỆU HỌC TẬP MÔN NHẬP MÔN LẬP TRÌNH

Tập này có hai chương.

## Chương 1. Biến

### 1.1. Khai báo

Biến là một ô nhớ có tên. Phải khai báo biến trước khi dùng.

### 1.2. Phép gán

{second}

### Bài tập

Bài 1.1. Khai báo một biến giữ tuổi của một người.

Bài 1.2. Hoán đổi giá trị của hai biến.

## Chương 2. Vòng lặp

### 2.1. Lặp với số lần biết trước

Vòng lặp for dùng khi biết trước số lần lặp.

### Bài tập

Bài 2.1. In các số từ 1 đến 10 bằng vòng lặp for.

## Chương III. Hàm

### 3.1. Tham số

Hàm nhận tham số và trả về một giá trị.

## Tài liệu đọc

- Lê Văn Khánh, Giáo trình Nhập môn lập trình: đọc hai chương đầu.
"""

ASSIGNMENT = "Phép gán thay giá trị cũ của biến bằng giá trị mới, và giá trị cũ mất đi."


def study_school(folder: Path, second: str = ASSIGNMENT) -> Path:
    """Write the school into `folder`; `second` is the text of the second section of chapter 1."""
    shutil.copytree(GRAPH_SCHOOL, folder)
    (folder / "documents" / "tai-lieu.md").write_text(MATERIAL.format(second=second), encoding="utf-8")
    return folder

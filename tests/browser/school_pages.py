"""A school's own pages with the chat on them: one tag in the head, and whatever style the school has."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from school_site import school_site
from scripted_chat import ScriptedChat

TAG = (
    '<script src="{chat}/widget.js" data-title="Trường Đại học Sao La" data-language="vi"'
    ' data-consent-url="https://www.daihocsaola.example/du-lieu" {more} async></script>'
)

PAGE = """<!doctype html>
<html lang="vi">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Trường Đại học Sao La</title>
    <link rel="stylesheet" href="/school.css">
    {head}
  </head>
  <body>
    <header><nav aria-label="Chính"><a href="#">Sao La</a> <a href="#">Tuyển sinh</a> <a href="#">Đào tạo</a>
      <a href="#">Sinh viên</a> <a href="#">Nghiên cứu</a></nav></header>
    <main>
      <h1>Trường Đại học Sao La</h1>
      <p class="lead">Nơi bắt đầu những bước chân vững vàng.</p>
      <div class="news">
        <article><h2>Lịch xét tốt nghiệp đợt 2</h2>
          <p>Sinh viên nộp hồ sơ trực tuyến đến hết ngày 30 tháng 6.</p></article>
        <article><h2>Học bổng khuyến khích</h2>
          <p>Danh sách dự kiến được công bố trên cổng thông tin sinh viên.</p></article>
        <article><h2>Đăng ký học phần</h2>
          <p>Cổng đăng ký mở từ 8 giờ sáng thứ hai theo từng khóa.</p></article>
      </div>
      <label>Tìm kiếm <input id="search"></label>
    </main>
    <footer><p>Khu II, đường 3/2</p></footer>
    {foot}
  </body>
</html>
"""

PLAIN = """
body { margin: 0; font: 17px/1.6 Georgia, "Noto Serif", serif; color: #1d2433; background: #fbfaf7; }
header { background: #14315e; padding: 14px 6vw; }
nav a { color: #fff; margin-right: 26px; text-decoration: none; }
nav a:first-child { font-weight: 700; }
main { padding: 34px 6vw; }
h1 { font-size: 40px; margin: 0; color: #14315e; }
.lead { font-size: 20px; margin: 6px 0 30px; }
.news { display: grid; grid-template-columns: repeat(auto-fit, minmax(230px, 1fr)); gap: 20px; max-width: 900px; }
article { background: #fff; border: 1px solid #e2ded3; border-top: 4px solid #b8862b; padding: 6px 18px 10px; }
h2 { font-size: 20px; margin: 8px 0; }
label { display: block; margin-top: 30px; }
footer { padding: 18px 6vw; border-top: 1px solid #e2ded3; }
"""

HOSTILE = """
html { font-size: 62.5%; }
* { all: unset !important; }
*, *::before, *::after { color: rgb(255, 0, 0) !important; font: 40px/3 cursive !important;
  letter-spacing: 1em !important;
  text-transform: uppercase !important; direction: rtl !important; visibility: hidden !important; }
body > * { display: none !important; opacity: 0 !important; transform: scale(0.1) !important;
  position: static !important; }
button, textarea, dialog, section, p { display: none !important; background: rgb(255, 0, 0) !important; }
covan-chat { display: none !important; width: 1px !important; height: 1px !important; overflow: hidden !important; }
"""
"""Every reset and carelessness that a site may have, at once."""


def page(chat: str, more: str = "", element: str = "") -> str:
    """The school's page: with the script tag (and `more` of its attributes), and an element of its own when given."""
    return PAGE.format(head=TAG.format(chat=chat, more=more), foot=element)


@contextmanager
def embedded(chat: str, bot: ScriptedChat, style: str, *, more: str = "", element: str = "") -> Iterator[str]:
    """Serve the school's page; the chat allows its origin. Yields its address."""
    pages = {"/": page(chat, more, element), "/school.css": style}
    with school_site(pages, chat) as url:
        bot.origins = frozenset({url})
        yield url

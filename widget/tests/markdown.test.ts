import { describe, expect, it } from "vitest";
import { renderMarkdown } from "../src/markdown";

function html(source: string): string {
  const holder = document.createElement("div");
  holder.append(renderMarkdown(source));
  return holder.innerHTML.trim();
}

function text(source: string): string {
  return (renderMarkdown(source).textContent ?? "").trim();
}

describe("Markdown of an answer", () => {
  it("becomes paragraphs, lists and tables", () => {
    expect(html("**Học phí**:\n\n- đợt 1\n- đợt 2")).toBe(
      "<p><strong>Học phí</strong>:</p>\n<ul>\n<li>đợt 1</li>\n<li>đợt 2</li>\n</ul>",
    );
    expect(html("| a | b |\n|---|---|\n| 1 | 2 |")).toContain("<td>2</td>");
  });

  it("keeps the number of a quoted clause", () => {
    expect(html("**Điều 6, khoản 3**\n\n3. Nộp đơn trong bảy ngày.")).toBe(
      '<p><strong>Điều 6, khoản 3</strong></p>\n<ol start="3">\n<li>Nộp đơn trong bảy ngày.</li>\n</ol>',
    );
  });

  it.each(["\n", "\n\n"])("has the line below a list beside it: %j", (breaks) => {
    expect(html(`Cần:\n- A\n- B${breaks}Hạn: 15/9.\nNộp tại:\n1. C\n2. D${breaks}Hết.`)).toBe(
      "<p>Cần:</p>\n<ul>\n<li>A</li>\n<li>B</li>\n</ul>\n<p>Hạn: 15/9.<br>Nộp tại:</p>\n" +
        "<ol>\n<li>C</li>\n<li>D</li>\n</ol>\n<p>Hết.</p>",
    );
  });

  it.each([
    "3. Nộp:\na) đơn\nb) bảng điểm",
    "- Nộp:\n  đơn\n  - bảng điểm",
    "- Nộp\n\n  đơn",
    "* * *\n- đơn",
  ])("keeps an item of a list in one: %j", (item) => {
    expect(renderMarkdown(item).querySelectorAll("li:not(li li)")).toHaveLength(1);
  });

  it("keeps single line breaks", () => {
    expect(html("một\nhai")).toBe("<p>một<br>hai</p>");
  });

  it("opens links elsewhere and tells the other side nothing", () => {
    expect(html("[trang](https://www.daihocsaola.example/a)")).toBe(
      '<p><a href="https://www.daihocsaola.example/a" target="_blank" rel="noopener noreferrer">trang</a></p>',
    );
  });
});

describe("hostile text", () => {
  it.each([
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    "<iframe src=https://evil.example></iframe>",
    '<a href="javascript:alert(1)" onclick="alert(1)">x</a>',
    "<svg><animate onbegin=alert(1)></svg>",
    "<style>body{display:none}</style>",
  ])("stays text: %s", (hostile) => {
    const fragment = renderMarkdown(hostile);
    expect(fragment.querySelector("img, script, iframe, svg, style, a, [onclick]")).toBeNull();
    expect(text(hostile)).toBe(hostile);
  });

  it.each(["javascript:alert(1)", "data:text/html,x", "vbscript:x", "file:///etc/passwd", "//evil.example"])(
    "cannot make a link to %s",
    (address) => {
      expect(renderMarkdown(`[nhấn vào đây](${address})`).querySelector("a[href]")).toBeNull();
    },
  );

  it("cannot make the page fetch an image", () => {
    const fragment = renderMarkdown("![đường đi](https://evil.example/pixel.png)");
    expect(fragment.querySelector("img")).toBeNull();
    expect(fragment.textContent?.trim()).toBe("đường đi");
  });
});

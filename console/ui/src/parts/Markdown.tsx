import DOMPurify from "dompurify";
import { Marked } from "marked";

const escaped = (source: string) => source.replace(/[&<>"]/g, (sign) => `&#${String(sign.charCodeAt(0))};`);

/** As the chat page shows a text: HTML in it stands as it was written, and there are no pictures. */
const marked = new Marked({
  renderer: {
    html: ({ text }) => escaped(text),
    image: ({ text, href }) => escaped(text || href),
  },
});

const htmlOf = (text: string, breaks = true) =>
  DOMPurify.sanitize(marked.parse(text, { async: false, breaks }), {
    FORBID_TAGS: ["img", "style", "form", "input"],
  });

/** The words of a Markdown text without its marks, for an excerpt. */
export function plainText(text: string): string {
  return new DOMParser().parseFromString(htmlOf(text, false), "text/html").body.textContent.trim();
}

/** A text of the school as the student's channel shows it. */
export function Markdown({ text }: { text: string }) {
  const html = htmlOf(text);
  return <div className="markdown" dangerouslySetInnerHTML={{ __html: html }} />;
}

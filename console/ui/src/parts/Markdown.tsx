import DOMPurify from "dompurify";
import { marked } from "marked";

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

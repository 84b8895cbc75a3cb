import DOMPurify from "dompurify";
import { marked } from "marked";

/** A text of the school as the student's channel shows it. */
export function Markdown({ text }: { text: string }) {
  const html = DOMPurify.sanitize(marked.parse(text, { async: false, breaks: true }), {
    FORBID_TAGS: ["img", "style", "form", "input"],
  });
  return <div className="markdown" dangerouslySetInnerHTML={{ __html: html }} />;
}

/** Markdown of answers as safe HTML: no images, no scripts, nothing fetched; HTML in the text stays text. */

import DOMPurify from "dompurify";
import { Marked } from "marked";

const TAGS = [
  ...["p", "br", "hr", "strong", "em", "del", "code", "pre", "blockquote", "a"],
  ...["ul", "ol", "li", "h1", "h2", "h3", "h4", "h5", "h6"],
  ...["table", "thead", "tbody", "tr", "th", "td"],
];

/** Attributes that are kept besides links, and lead nowhere. */
const NO_ADDRESSES = ["title", "start", "align"];

const escapeHtml = (source: string): string =>
  source.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const marked = new Marked({
  gfm: true,
  breaks: true,
  async: false,
  renderer: {
    html: (token) => escapeHtml(token.text),
    image: (token) => escapeHtml(token.text || token.href),
  },
});

const purifier = DOMPurify(window);

purifier.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName === "A" && node.hasAttribute("href")) {
    node.setAttribute("target", "_blank");
    node.setAttribute("rel", "noopener noreferrer");
  }
});

export function renderMarkdown(source: string): DocumentFragment {
  return purifier.sanitize(marked.parse(source, { async: false }), {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ["href", ...NO_ADDRESSES],
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|tel:)/i,
    // Else their values would have to be addresses too, and a quoted clause 2 would be shown as clause 1.
    ADD_URI_SAFE_ATTR: NO_ADDRESSES,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
}

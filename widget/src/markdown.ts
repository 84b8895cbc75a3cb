/** Markdown of answers as safe HTML: no images, no scripts, nothing fetched; HTML in the text stays text. */

import DOMPurify from "dompurify";
import { Marked, Tokenizer } from "marked";

const TAGS = [
  ...["p", "br", "hr", "strong", "em", "del", "code", "pre", "blockquote", "a"],
  ...["ul", "ol", "li", "h1", "h2", "h3", "h4", "h5", "h6"],
  ...["table", "thead", "tbody", "tr", "th", "td"],
];

/** Attributes that are kept besides links, and lead nowhere. */
const NO_ADDRESSES = ["title", "start", "align"];

const escapeHtml = (source: string): string =>
  source.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Where a list begins: "- ", "3. ". */
const LIST = /^ {0,3}(?:[*+-]|\d{1,9}[.)])\s/;

/** A line that is not indented, and is neither an item of a list nor a point of a clause, as "a) " is. */
const BESIDE_LIST = /\n(?!(?:[*+-]|\d{1,9}[.)]|\p{L}[.)])(?:\s|$))(?=\S)/u;

/** Return `source`, which begins with a list, up to the line below it that is no part of it. */
function untilBesideList(source: string): string {
  return source.slice(0, source.search(BESIDE_LIST) + 1 || undefined);
}

const marked = new Marked({
  gfm: true,
  breaks: true,
  async: false,
  renderer: {
    html: (token) => escapeHtml(token.text),
    image: (token) => escapeHtml(token.text || token.href),
  },
  tokenizer: {
    // CommonMark reads the line below a list as more of its last item; who writes an answer, and the other channels, do
    // not.
    list(source) {
      return LIST.test(source) && Tokenizer.prototype.list.call(this, untilBesideList(source));
    },
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

/** Where an answer stands: one row, which opens to the documents and the quoted clauses. */

import { html, nothing, type TemplateResult } from "lit";
import { filled, type Words } from "../locale";
import type { Citation } from "../wire";
import type { View } from "./context";
import { icon } from "./icon";

/** "Quy định … (số 512/QĐ-ĐHX), Điều 4, khoản 1, trang 3" */
export function sourceLine({ title, number, locator, page }: Citation, words: Words): string {
  const document = title + (number && ` (${words.number} ${number})`);
  return [document, locator, page && `${words.page} ${page}`].filter(Boolean).join(", ");
}

/** What the closed row tells of the sources: "Điều 4, khoản 1 · Sổ tay sinh viên", each once. */
export function shortLocators(citations: readonly Citation[]): string {
  const places = citations.map(({ title, number, locator }) => locator || number || title);
  return [...new Set(places)].join(" · ");
}

export function sources(citations: readonly Citation[], view: View): TemplateResult | typeof nothing {
  if (citations.length === 0) return nothing;
  const { words } = view;
  return html`<details class="sources" @toggle=${showOpened}>
    <summary>
      ${icon("document")}
      <span class="sources-title">${filled(words.sources, citations.length)}</span>
      <span class="sources-places">${shortLocators(citations)}</span>
    </summary>
    <ol aria-label=${filled(words.sources, citations.length)}>
      ${citations.map((citation) => html`<li class="source">${source(citation, words)}</li>`)}
    </ol>
  </details>`;
}

function source(citation: Citation, words: Words): TemplateResult {
  return html`<p class="source-line">${sourceLine(citation, words)}</p>
    ${citation.quote ? html`<blockquote>${citation.quote}</blockquote>` : nothing}
    ${
      citation.url
        ? html`<a class="source-link" href=${citation.url} target="_blank" rel="noopener noreferrer"
            >${words.openDocument}</a
          >`
        : nothing
    }`;
}

/** What has been opened may lie below the end of what is seen: it is brought into sight, its first line above all. */
function showOpened(event: Event): void {
  const opened = event.currentTarget as HTMLDetailsElement;
  if (!opened.open) return;
  const scroller = opened.closest(".scroller");
  const fits = !scroller || opened.offsetHeight < scroller.clientHeight;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  opened.scrollIntoView({ block: fits ? "nearest" : "start", behavior: calm ? "instant" : "smooth" });
}

/** Where an answer stands: cards that open to the quoted clause. */

import { html, nothing, type TemplateResult } from "lit";
import type { Words } from "../locale";
import type { Citation } from "../wire";
import type { View } from "./context";
import { icon } from "./icon";

/** More sources than these are folded away: an answer must not drown in its footnotes. */
const SHOWN = 2;

/** "Quy định … (số 512/QĐ-ĐHX), Điều 4, khoản 1, trang 3" */
export function sourceLine({ title, number, locator, page }: Citation, words: Words): string {
  const document = title + (number && ` (${words.number} ${number})`);
  return [document, locator, page && `${words.page} ${page}`].filter(Boolean).join(", ");
}

export function sources(citations: readonly Citation[], { words }: View): TemplateResult | typeof nothing {
  if (citations.length === 0) return nothing;
  const items = citations.map((citation) => html`<li>${card(citation, words)}</li>`);
  const rest = items.slice(SHOWN);
  return html`<ul class="sources" aria-label=${words.sources}>
    ${items.slice(0, SHOWN)}
    ${
      rest.length > 0
        ? html`<li>
            <details class="more">
              <summary>${words.moreSources.replace("{n}", String(rest.length))}</summary>
              <ul class="sources">
                ${rest}
              </ul>
            </details>
          </li>`
        : nothing
    }
  </ul>`;
}

function card(citation: Citation, words: Words): TemplateResult {
  const heading = html`${icon("document")}<span class="source-line"
      ><b>${words.source}:</b> ${sourceLine(citation, words)}</span
    >`;
  const link = citation.url
    ? html`<a class="source-link" href=${citation.url} target="_blank" rel="noopener noreferrer"
        >${words.openDocument}</a
      >`
    : nothing;
  if (!citation.quote)
    return html`<div class="source">
      <div class="summary">${heading}</div>
      ${link}
    </div>`;
  return html`<details class="source">
    <summary class="summary">${heading}</summary>
    <blockquote>${citation.quote}</blockquote>
    ${link}
  </details>`;
}

/** Parts of an answer that are shown as what they are: whom to call, what to open, until when. */

import { html, nothing, type TemplateResult } from "lit";
import { mail, site, telephone } from "../address";
import { byUrgency, deadlineWords } from "../dates";
import type { Card, ContactCard, DeadlineCard, LinkCard } from "../wire";
import type { View } from "./context";
import { icon } from "./icon";

export function cards(all: readonly Card[], view: View): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  return html`<ul class="cards">
    ${inOrder(all, view.now).map((card) => html`<li>${one(card, view)}</li>`)}
  </ul>`;
}

/** As they came, but deadlines among each other by what is next. */
function inOrder(all: readonly Card[], now: number): readonly Card[] {
  const deadlines = all.filter((card) => card.kind === "deadline");
  const order = byUrgency(
    deadlines.map(({ date }) => date),
    now,
  );
  let next = 0;
  return all.map((card) => (card.kind === "deadline" ? (deadlines[order[next++] ?? 0] ?? card) : card));
}

function one(card: Card, view: View): TemplateResult | typeof nothing {
  if (card.kind === "contact") return contact(card, view);
  if (card.kind === "link") return link(card, view);
  return deadline(card, view);
}

function contact(card: ContactCard, { words }: View): TemplateResult {
  const phone = telephone(card.phone);
  const address = mail(card.email);
  return html`<div class="card contact" role="group" aria-label="${words.contact}: ${card.name}">
    <p class="card-title">${card.name}</p>
    ${card.note ? html`<p class="card-note">${card.note}</p>` : nothing}
    ${card.address ? html`<p class="card-line">${icon("place")}<span>${card.address}</span></p>` : nothing}
    ${card.hours ? html`<p class="card-line">${icon("clock")}<span>${card.hours}</span></p>` : nothing}
    ${card.phone && !phone ? html`<p class="card-line">${icon("phone")}<span>${card.phone}</span></p>` : nothing}
    ${card.email && !address ? html`<p class="card-line">${icon("mail")}<span>${card.email}</span></p>` : nothing}
    ${
      phone || address || card.mapUrl
        ? html`<div class="card-actions">
            ${phone ? html`<a class="call" href=${phone} aria-label="${words.call} ${card.phone}">${icon("phone")}${card.phone}</a>` : nothing}
            ${address ? html`<a href=${address} aria-label="${words.write} ${card.email}">${icon("mail")}${card.email}</a>` : nothing}
            ${
              card.mapUrl
                ? html`<a href=${card.mapUrl} target="_blank" rel="noopener noreferrer"
                    >${icon("place")}${words.map}</a
                  >`
                : nothing
            }
          </div>`
        : nothing
    }
  </div>`;
}

function link(card: LinkCard, { words }: View): TemplateResult {
  return html`<a class="card link" href=${card.url} target="_blank" rel="noopener noreferrer">
    ${icon("link")}
    <span class="visually-hidden">${words.linkCard}: </span>
    <span class="card-text"
      ><span class="card-title">${card.title}</span><span class="card-note">${site(card.url)}</span></span
    >
  </a>`;
}

function deadline(card: DeadlineCard, { words, now, language }: View): TemplateResult | typeof nothing {
  const day = deadlineWords(card.date, now, language, card.isBefore);
  if (!day) return nothing;
  return html`<div class="card deadline ${day.past ? "past" : ""}">
    <div class="day" aria-hidden="true"><b>${day.day}</b><span>${day.month}</span></div>
    <div class="card-text">
      <p class="card-title">
        <span class="visually-hidden">${words.deadline}: </span
        ><time datetime=${card.date}>${day.whole}</time>
        ${day.left ? html`<span class="left">${day.left}</span>` : nothing}
      </p>
      <p class="card-note">${card.text}</p>
    </div>
  </div>`;
}

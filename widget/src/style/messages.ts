/** The conversation: bubbles, answers in Markdown, sources, cards, ratings. */

import { css } from "lit";

export const messages = css`
  .scroller {
    position: relative;
    grid-row: 3;
    overflow: hidden auto;
    padding: 1em 0.75em 1.1em;
    overscroll-behavior: contain;
  }

  .scroller:focus-visible {
    outline-offset: -3px;
  }

  .column {
    display: flex;
    flex-direction: column;
    gap: 0.85em;
    max-width: var(--column);
    margin-inline: auto;
  }

  .day {
    margin: 0.2em 0;
    color: var(--soft);
    font-size: 0.8em;
    text-align: center;
  }

  .earlier {
    align-self: center;
  }

  .turn {
    display: flex;
    gap: 0.55em;
    max-width: 100%;
  }

  .turn.user {
    flex-direction: column;
    align-items: flex-end;
    gap: 0.35em;
  }

  .turn > .avatar {
    width: 1.8em;
    height: 1.8em;
    margin-top: 0.2em;
  }

  .turn.notice > .avatar {
    background: var(--tint);
    color: var(--on-tint);
  }

  .turn.advisor > .avatar {
    background: var(--person-tint);
    color: var(--person);
  }

  .body {
    display: flex;
    flex: 0 1 auto;
    flex-direction: column;
    align-items: flex-start;
    gap: 0.5em;
    min-width: 0;
    max-width: min(100%, 40em);
  }

  .bubble {
    max-width: 100%;
    margin: 0;
    padding: 0.55em 0.9em;
    border-radius: 1.1em;
    overflow-wrap: anywhere;
  }

  .user .bubble {
    max-width: 86%;
    border-end-end-radius: 0.35em;
    background: var(--accent);
    color: var(--on-accent);
    white-space: pre-wrap;
  }

  .user:is(.sending, .waiting, .failed) .bubble {
    border: 1px dashed var(--soft);
    background: var(--surface);
    color: var(--text);
  }

  .bot .bubble {
    border: 1px solid var(--line);
    border-start-start-radius: 0.35em;
    background: var(--surface);
    box-shadow: var(--shadow);
  }

  .notice .bubble {
    border-style: dashed;
    background: none;
    box-shadow: none;
  }

  .advisor .bubble {
    border-color: var(--person-line);
    background: var(--person-tint);
  }

  .byline {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.45em;
    margin: 0.15em 0.2em -0.15em;
    color: var(--soft);
    font-size: 0.8em;
    line-height: 1.4;
  }

  .byline b {
    color: var(--text);
    font-size: 1.08em;
  }

  .reply-to {
    margin: 0 0.2em -0.1em;
    padding-inline-start: 0.7em;
    border-inline-start: 3px solid var(--line);
    color: var(--soft);
    font-size: 0.86em;
    line-height: 1.4;
    overflow-wrap: anywhere;
  }

  /* A number that is there to be called. */
  .call {
    white-space: nowrap;
  }

  .markdown a.call {
    display: inline-flex;
    align-items: center;
    min-height: 2em;
    padding: 0.05em 0.8em;
    border-radius: 999px;
    background: var(--accent);
    color: var(--on-accent);
    font-weight: 700;
    text-decoration: none;
  }

  .markdown a.call:hover {
    text-decoration: underline;
  }

  .badge {
    padding: 0.05em 0.55em;
    border: 1px solid var(--person-line);
    border-radius: 999px;
    background: var(--person-tint);
    color: var(--person);
    font-size: 0.88em;
  }

  /* --- Markdown --- */

  .markdown > :first-child {
    margin-top: 0;
  }

  .markdown > :last-child {
    margin-bottom: 0;
  }

  .markdown :is(p, ul, ol, blockquote, pre, table) {
    margin: 0.55em 0;
  }

  .markdown :is(h1, h2, h3, h4, h5, h6) {
    margin: 0.8em 0 0.3em;
    font-size: 1.05em;
  }

  .markdown :is(ul, ol) {
    padding-inline-start: 1.5em;
  }

  .markdown li + li {
    margin-top: 0.3em;
  }

  .markdown li::marker {
    color: var(--link);
    font-weight: 650;
  }

  .markdown a,
  .source-link {
    color: var(--link);
    text-underline-offset: 0.15em;
  }

  .markdown :is(table, pre) {
    display: block;
    max-width: 100%;
    overflow-x: auto;
  }

  .markdown table {
    border-collapse: collapse;
    font-size: 0.93em;
  }

  .markdown :is(th, td) {
    padding: 0.35em 0.7em;
    border: 1px solid var(--line);
    text-align: start;
    vertical-align: top;
    overflow-wrap: normal;
  }

  .markdown th {
    background: var(--tint);
    color: var(--on-tint);
  }

  .markdown code {
    padding: 0.1em 0.3em;
    border-radius: 0.3em;
    background: var(--tint);
    font-size: 0.92em;
  }

  .markdown blockquote,
  .source blockquote {
    padding-inline-start: 0.8em;
    border-inline-start: 3px solid var(--accent);
    color: var(--soft);
  }

  /* --- sources --- */

  .cards {
    display: grid;
    gap: 0.4em;
    width: 100%;
    margin: 0;
    padding: 0;
    list-style: none;
  }

  .sources,
  .card {
    width: 100%;
    border: 1px solid var(--line);
    border-radius: 0.85em;
    background: var(--surface);
    font-size: 0.9em;
    line-height: 1.45;
  }

  .sources {
    scroll-margin: 0.75em;
  }

  .sources:not([open]) {
    width: fit-content;
    max-width: 100%;
    border-radius: 999px;
  }

  .sources > summary {
    display: flex;
    align-items: center;
    gap: 0.5em;
    min-height: 2.6em;
    padding: 0.3em 0.9em;
    border-radius: inherit;
    color: var(--soft);
    cursor: pointer;
    list-style: none;
  }

  .sources > summary::-webkit-details-marker {
    display: none;
  }

  .sources > summary::after {
    flex: none;
    width: 0.5em;
    height: 0.5em;
    margin: -0.3em 0.15em 0 auto;
    border: solid var(--soft);
    border-width: 0 2px 2px 0;
    transform: rotate(45deg);
    content: "";
  }

  .sources[open] > summary::after {
    margin-top: 0.3em;
    transform: rotate(225deg);
  }

  .sources > summary:hover {
    background: var(--tint);
    color: var(--on-tint);
  }

  .sources > summary .icon {
    color: var(--link);
  }

  .sources-title {
    flex: none;
    color: var(--link);
    font-weight: 650;
  }

  .sources-places {
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .sources[open] .sources-places {
    visibility: hidden;
  }

  .sources ol {
    display: grid;
    gap: 0.7em;
    margin: 0;
    padding: 0.2em 0.9em 0.8em 2.3em;
  }

  .source::marker {
    color: var(--link);
    font-weight: 650;
  }

  .source-line {
    margin: 0;
    font-weight: 600;
    overflow-wrap: anywhere;
  }

  .source blockquote {
    margin: 0.4em 0 0;
    color: var(--text);
    white-space: pre-line;
    overflow-wrap: anywhere;
  }

  .source-link {
    display: inline-block;
    margin-top: 0.3em;
    padding-block: 0.2em;
  }

  /* --- cards --- */

  .card {
    padding: 0.6em 0.85em;
    overflow-wrap: anywhere;
  }

  .card p {
    margin: 0;
  }

  .card-title {
    font-weight: 650;
  }

  .card-note,
  .card-line {
    color: var(--soft);
  }

  .card-line {
    display: flex;
    gap: 0.5em;
    margin-top: 0.3em !important;
  }

  .card-line .icon {
    margin-top: 0.1em;
  }

  .card-text {
    display: grid;
    gap: 0.1em;
    min-width: 0;
  }

  .card-actions {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4em;
    margin-top: 0.55em;
  }

  .card-actions a {
    display: inline-flex;
    align-items: center;
    gap: 0.4em;
    min-height: 2.4em;
    padding: 0.2em 0.8em;
    border-radius: 999px;
    background: var(--tint);
    color: var(--on-tint);
    text-decoration: none;
  }

  .card-actions a.call {
    background: var(--accent);
    color: var(--on-accent);
    font-weight: 650;
  }

  .card-actions a:hover,
  .card.link:hover .card-title {
    text-decoration: underline;
  }

  .card.link {
    display: flex;
    align-items: center;
    gap: 0.7em;
    color: var(--link);
    text-decoration: none;
  }

  .card.deadline {
    display: flex;
    align-items: flex-start;
    gap: 0.8em;
  }

  .day[aria-hidden] {
    display: grid;
    flex: none;
    align-content: center;
    width: 4em;
    min-height: 3.2em;
    margin: 0;
    border-radius: 0.7em;
    background: var(--tint);
    color: var(--on-tint);
    font-size: 1em;
    line-height: 1.2;
  }

  .day[aria-hidden] b {
    font-size: 1.25em;
  }

  .day[aria-hidden] span {
    font-size: 0.75em;
    white-space: nowrap;
  }

  .left {
    display: inline-block;
    padding: 0 0.5em;
    border-radius: 999px;
    background: var(--person-tint);
    color: var(--person);
    font-weight: 500;
  }

  .card.past {
    border-style: dashed;
    background: none;
    color: var(--soft);
  }

  .past :is(.day[aria-hidden], .left) {
    background: none;
    color: var(--soft);
  }

  .past .left {
    padding: 0;
  }

  /* --- ratings --- */

  .rating {
    display: flex;
    align-items: center;
    gap: 0.15em;
    margin-top: -0.2em;
  }

  .thumb {
    display: grid;
    place-items: center;
    width: 2.4em;
    height: 2.2em;
    padding: 0;
    border: 0;
    border-radius: 999px;
    background: none;
    color: var(--soft);
  }

  .thumb:hover {
    background: var(--tint);
    color: var(--on-tint);
  }

  .thumb[aria-pressed="true"] {
    color: var(--link);
  }

  .thumb[aria-pressed="true"] .icon {
    fill: var(--tint);
    stroke-width: 2.2;
  }

  .thanks {
    margin-inline-start: 0.3em;
    color: var(--soft);
    font-size: 0.86em;
  }

  .reasons {
    display: grid;
    gap: 0.6em;
    width: 100%;
    padding: 0.75em 0.85em;
    border: 1px solid var(--line);
    border-radius: 0.85em;
    background: var(--surface);
    font-size: 0.92em;
    scroll-margin: 0.5em;
  }

  .reasons p {
    margin: 0;
    font-weight: 600;
  }

  .reasons input {
    width: 100%;
    min-height: 2.4em;
    padding: 0.3em 0.8em;
    border: 1px solid color-mix(in srgb, var(--soft) 55%, var(--line));
    border-radius: 0.8em;
    background: var(--ground);
  }

  .reasons input::placeholder {
    color: var(--soft);
    opacity: 1;
  }

  /* --- waiting and trouble --- */

  .dots {
    display: flex;
    align-items: center;
    gap: 0.3em;
    min-height: 2.6em;
  }

  .dots i {
    width: 0.45em;
    height: 0.45em;
    border-radius: 50%;
    background: var(--soft);
  }

  @media (prefers-reduced-motion: no-preference) {
    .dots i {
      animation: dot 1.2s infinite ease-in-out;
    }

    .dots i:nth-of-type(2) {
      animation-delay: 0.16s;
    }

    .dots i:nth-of-type(3) {
      animation-delay: 0.32s;
    }
  }

  @keyframes dot {
    0%,
    60%,
    100% {
      transform: translateY(0);
      opacity: 0.45;
    }

    30% {
      transform: translateY(-0.3em);
      opacity: 1;
    }
  }

  .problem {
    display: grid;
    gap: 0.4em;
    max-width: 86%;
    padding: 0.55em 0.8em;
    border-radius: 0.85em;
    background: var(--danger-tint);
    color: var(--danger);
    font-size: 0.88em;
  }

  .problem p {
    margin: 0;
  }

  .problem .quiet {
    color: inherit;
  }

  /* In a narrow panel every pixel of width is text's. */
  .root:is(.float, .small) .turn > .avatar {
    display: none;
  }

  .root:is(.float, .small) .body {
    max-width: 96%;
  }
`;

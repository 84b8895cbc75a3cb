/**
 * Colours and sizes. What begins with --covan- is the school's to set on the element or above it, and is described in
 * docs/kenh-website.md; the rest is derived.
 */

import { css } from "lit";

export const theme = css`
  /* Declarations with !important of a shadow tree win over those of the page: no reset of the page reaches the host. */
  :host {
    all: initial !important;
    display: block !important;
    direction: ltr !important;
  }

  :host([hidden]) {
    display: none !important;
  }

  :host([mode="page"]) {
    height: var(--covan-page-height, 100dvh) !important;
  }

  .root {
    --accent: var(--covan-accent, #0f6e56);
    --on-accent: var(--covan-on-accent, #ffffff);
    --ground: var(--covan-ground, #f4f6f4);
    --surface: var(--covan-surface, #ffffff);
    --text: var(--covan-text, #17211d);
    --soft: var(--covan-soft-text, #56645e);
    --line: var(--covan-line, #dbe2de);
    --link: color-mix(in srgb, var(--accent) 85%, #000000);
    --tint: color-mix(in srgb, var(--accent) 10%, var(--surface));
    --on-tint: color-mix(in srgb, var(--accent) 70%, #000000);
    --danger: #a3211a;
    --danger-tint: #fdecea;
    --person: #7a4a00;
    --person-tint: #fff3da;
    --person-line: #ecd5a4;
    --shadow: 0 1px 2px rgb(16 32 26 / 7%), 0 4px 14px rgb(16 32 26 / 6%);
    --lifted: 0 2px 8px rgb(10 22 18 / 16%), 0 16px 48px rgb(10 22 18 / 22%);
    --radius: var(--covan-radius, 18px);
    --column: 46em;
    color: var(--text);
    color-scheme: light;
    font-family: var(
      --covan-font,
      system-ui,
      -apple-system,
      "Segoe UI",
      Roboto,
      "Noto Sans",
      "Helvetica Neue",
      Arial,
      sans-serif
    );
    font-size: var(--covan-font-size, 16px);
    line-height: 1.5;
    -webkit-text-size-adjust: 100%;
  }

  .root.dark {
    --accent: var(--covan-accent-dark, #3fb08d);
    --on-accent: var(--covan-on-accent-dark, #04150f);
    --ground: var(--covan-ground-dark, #0c1311);
    --surface: var(--covan-surface-dark, #15201c);
    --text: var(--covan-text-dark, #e7eeea);
    --soft: var(--covan-soft-text-dark, #a3b3ac);
    --line: var(--covan-line-dark, #2b3a34);
    --link: color-mix(in srgb, var(--accent) 75%, #ffffff);
    --tint: color-mix(in srgb, var(--accent) 20%, var(--surface));
    --on-tint: color-mix(in srgb, var(--accent) 40%, #ffffff);
    --danger: #ffaca4;
    --danger-tint: #3d1c19;
    --person: #ffd58a;
    --person-tint: #33270f;
    --person-line: #57441c;
    --shadow: 0 1px 2px rgb(0 0 0 / 40%);
    --lifted: 0 2px 8px rgb(0 0 0 / 50%), 0 16px 48px rgb(0 0 0 / 60%);
    color-scheme: dark;
  }

  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }

  button,
  input,
  textarea {
    margin: 0;
    color: inherit;
    font: inherit;
    letter-spacing: inherit;
  }

  button {
    cursor: pointer;
  }

  button:disabled {
    cursor: default;
  }

  :focus-visible {
    outline: 3px solid var(--accent);
    outline-offset: 2px;
  }

  [hidden] {
    display: none !important;
  }

  .visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }

  .icon {
    flex: none;
    width: 1.25em;
    height: 1.25em;
    fill: none;
    stroke: currentcolor;
    stroke-width: 1.8;
    stroke-linecap: round;
    stroke-linejoin: round;
  }

  .avatar {
    display: grid;
    flex: none;
    place-items: center;
    width: 2em;
    height: 2em;
    border-radius: 50%;
    background: var(--accent);
    color: var(--on-accent);
  }

  .quiet,
  .strong,
  .retry {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    min-height: 2.6em;
    padding: 0.25em 0.9em;
    border: 1px solid transparent;
    border-radius: 999px;
    background: none;
    font-size: 0.9em;
  }

  .quiet {
    color: var(--soft);
  }

  .quiet:hover {
    background: var(--tint);
    color: var(--on-tint);
  }

  .strong {
    background: var(--accent);
    color: var(--on-accent);
    font-weight: 600;
  }

  .strong.danger {
    background: var(--danger);
    color: var(--surface);
  }

  .retry {
    border-color: currentcolor;
    font-weight: 600;
  }

  .buttons {
    display: flex;
    flex-wrap: wrap;
    justify-content: flex-end;
    gap: 0.4em;
  }

  .options {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5em;
  }

  .chip {
    min-height: 2.4em;
    padding: 0.3em 0.95em;
    border: 1px solid color-mix(in srgb, var(--accent) 65%, var(--line));
    border-radius: 1.2em;
    background: var(--surface);
    color: var(--link);
    font-size: 0.94em;
    line-height: 1.35;
    text-align: start;
    overflow-wrap: anywhere;
  }

  .chip:hover:enabled,
  .chip[aria-pressed="true"] {
    border-color: var(--accent);
    background: var(--tint);
    color: var(--on-tint);
  }

  .chip[aria-pressed="true"] .icon {
    width: 1em;
    height: 1em;
    margin-inline-end: 0.4em;
    stroke-width: 3;
    vertical-align: -0.12em;
  }

  .chip:disabled:not([aria-pressed="true"]) {
    border-color: var(--line);
    color: var(--soft);
  }

  @media (prefers-reduced-motion: no-preference) {
    .chip,
    .send,
    .launcher,
    .sources > summary::after {
      transition:
        background 0.15s,
        color 0.15s,
        transform 0.15s,
        opacity 0.15s;
    }
  }
`;

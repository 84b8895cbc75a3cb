/** The launcher, the panel and what frames the conversation in it. */

import { css } from "lit";

export const panel = css`
  .launcher {
    position: fixed;
    right: max(var(--covan-offset-x, 20px), env(safe-area-inset-right));
    bottom: max(var(--covan-offset-y, 20px), env(safe-area-inset-bottom));
    z-index: var(--covan-z-index, 2147483000);
    display: grid;
    place-items: center;
    width: 3.75em;
    height: 3.75em;
    padding: 0;
    border: 0;
    border-radius: 50%;
    background: var(--accent);
    color: var(--on-accent);
    box-shadow: var(--lifted);
  }

  .root.left .launcher {
    right: auto;
    left: max(var(--covan-offset-x, 20px), env(safe-area-inset-left));
  }

  .launcher .icon {
    width: 1.75em;
    height: 1.75em;
  }

  .launcher .count {
    position: absolute;
    top: -0.2em;
    right: -0.2em;
    min-width: 1.6em;
    padding: 0 0.4em;
    border: 2px solid var(--surface);
    border-radius: 999px;
    background: #b3261e;
    color: #ffffff;
    font-weight: 700;
    font-size: 0.8em;
    line-height: 1.5;
    text-align: center;
  }

  .panel {
    display: grid;
    grid-template: auto auto minmax(0, 1fr) auto / minmax(0, 1fr);
    overflow: hidden;
    background: var(--ground);
    color: var(--text);
  }

  section.panel {
    height: 100%;
  }

  dialog:not([open]) {
    display: none;
  }

  dialog.panel {
    position: fixed;
    inset: auto;
    right: max(var(--covan-offset-x, 20px), env(safe-area-inset-right));
    bottom: calc(max(var(--covan-offset-y, 20px), env(safe-area-inset-bottom)) + 4.5em);
    z-index: var(--covan-z-index, 2147483000);
    width: min(var(--covan-width, 400px), calc(100vw - 2 * var(--covan-offset-x, 20px)));
    max-width: none;
    height: min(var(--covan-height, 680px), calc(100dvh - 8em));
    max-height: none;
    margin: 0;
    padding: 0;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    box-shadow: var(--lifted);
  }

  .root.left dialog.panel {
    right: auto;
    left: max(var(--covan-offset-x, 20px), env(safe-area-inset-left));
  }

  dialog.panel::backdrop {
    background: none;
  }

  /* On a phone the panel is the screen; --seen-top and --seen-height leave out the keyboard. */
  .root.small dialog.panel {
    inset: var(--seen-top, 0) 0 auto 0;
    width: 100%;
    height: var(--seen-height, 100dvh);
    border: 0;
    border-radius: 0;
  }

  .panel:focus {
    outline: none;
  }

  header {
    position: relative;
    z-index: 2;
    grid-row: 1;
    display: flex;
    align-items: center;
    gap: 0.25em;
    padding: 0.55em 0.6em 0.55em 0.9em;
    padding-top: max(0.55em, env(safe-area-inset-top));
    border-bottom: 1px solid var(--line);
    background: var(--surface);
  }

  header .avatar {
    width: 2.4em;
    height: 2.4em;
    margin-right: 0.45em;
  }

  .names {
    flex: 1;
    min-width: 0;
  }

  .names :is(h1, h2, p) {
    margin: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .names :is(h1, h2) {
    font-weight: 650;
    font-size: 1em;
    line-height: 1.3;
  }

  /* Where there is little room, a long name may take two lines. */
  .root:is(.float, .small) .names :is(h1, h2) {
    display: -webkit-box;
    font-size: 0.95em;
    line-height: 1.2;
    white-space: normal;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
  }

  .names p {
    color: var(--soft);
    font-size: 0.82em;
    line-height: 1.3;
  }

  .tool {
    display: grid;
    flex: none;
    place-items: center;
    min-width: 2.4em;
    height: 2.4em;
    padding: 0;
    border: 0;
    border-radius: 0.8em;
    background: none;
    color: var(--soft);
  }

  .tool.language {
    font-weight: 600;
    font-size: 0.86em;
  }

  .tool .icon {
    stroke-width: 2;
  }

  #menu-button .icon {
    stroke-width: 3;
  }

  .tool:hover,
  .tool[aria-expanded="true"] {
    background: var(--tint);
    color: var(--on-tint);
  }

  .menu {
    position: absolute;
    top: calc(100% - 0.2em);
    right: 0.6em;
    display: grid;
    width: min(17em, calc(100% - 1.2em));
    padding: 0.4em;
    border: 1px solid var(--line);
    border-radius: 1em;
    background: var(--surface);
    box-shadow: var(--lifted);
  }

  .menu > :is(button, a) {
    display: block;
    min-height: 2.6em;
    padding: 0.5em 0.8em;
    border: 0;
    border-radius: 0.7em;
    background: none;
    color: var(--text);
    font-size: 0.95em;
    text-align: start;
    text-decoration: none;
  }

  .menu > :is(button, a):hover {
    background: var(--tint);
    color: var(--on-tint);
  }

  .menu > .danger {
    color: var(--danger);
  }

  .themes {
    display: flex;
    gap: 0.15em;
    margin: 0.3em 0.4em;
    padding: 0.2em;
    border-radius: 0.8em;
    background: var(--ground);
  }

  .themes button {
    flex: auto;
    min-height: 2.5em;
    padding: 0.2em 0.3em;
    border: 0;
    border-radius: 0.6em;
    background: none;
    color: var(--soft);
    font-size: 0.86em;
    white-space: nowrap;
  }

  .themes button[aria-pressed="true"] {
    background: var(--surface);
    color: var(--text);
    box-shadow: var(--shadow);
    font-weight: 600;
  }

  .bars {
    grid-row: 2;
    min-height: 0;
  }

  .bar {
    display: flex;
    align-items: center;
    gap: 0.6em;
    padding: 0.5em 0.9em;
    border-bottom: 1px solid var(--line);
    font-size: 0.88em;
    line-height: 1.4;
  }

  .bar p {
    flex: 1;
    margin: 0;
  }

  .bar.person {
    border-color: var(--person-line);
    background: var(--person-tint);
    color: var(--person);
  }

  .bar button {
    flex: none;
    min-height: 2.4em;
    padding: 0.2em 0.8em;
    border: 1px solid currentcolor;
    border-radius: 999px;
    background: none;
    font-weight: 600;
  }

  .bar.trouble {
    background: var(--danger-tint);
    color: var(--danger);
  }

  footer {
    position: relative;
    grid-row: 4;
    padding: 0.5em 0.75em max(0.65em, env(safe-area-inset-bottom));
  }

  /* The arrow stands beside the box, where it covers no word of the conversation. */
  .writing {
    display: flex;
    align-items: flex-start;
    gap: 0.5em;
  }

  .composer {
    flex: 1;
    min-width: 0;
  }

  .to-end {
    display: grid;
    flex: none;
    place-items: center;
    width: 2.75em;
    height: 2.75em;
    margin-top: 0.06em;
    padding: 0;
    border: 1px solid color-mix(in srgb, var(--soft) 55%, var(--line));
    border-radius: 50%;
    background: var(--surface);
    color: var(--link);
  }

  .field {
    display: flex;
    align-items: flex-end;
    gap: 0.4em;
    padding: 0.3em 0.3em 0.3em 1em;
    border: 1px solid color-mix(in srgb, var(--soft) 55%, var(--line));
    border-radius: 1.5em;
    background: var(--surface);
  }

  .field:focus-within {
    border-color: var(--accent);
    box-shadow: 0 0 0 2px color-mix(in srgb, var(--accent) 30%, transparent);
  }

  .field textarea {
    flex: 1;
    min-width: 0;
    max-height: 140px;
    padding: 0.4em 0;
    border: 0;
    outline: 0;
    background: none;
    line-height: 1.45;
    resize: none;
  }

  .field textarea::placeholder {
    color: var(--soft);
    opacity: 1;
  }

  .send {
    display: grid;
    flex: none;
    place-items: center;
    width: 2.25em;
    height: 2.25em;
    padding: 0;
    border: 0;
    border-radius: 50%;
    background: var(--accent);
    color: var(--on-accent);
  }

  .send .icon {
    stroke-width: 2.2;
  }

  .send:disabled {
    opacity: 0.35;
  }

  .counter,
  .consent {
    margin: 0.4em 0.5em 0;
    color: var(--soft);
    font-size: 0.78em;
    line-height: 1.4;
  }

  .counter {
    text-align: end;
  }

  .counter.over {
    color: var(--danger);
    font-weight: 600;
  }

  .consent {
    text-align: center;
    text-wrap: pretty;
  }

  .consent a {
    color: var(--link);
  }

  dialog.confirm {
    max-width: min(24em, calc(100vw - 2em));
    padding: 1.2em;
    border: 1px solid var(--line);
    border-radius: 1.1em;
    background: var(--surface);
    color: var(--text);
    box-shadow: var(--lifted);
    font-size: 1em;
  }

  dialog.confirm::backdrop {
    background: rgb(8 16 13 / 45%);
  }

  dialog.confirm p {
    margin: 0 0 1em;
  }

  dialog.confirm .failed {
    color: var(--danger);
  }

  /* A page of its own: the conversation in a column. */
  .root.page {
    height: 100%;
  }

  .root.page :is(header, .bar, footer) {
    padding-inline: max(0.75em, calc((100% - var(--column)) / 2));
  }

  .root.page .menu {
    right: max(0.6em, calc((100% - var(--column)) / 2));
  }

  .root.page.small .bar,
  .root.small .bar {
    flex-wrap: wrap;
  }
`;

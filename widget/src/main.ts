import { Page } from "./page";

function storage(): Storage | undefined {
  try {
    return window.localStorage;
  } catch {
    // Some browsers forbid even to ask.
    return undefined;
  }
}

new Page(storage()).mount(document.body);

/** The page's own words. */

import en from "./locales/en.json";
import vi from "./locales/vi.json";

export type Language = "vi" | "en";
export type Words = Record<keyof typeof vi, string>;

export const WORDS: Record<Language, Words> = { vi, en };

const KEY = "covan.language";

export function loadLanguage(storage: Storage | undefined): Language {
  try {
    return storage?.getItem(KEY) === "en" ? "en" : "vi";
  } catch {
    return "vi";
  }
}

export function saveLanguage(storage: Storage | undefined, language: Language): void {
  try {
    storage?.setItem(KEY, language);
  } catch {
    // Storage is switched off: the choice lasts as long as the page.
  }
}

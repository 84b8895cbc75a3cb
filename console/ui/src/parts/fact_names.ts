/** The beginning of every fact's full name. */
export const FACT = "facts.";

/** A fact's path as words: facts.admissions.2026.diem_san is "admissions › 2026 › diem san". */
export const inWords = (name: string) => name.slice(FACT.length).split(".").join(" › ").replace(/[_-]/g, " ");

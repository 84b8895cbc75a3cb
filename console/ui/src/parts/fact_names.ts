/** The beginning of every fact's full name. */
export const FACT = "facts.";

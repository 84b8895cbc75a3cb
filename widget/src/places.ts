/** Texts with places to fill in, shared with the console's pages. */

const PLACE = /\{(\w+)(?:\|([^|}]+)\|([^}]+))?\}/g;

/** Of English, the only language here whose words change with a number. */
const PLURALS = new Intl.PluralRules("en");

/**
 * Return a text with its places filled in: `{n}` is a value, `{n|day|days}` the word that goes with it. A place without
 * a value stays.
 */
export function filledPlaces(text: string, valueOf: (name: string) => string | number | undefined): string {
  return text.replace(PLACE, (whole, name: string, one?: string, other?: string) => {
    const value = valueOf(name);
    if (value === undefined) return whole;
    if (one === undefined) return String(value);
    return PLURALS.select(Number(value)) === "one" ? one : (other ?? "");
  });
}

/** Addresses behind the parts of a contact; empty when there is nothing to call or to write to. */

/** "115": a number for emergencies and the like, which is nothing but three or four digits. */
const SHORT = /^\d{3,4}$/;

/** `tel:` of the first number in a text such as "0292 383 1530 (máy lẻ 12)", or of a short number. */
export function telephone(text: string): string {
  if (SHORT.test(text.trim())) return `tel:${text.trim()}`;
  const digits = /\+?\d[\d .()-]{5,}/.exec(text)?.[0].replace(/[^\d+]/g, "") ?? "";
  return digits.length >= 7 ? `tel:${digits}` : "";
}

/** `mailto:` of an address that is nothing but an address: no header can be smuggled in. */
export function mail(text: string): string {
  return /^[\w.+-]+@[\w-]+(\.[\w-]+)+$/.test(text) ? `mailto:${text}` : "";
}

/** "university.example" of "https://www.university.example/a/b" */
export function site(url: string): string {
  try {
    return new URL(url).hostname.replace(/^www\./, "");
  } catch {
    return "";
  }
}

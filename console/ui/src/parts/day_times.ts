/** Times of days that are chosen in a form (ISO 8601), in seconds since 1970; undefined without one that can be read. */

const DAY_S = 86_400;

/** Whether a field of a day has one, or nothing. */
export function isReadable(day: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return day === "";
  const at = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
}

export const dayStart = (day: string) =>
  day && isReadable(day) ? new Date(`${day}T00:00:00`).getTime() / 1000 : undefined;

/** The first second after a day. */
export function dayEnd(day: string): number | undefined {
  const start = dayStart(day);
  return start === undefined ? undefined : start + DAY_S;
}

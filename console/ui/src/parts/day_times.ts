/** Times of days that are chosen in a form (ISO 8601), in seconds since 1970; undefined without a day. */

const DAY_S = 86_400;

export const dayStart = (day: string) => (day ? new Date(`${day}T00:00:00`).getTime() / 1000 : undefined);

/** The first second after a day. */
export function dayEnd(day: string): number | undefined {
  const start = dayStart(day);
  return start === undefined ? undefined : start + DAY_S;
}

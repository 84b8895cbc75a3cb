/** The places of passages in the text that they were read from. */
import type { ReadPassage } from "./api";

export interface Segment {
  /** The number of its first line, from 0. */
  from: number;
  lines: string[];
  /** The passages that begin on its first line, by their places in the list; none between passages. */
  places: number[];
}

/** Emphasis, as the splitter takes it away. */
const MARKS = /\*\*|__|(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w)/g;
const HEADING = /^#{1,6}\s+/;

const plain = (text: string) => text.replace(HEADING, "").replace(MARKS, "").replace(/\s+/g, " ").trim();

const RULE = /^\s*\|?[\s:|-]*-[\s:|-]*\|?\s*$/;

const cellsOf = (line: string) => line.split("|").map(plain).filter(Boolean);

/** Return a line without the signs of Markdown; null for the rule below the head of a table. */
export function asShown(line: string): { text: string; isHeading: boolean } | null {
  if (line.includes("|"))
    return RULE.test(line) ? null : { text: cellsOf(line).join(" | "), isHeading: false };
  return { text: line.replace(HEADING, "").replace(MARKS, ""), isHeading: HEADING.test(line) };
}

/** Return whether a line, or each cell of a table's row, stands in the text of a passage. */
const isIn = (line: string, text: string) => {
  const cells = cellsOf(line);
  return cells.length > 0 && cells.every((cell) => text.includes(cell));
};

/** Return the text in pieces: the lines of each passage, and what stands between them (headings, empty lines). */
export function segments(text: string, passages: ReadPassage[]): Segment[] {
  const begins = new Map<number, number[]>();
  passages.forEach(({ line }, place) => {
    if (line === null) return;
    const places = begins.get(line);
    if (places) places.push(place);
    else begins.set(line, [place]);
  });
  const lines = text.split("\n");
  const starts = [...begins.keys()].filter((line) => line < lines.length).sort((one, other) => one - other);
  const found: Segment[] = [];
  const add = (from: number, until: number, places: number[]) => {
    if (until > from) found.push({ from, lines: lines.slice(from, until), places });
  };
  add(0, starts[0] ?? lines.length, []);
  starts.forEach((start, index) => {
    const places = begins.get(start)!;
    const words = plain(places.map((place) => passages[place]!.text).join("\n"));
    const end = starts[index + 1] ?? lines.length;
    let last = end;
    while (last > start + 1 && !isIn(lines[last - 1]!, words)) last -= 1;
    add(start, last, places);
    add(last, end, []);
  });
  return found;
}

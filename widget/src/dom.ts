/** Making elements without HTML strings, so that text can only ever be text. */

type Attributes = Record<string, string | boolean | ((event: Event) => void)>;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

const SVG = "http://www.w3.org/2000/svg";

/** A line drawing of 24 x 24 units. */
export function icon(path: string): SVGElement {
  const svg = document.createElementNS(SVG, "svg");
  for (const [name, value] of Object.entries({ viewBox: "0 0 24 24", "aria-hidden": "true", class: "icon" }))
    svg.setAttribute(name, value);
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

export const ICONS = {
  send: "M5 12h13M12 5l7 7-7 7",
  add: "M12 5v14M5 12h14",
  document: "M7 3h7l4 4v14H7zM14 3v4h4M10 12h5M10 16h5",
  up: "M7 11v9H4v-9zM7 11l4-8c1.5 0 2.5 1 2.5 2.5V9H19a1.8 1.8 0 0 1 1.8 2.1l-1.2 7A2.3 2.3 0 0 1 17.300 20H7",
  down: "M17 13V4h3v9zM17 13l-4 8c-1.500 0-2.500-1-2.500-2.500V15H5a1.800 1.800 0 0 1-1.800-2.100l1.200-7A2.300 2.300 0 0 1 6.700 4H17",
  below: "M12 5v14M6 13l6 6 6-6",
  cap: "M2.500 9.500 12 5l9.500 4.500L12 14zM6.500 11.500v4.300c0 1.200 2.500 2.700 5.500 2.700s5.500-1.500 5.500-2.700v-4.300M21.500 9.500v5",
} as const;

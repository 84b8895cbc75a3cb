/** The graph as `covan graph view` writes it into the page, and what is looked up in it. */

export interface Source {
  title: string;
  locator: string;
  url: string;
}

export interface GraphNode {
  id: string;
  type: string;
  name: string;
  names: string[];
  properties: Record<string, string | number>;
  topics: string[];
  text: string;
  source: Source;
}

export interface GraphEdge {
  source: string;
  relation: string;
  target: string;
}

export interface GraphData {
  language: string;
  texts: Record<string, string>;
  types: Record<string, string>;
  relations: Record<string, string>;
  nodes: GraphNode[];
  edges: GraphEdge[];
  start: string[];
}

export interface Filter {
  types: ReadonlySet<string>;
  topic: string;
}

/** Types that are not shown at first: there are thousands of clauses. */
export const FIRST_HIDDEN: ReadonlySet<string> = new Set(["Clause"]);

/** The colour of a type among all `types`. */
export function colourOf(type: string, types: readonly string[]): string {
  const number = types.indexOf(type);
  // Hues by the golden angle, and light and dark in turn: sixteen types can be told apart.
  return `hsl(${Math.round(number * 137.5) % 360}, 55%, ${number % 2 ? 36 : 52}%)`;
}

/** Small letters without diacritics, as people type them. */
export function folded(text: string): string {
  return text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replace(/đ/g, "d");
}

export class Graph {
  readonly nodes = new Map<string, GraphNode>();
  private readonly around = new Map<string, GraphEdge[]>();
  private readonly searched: [string, GraphNode][] = [];

  constructor(readonly data: GraphData) {
    for (const node of data.nodes) {
      this.nodes.set(node.id, node);
      const code = String(node.properties["code"] ?? "");
      this.searched.push([folded([node.name, ...node.names, code, node.id].join(" | ")), node]);
    }
    for (const edge of data.edges) {
      for (const end of new Set([edge.source, edge.target])) {
        const edges = this.around.get(end);
        if (edges) edges.push(edge);
        else this.around.set(end, [edge]);
      }
    }
  }

  edges(id: string): readonly GraphEdge[] {
    return this.around.get(id) ?? [];
  }

  degree(id: string): number {
    return this.edges(id).length;
  }

  /** The nodes one step away that a filter lets through, each once, the best connected first. */
  neighbours(id: string, filter: Filter): GraphNode[] {
    const ends = new Set(this.edges(id).map((edge) => (edge.source === id ? edge.target : edge.source)));
    return [...ends]
      .flatMap((end) => this.nodes.get(end) ?? [])
      .filter((node) => isShown(node, filter))
      .sort((one, other) => this.degree(other.id) - this.degree(one.id));
  }

  /** The nodes that a text names, those that begin with it first. */
  search(text: string, filter: Filter, most: number): GraphNode[] {
    const wanted = folded(text).trim();
    if (!wanted) return [];
    const found: [number, GraphNode][] = [];
    for (const [names, node] of this.searched) {
      const place = names.indexOf(wanted);
      if (place >= 0 && isShown(node, filter)) found.push([place, node]);
    }
    found.sort(([one], [other]) => one - other);
    return found.slice(0, most).map(([, node]) => node);
  }
}

export function isShown(node: GraphNode, filter: Filter): boolean {
  return filter.types.has(node.type) && (!filter.topic || node.topics.includes(filter.topic));
}

/** An address that a link may lead to; an empty one otherwise. */
export function safeUrl(url: string): string {
  return /^https?:\/\//i.test(url) ? url : "";
}

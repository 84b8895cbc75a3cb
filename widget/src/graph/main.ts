import {
  colourOf,
  FIRST_HIDDEN,
  Graph,
  isShown,
  safeUrl,
  type Filter,
  type GraphData,
  type GraphEdge,
  type GraphNode,
} from "./data";
import { Drawing, MOST_EXPANDED } from "./drawing";

const MOST_RESULTS = 30;

const data = JSON.parse(byId("graph").textContent ?? "") as GraphData;
const graph = new Graph(data);
const types = [...new Set(data.nodes.map((node) => node.type))].sort();
const filter: Filter & { types: Set<string> } = {
  types: new Set(types.filter((type) => !FIRST_HIDDEN.has(type))),
  topic: "",
};

const drawing = new Drawing(byId("canvas"), {
  colour,
  relationName: (relation) => data.relations[relation] ?? relation,
  onSelect: (id) => withNode(id, select),
  onExpand: (id) => withNode(id, expand),
});

function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

function text(key: string): string {
  return data.texts[key] ?? key;
}

function colour(type: string): string {
  return colourOf(type, types);
}

function withNode(id: string, act: (node: GraphNode) => void): void {
  const node = graph.nodes.get(id);
  if (node) act(node);
}

function edgesOf(nodes: readonly GraphNode[]): GraphEdge[] {
  return nodes.flatMap((node) => graph.edges(node.id));
}

function neighbours(node: GraphNode): GraphNode[] {
  return graph.neighbours(node.id, filter).slice(0, MOST_EXPANDED);
}

function expand(node: GraphNode): void {
  const around = neighbours(node);
  drawing.add([node], edgesOf([node]));
  drawing.add(around, edgesOf(around), node.id);
  select(node);
}

/** Clear the picture and draw a node in the middle of its neighbours. */
function focus(node: GraphNode): void {
  const around = neighbours(node);
  drawing.focus(node, around, edgesOf([node, ...around]));
  select(node);
}

function select(node: GraphNode): void {
  drawing.add([node], edgesOf([node]));
  drawing.select(node.id);
  show(node);
}

function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  content = "",
  className = "",
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  made.textContent = content;
  made.className = className;
  return made;
}

function button(label: string, className: string, act: () => void): HTMLButtonElement {
  const made = make("button", label, className);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

function show(node: GraphNode): void {
  const parts: HTMLElement[] = [
    make("div", data.types[node.type] ?? node.type, "kind"),
    make("h2", node.name),
    button(text("expand"), "action", () => expand(node)),
    button(text("remove"), "action", () => {
      drawing.remove(node.id);
      byId("details").replaceChildren();
    }),
  ];
  const list = make("dl");
  const others = node.names.filter((name) => name !== node.name);
  if (others.length) list.append(make("dt", text("names")), make("dd", others.join(", ")));
  for (const [key, value] of Object.entries(node.properties)) {
    list.append(make("dt", text(`property_${key}`).replace("property_", "")), make("dd", String(value)));
  }
  parts.push(list);
  if (node.text) parts.push(make("blockquote", node.text));
  parts.push(...sourceOf(node), ...neighboursOf(node));
  byId("details").replaceChildren(...parts);
}

function sourceOf(node: GraphNode): HTMLElement[] {
  const { title, locator, url } = node.source;
  const place = make("p", [title, locator].filter(Boolean).join(", "));
  const address = safeUrl(url);
  if (address) {
    const link = make("a", text("open_source"));
    link.href = address;
    link.target = "_blank";
    link.rel = "noopener noreferrer";
    place.append(document.createElement("br"), link);
  }
  return [make("h3", text("source")), place];
}

function neighboursOf(node: GraphNode): HTMLElement[] {
  const groups = new Map<string, GraphNode[]>();
  for (const edge of graph.edges(node.id)) {
    const isOut = edge.source === node.id;
    const relation = data.relations[edge.relation] ?? edge.relation;
    const title = isOut ? `${relation} →` : `← ${relation}`;
    const other = graph.nodes.get(isOut ? edge.target : edge.source);
    if (other) groups.set(title, [...(groups.get(title) ?? []), other]);
  }
  return [...groups].flatMap(([title, nodes]) => {
    const list = make("ul");
    for (const other of nodes.slice(0, MOST_EXPANDED)) {
      const item = make("li");
      item.append(button(other.name, "entry", () => select(other)));
      list.append(item);
    }
    if (nodes.length > MOST_EXPANDED) list.append(make("li", `… (${nodes.length})`, "kind"));
    return [make("h3", title), list];
  });
}

function search(): void {
  const wanted = (byId("search") as HTMLInputElement).value;
  const items = graph.search(wanted, filter, MOST_RESULTS).map((node) => {
    const item = make("li");
    item.append(button(node.name, "entry", () => focus(node)));
    return item;
  });
  byId("results").replaceChildren(...items);
}

function filtered(): void {
  drawing.filter((id) => {
    const node = graph.nodes.get(id);
    return !node || isShown(node, filter);
  });
  search();
}

function makeFilters(): void {
  const topic = byId("topic") as HTMLSelectElement;
  topic.append(new Option(text("every_topic"), ""));
  for (const node of data.nodes) {
    if (node.type === "Category") topic.append(new Option(node.name, node.id));
  }
  topic.addEventListener("change", () => {
    filter.topic = topic.value;
    filtered();
    const chosen = graph.nodes.get(topic.value);
    if (chosen) focus(chosen);
  });
  for (const type of types) {
    const label = make("label");
    const box = make("input");
    box.type = "checkbox";
    box.checked = filter.types.has(type);
    box.addEventListener("change", () => {
      if (box.checked) filter.types.add(type);
      else filter.types.delete(type);
      filtered();
    });
    const swatch = make("span", "", "swatch");
    swatch.style.background = colour(type);
    const count = data.nodes.filter((node) => node.type === type).length;
    label.append(box, swatch, `${data.types[type] ?? type} (${count})`);
    byId("types").append(label);
  }
}

document.documentElement.lang = data.language;
document.title = text("title");
byId("title").textContent = text("title");
byId("hint").textContent = text("hint");
byId("types-legend").textContent = text("types");
byId("topic-label").firstElementChild!.textContent = text("topic");
byId("search").setAttribute("placeholder", text("search"));
byId("search").setAttribute("aria-label", text("search"));
byId("search").addEventListener("input", search);
makeFilters();

const start = data.start.flatMap((id) => graph.nodes.get(id) ?? []);
for (const node of start) filter.types.add(node.type);
drawing.add(start, edgesOf(start));
if (start.length === 1 && start[0]) focus(start[0]);
else drawing.fit();

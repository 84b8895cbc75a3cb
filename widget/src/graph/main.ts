import cytoscape from "cytoscape";
import { Graph, isShown, safeUrl, type Filter, type GraphData, type GraphNode } from "./data";

const MOST_RESULTS = 30;
/** So many neighbours appear at once; a category has hundreds of clauses. */
const MOST_EXPANDED = 40;
/** Types that are not shown at first: there are thousands of clauses. */
const FIRST_HIDDEN = new Set(["Clause"]);

const data = JSON.parse(byId("graph").textContent ?? "") as GraphData;
const graph = new Graph(data);
const types = [...new Set(data.nodes.map((node) => node.type))].sort();
const filter: Filter & { types: Set<string> } = {
  types: new Set(types.filter((type) => !FIRST_HIDDEN.has(type))),
  topic: "",
};

const cy = cytoscape({
  container: byId("canvas"),
  style: [
    {
      selector: "node",
      style: {
        label: "data(label)",
        "background-color": "data(colour)",
        width: 22,
        height: 22,
        "font-size": 11,
        "text-wrap": "wrap",
        "text-max-width": "110px",
        "text-valign": "bottom",
        "text-margin-y": 3,
        "text-background-color": "#f5f6f8",
        "text-background-opacity": 0.8,
      },
    },
    { selector: "node:selected", style: { "border-width": 3, "border-color": "#111827" } },
    {
      selector: "edge",
      style: {
        width: 1,
        "line-color": "#a9b3c0",
        "target-arrow-color": "#a9b3c0",
        "target-arrow-shape": "triangle",
        "curve-style": "bezier",
        "arrow-scale": 0.7,
        opacity: 0.45,
      },
    },
    {
      selector: "edge.near",
      style: { label: "data(label)", "font-size": 10, "text-rotation": "autorotate" },
    },
  ],
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
  const number = types.indexOf(type);
  // Hues by the golden angle, and light and dark in turn: sixteen types can be told apart.
  return `hsl(${Math.round(number * 137.5) % 360}, 55%, ${number % 2 ? 36 : 52}%)`;
}

function add(nodes: readonly GraphNode[], beside?: string): void {
  const origin = beside ? cy.getElementById(beside).position() : { x: 0, y: 0 };
  const fresh = nodes.filter((node) => cy.getElementById(node.id).empty());
  fresh.forEach((node, number) => {
    const angle = (2 * Math.PI * number) / fresh.length;
    cy.add({
      data: { id: node.id, label: node.name, colour: colour(node.type) },
      position: { x: origin.x + 120 * Math.cos(angle), y: origin.y + 120 * Math.sin(angle) },
    });
  });
  for (const node of fresh) {
    for (const edge of graph.edges(node.id)) {
      const id = `${edge.source} ${edge.relation} ${edge.target}`;
      const ends = [edge.source, edge.target].map((end) => cy.getElementById(end));
      if (ends.every((end) => end.nonempty()) && cy.getElementById(id).empty()) {
        const label = data.relations[edge.relation] ?? edge.relation;
        cy.add({ data: { id, source: edge.source, target: edge.target, label } });
      }
    }
  }
  if (fresh.length) arrange();
}

function arrange(): void {
  cy.layout({
    name: "cose",
    animate: false,
    randomize: false,
    nodeRepulsion: () => 900_000,
    idealEdgeLength: () => 150,
    nodeOverlap: 60,
    componentSpacing: 80,
  }).run();
}

function expand(node: GraphNode): void {
  add([node]);
  add(graph.neighbours(node.id, filter).slice(0, MOST_EXPANDED), node.id);
  select(node);
}

/** Clear the picture and draw a node in the middle of its neighbours. */
function focus(node: GraphNode): void {
  cy.elements().remove();
  add([node]);
  add(graph.neighbours(node.id, filter).slice(0, MOST_EXPANDED), node.id);
  cy.layout({
    name: "concentric",
    animate: false,
    concentric: (each) => (each.id() === node.id ? 1 : 0),
    levelWidth: () => 1,
    minNodeSpacing: 55,
  }).run();
  select(node);
}

function select(node: GraphNode): void {
  add([node]);
  const own = cy.getElementById(node.id);
  cy.elements().unselect().removeClass("near");
  own.select();
  own.connectedEdges().addClass("near");
  if (!isInView(own)) cy.center(own);
  show(node);
}

function isInView(node: cytoscape.CollectionReturnValue): boolean {
  const { x1, x2, y1, y2 } = cy.extent();
  const { x, y } = node.position();
  return x > x1 && x < x2 && y > y1 && y < y2;
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
      cy.getElementById(node.id).remove();
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
  cy.nodes().forEach((element) => {
    const node = graph.nodes.get(element.id());
    if (node && !isShown(node, filter)) element.remove();
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
cy.on("tap", "node", (event) => {
  const node = graph.nodes.get(event.target.id());
  if (node) select(node);
});
cy.on("dbltap", "node", (event) => {
  const node = graph.nodes.get(event.target.id());
  if (node) expand(node);
});

const start = data.start.flatMap((id) => graph.nodes.get(id) ?? []);
for (const node of start) filter.types.add(node.type);
add(start);
if (start.length === 1 && start[0]) focus(start[0]);
else cy.fit(undefined, 40);

/** The picture of a graph: the page of `covan graph view` and the console's page draw with it. */
import cytoscape from "cytoscape";

export interface DrawnNode {
  id: string;
  type: string;
  name: string;
}

export interface DrawnEdge {
  source: string;
  relation: string;
  target: string;
}

/** So many neighbours appear at once; a category has hundreds of clauses. */
export const MOST_EXPANDED = 40;

export interface DrawingOptions {
  colour: (type: string) => string;
  relationName: (relation: string) => string;
  onSelect: (id: string) => void;
  onExpand: (id: string) => void;
  ink?: string;
  background?: string;
}

export class Drawing {
  private readonly cy: cytoscape.Core;

  constructor(
    container: HTMLElement,
    private readonly options: DrawingOptions,
  ) {
    const { ink = "#1c2430", background = "#f5f6f8", onSelect, onExpand } = options;
    this.cy = cytoscape({
      container,
      style: [
        {
          selector: "node",
          style: {
            label: "data(label)",
            color: ink,
            "background-color": "data(colour)",
            width: 22,
            height: 22,
            "font-size": 11,
            "text-wrap": "wrap",
            "text-max-width": "110px",
            "text-valign": "bottom",
            "text-margin-y": 3,
            "text-background-color": background,
            "text-background-opacity": 0.8,
          },
        },
        { selector: "node:selected", style: { "border-width": 3, "border-color": ink } },
        {
          selector: "edge",
          style: {
            width: 1,
            color: ink,
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
    this.cy.on("tap", "node", (event) => onSelect(event.target.id()));
    this.cy.on("dbltap", "node", (event) => onExpand(event.target.id()));
  }

  /** Add the nodes that are not there yet, around `beside`, and those of `edges` that then have both ends. */
  add(nodes: readonly DrawnNode[], edges: readonly DrawnEdge[], beside?: string): void {
    if (this.put(nodes, edges, beside)) this.arrange();
  }

  /** Clear the picture and draw a node in the middle of its neighbours. */
  focus(node: DrawnNode, neighbours: readonly DrawnNode[], edges: readonly DrawnEdge[]): void {
    this.cy.elements().remove();
    this.put([node, ...neighbours], edges);
    this.cy
      .layout({
        name: "concentric",
        animate: false,
        concentric: (each) => (each.id() === node.id ? 1 : 0),
        levelWidth: () => 1,
        minNodeSpacing: 75,
      })
      .run();
  }

  select(id: string): void {
    const own = this.cy.getElementById(id);
    this.cy.elements().unselect().removeClass("near");
    own.select();
    own.connectedEdges().addClass("near");
    if (own.nonempty() && !this.isInView(own)) this.cy.center(own);
  }

  remove(id: string): void {
    this.cy.getElementById(id).remove();
  }

  /** Remove the nodes that `keep` does not let through. */
  filter(keep: (id: string) => boolean): void {
    this.cy.nodes().forEach((node) => {
      if (!keep(node.id())) node.remove();
    });
  }

  has(id: string): boolean {
    return this.cy.getElementById(id).nonempty();
  }

  /** The number of nodes in the picture. */
  get size(): number {
    return this.cy.nodes().length;
  }

  fit(): void {
    this.cy.fit(undefined, 40);
  }

  destroy(): void {
    this.cy.destroy();
  }

  /** Return whether there was something to add. */
  private put(nodes: readonly DrawnNode[], edges: readonly DrawnEdge[], beside?: string): boolean {
    const origin = beside ? this.cy.getElementById(beside).position() : { x: 0, y: 0 };
    const fresh = nodes.filter((node) => !this.has(node.id));
    fresh.forEach((node, number) => {
      const angle = (2 * Math.PI * number) / fresh.length;
      this.cy.add({
        data: { id: node.id, label: node.name, colour: this.options.colour(node.type) },
        position: { x: origin.x + 120 * Math.cos(angle), y: origin.y + 120 * Math.sin(angle) },
      });
    });
    for (const { source, relation, target } of edges) {
      const id = `${source} ${relation} ${target}`;
      if (this.has(source) && this.has(target) && !this.has(id))
        this.cy.add({ data: { id, source, target, label: this.options.relationName(relation) } });
    }
    return fresh.length > 0;
  }

  private arrange(): void {
    this.cy
      .layout({
        name: "cose",
        animate: false,
        randomize: false,
        nodeDimensionsIncludeLabels: true,
        nodeRepulsion: () => 900_000,
        idealEdgeLength: () => 150,
        nodeOverlap: 60,
        componentSpacing: 80,
      })
      .run();
  }

  private isInView(node: cytoscape.CollectionReturnValue): boolean {
    const { x1, x2, y1, y2 } = this.cy.extent();
    const { x, y } = node.position();
    return x > x1 && x < x2 && y > y1 && y < y2;
  }
}

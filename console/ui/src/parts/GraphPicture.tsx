import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { colourOf, FIRST_HIDDEN } from "../../../../widget/src/graph/data";
import { Drawing, MOST_EXPANDED, type DrawnEdge } from "../../../../widget/src/graph/drawing";
import type { ListedNode, ShownNode } from "../api";
import { useTexts } from "../texts";
import { useGraphTexts } from "./graph_texts";

/** So many neighbours can be read at once in the room that the page has; expanding adds the others. */
const MOST_FOCUSED = 12;

/** How a node comes into the picture: alone in the middle, as it stands there, or with its neighbours. */
export type Way = "focus" | "select" | "expand";

export interface Step {
  id: string;
  way: Way;
}

/** The drawing of `covan graph view`, which grows with the nodes that are looked at. */
export default function GraphPicture({
  node,
  step,
  types,
  shown,
  relationName,
  open,
}: {
  node: ShownNode;
  step: Step;
  types: string[];
  /** The types that are let through; none: all but the many. */
  shown: string[];
  relationName: (relation: string) => string;
  open: (step: Step) => void;
}) {
  const { language } = useTexts();
  const say = useGraphTexts();
  const dark = useComputedColorScheme("light") === "dark";
  const container = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing>(null);
  const edges = useRef(new Map<string, DrawnEdge>());
  const kinds = useRef(new Map<string, string>());
  const [drawn, setDrawn] = useState(0);
  const opens = useRef(open);
  opens.current = open;
  const isShown = (type: string) => (shown.length ? shown.includes(type) : !FIRST_HIDDEN.has(type));

  useEffect(() => {
    if (!container.current) return;
    const made = new Drawing(container.current, {
      colour: (type) => colourOf(type, types),
      relationName,
      onSelect: (id) => opens.current({ id, way: "select" }),
      onExpand: (id) => opens.current({ id, way: "expand" }),
      ...(dark ? { ink: "#c1c2c5", background: "#242424" } : { background: "#ffffff" }),
    });
    drawing.current = made;
    return () => {
      made.destroy();
      drawing.current = null;
    };
  }, [dark, language]);

  useEffect(() => {
    const picture = drawing.current;
    // The node before is still here until the next one has come.
    if (!picture || step.id !== node.id) return;
    kinds.current.set(node.id, node.type);
    const neighbours = new Map<string, ListedNode>();
    for (const { relation, is_out, nodes } of node.around)
      for (const other of nodes) {
        const [source, target] = is_out ? [node.id, other.id] : [other.id, node.id];
        edges.current.set(`${source} ${relation} ${target}`, { source, relation, target });
        kinds.current.set(other.id, other.type);
        if (other.id !== node.id && isShown(other.type)) neighbours.set(other.id, other);
      }
    const known = [...edges.current.values()];
    const around = [...neighbours.values()].sort((one, other) => other.degree - one.degree);
    if (step.way === "focus" || !picture.has(node.id))
      picture.focus(node, around.slice(0, MOST_FOCUSED), known);
    else picture.add(step.way === "expand" ? around.slice(0, MOST_EXPANDED) : [], known, node.id);
    picture.filter((id) => id === node.id || isShown(kinds.current.get(id) ?? ""));
    picture.select(node.id);
    setDrawn(picture.size);
  }, [node, step, shown, dark, language]);

  return <div ref={container} className="picture" role="img" aria-label={say("picture", { n: drawn })} />;
}

import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef } from "react";
import {
  colourOf,
  Drawing,
  FIRST_HIDDEN,
  MOST_EXPANDED,
  type DrawnEdge,
} from "../../../../widget/src/graph/drawing";
import type { ShownNode } from "../api";
import { useTexts } from "../texts";

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
  const { say, language } = useTexts();
  const dark = useComputedColorScheme("light") === "dark";
  const container = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing>(null);
  const known = useRef<DrawnEdge[]>([]);
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
    known.current = [];
    return () => {
      made.destroy();
      drawing.current = null;
    };
  }, [dark, language]);

  useEffect(() => {
    const picture = drawing.current;
    if (!picture) return;
    const found = node.around.flatMap(({ relation, is_out, nodes }) =>
      nodes.map((other) => ({
        other,
        edge: is_out
          ? { source: node.id, relation, target: other.id }
          : { source: other.id, relation, target: node.id },
      })),
    );
    known.current = [...known.current, ...found.map(({ edge }) => edge)];
    const neighbours = [
      ...new Map(
        found
          .filter(({ other }) => other.id !== node.id && isShown(other.type))
          .map(({ other }) => [other.id, other]),
      ).values(),
    ]
      .sort((one, other) => other.degree - one.degree)
      .slice(0, MOST_EXPANDED);
    if (step.way === "focus" || !picture.has(node.id)) picture.focus(node, neighbours, known.current);
    else picture.add(step.way === "expand" ? neighbours : [], known.current, node.id);
    picture.select(node.id);
  }, [node, step, shown, dark, language]);

  return <div ref={container} className="picture" role="img" aria-label={say("graph.picture")} />;
}

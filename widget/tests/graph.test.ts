import { describe, expect, it } from "vitest";
import { folded, Graph, safeUrl, type GraphNode } from "../src/graph/data";

function node(id: string, name: string, topics: string[] = []): GraphNode {
  const type = id.split(":")[0] ?? "";
  const source = { title: "", locator: "", url: "" };
  return { id, type, name, names: [], properties: {}, topics, text: "", source };
}

const graph = new Graph({
  language: "vi",
  texts: {},
  types: {},
  relations: {},
  nodes: [
    node("Course:CT201", "Cấu trúc dữ liệu", ["Category:study"]),
    node("Course:CT202", "Đồ án cấu trúc"),
    node("Office:pdt", "Phòng Đào tạo"),
  ],
  edges: [
    { source: "Course:CT201", relation: "prerequisite_of", target: "Course:CT202" },
    { source: "Office:pdt", relation: "responsible_for", target: "Course:CT201" },
  ],
  start: [],
});
const everything = { types: new Set(["Course", "Office"]), topic: "" };

describe("the graph in the page", () => {
  it("finds names without diacritics, those that begin with the words first", () => {
    expect(graph.search("cau truc", everything, 9).map((found) => found.id)).toEqual([
      "Course:CT201",
      "Course:CT202",
    ]);
    expect(graph.search("ct202", everything, 9)).toHaveLength(1);
    expect(graph.search("  ", everything, 9)).toEqual([]);
  });

  it("filters by type and topic", () => {
    const courses = { types: new Set(["Course"]), topic: "" };
    expect(
      graph
        .neighbours("Course:CT201", everything)
        .map((found) => found.id)
        .sort(),
    ).toEqual(["Course:CT202", "Office:pdt"]);
    expect(graph.neighbours("Course:CT201", courses).map((found) => found.id)).toEqual(["Course:CT202"]);
    expect(graph.search("cau truc", { ...courses, topic: "Category:study" }, 9)).toHaveLength(1);
  });

  it("links to web addresses only", () => {
    expect(safeUrl("https://daihocsaola.example/a")).toBe("https://daihocsaola.example/a");
    expect(safeUrl("javascript:alert(1)")).toBe("");
  });

  it("folds đ as d", () => {
    expect(folded("Đồ ÁN")).toBe("do an");
  });
});

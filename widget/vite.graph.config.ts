import { readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

/** The page of `covan graph view` in one file: the script and the style stand in it, and it loads nothing. */
const onePage: Plugin = {
  name: "covan-graph-page",
  generateBundle(_, bundle) {
    const chunk = Object.values(bundle).find((file) => file.type === "chunk");
    if (chunk?.type !== "chunk") throw new Error("there is no script");
    // A function as replacement: "$&" in the script means nothing.
    const source = readFileSync("src/graph/page.html", "utf8")
      .replace("/* style */", () => readFileSync("src/graph/style.css", "utf8"))
      .replace("/* script */", () => chunk.code.replaceAll("</script", "<\\/script"));
    for (const name of Object.keys(bundle)) delete bundle[name];
    this.emitFile({ type: "asset", fileName: "index.html", source });
  },
};

export default defineConfig({
  publicDir: false,
  build: {
    target: "es2022",
    outDir: "dist-graph",
    lib: { entry: "src/graph/main.ts", formats: ["iife"], name: "CovanGraph", fileName: () => "graph.js" },
    modulePreload: { polyfill: false },
  },
  plugins: [onePage],
});

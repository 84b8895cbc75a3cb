import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [react()],
  build: { target: "es2022", modulePreload: { polyfill: false }, chunkSizeWarningLimit: 700 },
  // The picture of the graph is the one of `covan graph view`, a text is shown as on the chat page.
  server: { fs: { allow: [".", "../../widget"] }, proxy: { "/api": "http://127.0.0.1:8080" } },
});

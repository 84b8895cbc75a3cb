import { defineConfig } from "vitest/config";

export default defineConfig({
  build: {
    target: "es2022",
    // The page's content security policy allows no data: addresses in scripts or styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/api": "http://127.0.0.1:8000" } },
  test: { environment: "jsdom", include: ["tests/**/*.test.ts"] },
});

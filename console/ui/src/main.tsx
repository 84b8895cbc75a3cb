import "@mantine/core/styles.layer.css";
import "@mantine/notifications/styles.layer.css";
import "./console.css";
import { createTheme, MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { lazy, StrictMode, Suspense, type SyntheticEvent, useMemo, useState } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter, Route, Routes } from "react-router-dom";
import { App } from "./App";
import { looseFilter } from "./loose_search";
import { Waiting } from "./parts/parts";
import { sayIn, TextsContext, type Language, type Say } from "./texts";

const Invited = lazy(() => import("./pages/Invited"));

const LOOK = createTheme({
  primaryColor: "cyan",
  primaryShade: { light: 9, dark: 7 },
  defaultRadius: "md",
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif",
  headings: { fontWeight: "650" },
  respectReducedMotion: true,
});

const queries = new QueryClient({ defaultOptions: { queries: { retry: 1, staleTime: 5_000 } } });

const KEPT = "covan-console-language";

function selectText(event: SyntheticEvent<HTMLInputElement>) {
  if (!event.currentTarget.readOnly) event.currentTarget.select();
}

function Console({ begun }: { begun: { language: Language; say: Say } }) {
  const [said, setSaid] = useState(begun);
  const texts = useMemo(
    () => ({
      ...said,
      change: () => {
        const language = said.language === "vi" ? "en" : "vi";
        void sayIn(language).then((say) => {
          localStorage.setItem(KEPT, language);
          document.documentElement.lang = language;
          setSaid({ language, say });
          // Some names come in the language of the page.
          void queries.invalidateQueries();
        });
      },
    }),
    [said],
  );
  const theme = useMemo(() => {
    const defaultProps = { filter: looseFilter, nothingFoundMessage: said.say("nothing_found") };
    // What is typed takes the place of the value, instead of standing in the middle of it.
    const replaced = { onClick: selectText, onFocus: selectText };
    // By name: `Select.extend` would bring the choosers into the first page.
    const components = {
      Select: { defaultProps: { ...defaultProps, ...replaced } },
      MultiSelect: { defaultProps },
    };
    return createTheme({ ...LOOK, components });
  }, [said]);
  return (
    <TextsContext value={texts}>
      <MantineProvider theme={theme} defaultColorScheme="auto">
        <QueryClientProvider client={queries}>
          <Notifications position="bottom-right" />
          <BrowserRouter>
            <Routes>
              <Route
                path="/invited/:token"
                element={
                  <Suspense fallback={<Waiting />}>
                    <Invited />
                  </Suspense>
                }
              />
              <Route path="*" element={<App />} />
            </Routes>
          </BrowserRouter>
        </QueryClientProvider>
      </MantineProvider>
    </TextsContext>
  );
}

const language: Language = localStorage.getItem(KEPT) === "en" ? "en" : "vi";
void sayIn(language).then((say) => {
  document.documentElement.lang = language;
  createRoot(document.getElementById("root")!).render(
    <StrictMode>
      <Console begun={{ language, say }} />
    </StrictMode>,
  );
});

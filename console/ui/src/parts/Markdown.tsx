import { useLayoutEffect, useRef } from "react";
import { renderMarkdown } from "../../../../widget/src/markdown";

/** The words of a Markdown text without its marks, for an excerpt. */
export function plainText(text: string): string {
  const rendered = renderMarkdown(text);
  rendered.querySelectorAll("br").forEach((each) => each.replaceWith("\n"));
  return rendered.textContent.trim();
}

/** A text of the school as the chat page shows it. */
export function Markdown({ text }: { text: string }) {
  const shown = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => shown.current?.replaceChildren(renderMarkdown(text)), [text]);
  return <div className="markdown" ref={shown} />;
}

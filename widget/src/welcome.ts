/** What stands above the first message: greeting, topics, and examples of what can be asked. */

import { element, icon, ICONS } from "./dom";
import type { Language, Words } from "./locale";
import type { School, Topic } from "./wire";

export function welcome(
  school: School,
  words: Words,
  language: Language,
  ask: (question: string) => void,
): HTMLElement {
  const section = element(
    "section",
    { class: "welcome" },
    element("span", { class: "emblem" }, icon(ICONS.cap)),
    element("h2", {}, words.greeting),
    element("p", {}, words.intro),
  );
  if (school.topics.length === 0) return section;

  const examples = element("div", {
    id: "examples",
    class: "examples",
    role: "group",
    "aria-label": words.examples,
  });
  const chips = school.topics.map((topic) => {
    const chip = element(
      "button",
      { type: "button", class: "chip topic", "aria-expanded": "false", "aria-controls": "examples" },
      (language === "en" && topic.nameEn) || topic.name,
    );
    chip.addEventListener("click", () => open(topic, chip));
    return chip;
  });

  function open(topic: Topic, chip: HTMLButtonElement): void {
    const wasOpen = chip.getAttribute("aria-expanded") === "true";
    for (const other of chips) other.setAttribute("aria-expanded", "false");
    examples.replaceChildren();
    if (wasOpen) return;
    chip.setAttribute("aria-expanded", "true");
    examples.append(
      ...topic.examples.map((example) =>
        element(
          "button",
          { type: "button", class: "example", lang: "vi", click: () => ask(example) },
          example,
        ),
      ),
    );
    examples.scrollIntoView({ block: "nearest" });
  }

  section.append(
    element("p", { class: "topics-title" }, words.topics),
    element("div", { class: "topics", role: "group", "aria-label": words.topics }, ...chips),
    examples,
  );
  return section;
}

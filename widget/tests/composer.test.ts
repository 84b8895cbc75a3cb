import { beforeAll, describe, expect, it, vi } from "vitest";
import { Composer, isSendKey, length } from "../src/composer";
import { WORDS } from "../src/locale";

beforeAll(() => {
  // jsdom lays nothing out and has no matchMedia.
  window.matchMedia = () => ({ matches: false }) as MediaQueryList;
});

function makeComposer(maxChars = 2000) {
  const onSend = vi.fn<(text: string) => void>();
  const composer = new Composer(WORDS.vi, maxChars, onSend);
  document.body.replaceChildren(composer.form);
  const input = composer.form.querySelector("textarea")!;
  const type = (text: string) => {
    input.value = text;
    input.dispatchEvent(new Event("input"));
  };
  const press = (init: KeyboardEventInit) =>
    input.dispatchEvent(new KeyboardEvent("keydown", { cancelable: true, bubbles: true, ...init }));
  return { composer, onSend, input, type, press };
}

describe("the box", () => {
  it("sends on Enter and empties itself", () => {
    const { onSend, input, type, press } = makeComposer();
    type("  học phí bao nhiêu  ");
    press({ key: "Enter" });
    expect(onSend).toHaveBeenCalledExactlyOnceWith("học phí bao nhiêu");
    expect(input.value).toBe("");
  });

  it("does not send while an input method composes, nor on Shift+Enter", () => {
    const { onSend, type, press } = makeComposer();
    type("tieesng");
    press({ key: "Enter", isComposing: true });
    press({ key: "Enter", shiftKey: true });
    expect(onSend).not.toHaveBeenCalled();
    expect(isSendKey(new KeyboardEvent("keydown", { key: "Enter", keyCode: 229 }))).toBe(false);
  });

  it("sends neither blanks nor more than the server takes, and says how much is too much", () => {
    const { composer, onSend, type, press } = makeComposer(10);
    type("   ");
    press({ key: "Enter" });
    type("12345678901");
    press({ key: "Enter" });
    expect(onSend).not.toHaveBeenCalled();
    expect(composer.form.querySelector(".counter")?.textContent).toBe("Dài quá 1 ký tự");
  });

  it("waits for an answer before it sends again, keeping what was written", () => {
    const { composer, onSend, input, type, press } = makeComposer();
    composer.setBusy(true);
    type("câu sau");
    press({ key: "Enter" });
    expect(onSend).not.toHaveBeenCalled();
    expect(input.value).toBe("câu sau");
  });

  it("counts an emoji as one character", () => {
    expect(length("a👍🏼")).toBe(3);
  });
});

import { Textarea, type TextareaProps } from "@mantine/core";
import type { KeyboardEvent } from "react";
import { useLimit, type Limited } from "./LimitedInput";

/**
 * A text without line breaks that may be longer than the field is wide: it is shown in full, on as many lines as it
 * needs. Enter does what it does in a field of one line.
 */
export function SentenceField({
  value,
  set,
  most,
  error,
  onKeyDown,
  ...more
}: Limited<Omit<TextareaProps, "onChange">> & { set: (value: string) => void }) {
  const { error: told, count } = useLimit(value.length, most, error);
  return (
    <Textarea
      {...more}
      autosize
      minRows={1}
      enterKeyHint="done"
      value={value}
      // A text that is pasted may have them.
      onChange={(event) => set(event.currentTarget.value.replace(/\s*\n\s*/g, " "))}
      onKeyDown={(event) => {
        onKeyDown?.(event);
        submitByEnter(event);
      }}
      error={told}
      bottomSection={count}
    />
  );
}

/** Press the button that sends the form; Enter that ends a composed letter is left to the keyboard. */
function submitByEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.querySelector<HTMLButtonElement>("button[type=submit]")?.click();
}

import { TextInput, type TextInputProps } from "@mantine/core";

/** The field of the code of a second factor, which a phone can fill in. */
export function CodeField({ set, ...more }: TextInputProps & { set: (code: string) => void }) {
  return (
    <TextInput
      autoComplete="one-time-code"
      inputMode="numeric"
      onChange={(event) => set(event.currentTarget.value)}
      required
      {...more}
    />
  );
}

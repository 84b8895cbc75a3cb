import { TextInput, type TextInputProps } from "@mantine/core";
import { saying, useTexts } from "../texts";

/** From this share of the limit on, the characters are counted. */
const NEAR = 0.8;

const SAY = {
  vi: saying({ count: "{n}/{most} ký tự", long: "Dài quá {n} ký tự (tối đa {most}). Hãy rút gọn." }),
  en: saying({
    count: "{n} of {most} characters",
    long: "{n} {n|character|characters} too many (at most {most}). Shorten it.",
  }),
};

/** A line of text with a limit: a longer one is told, and never cut. */
export function LimitedInput({
  value,
  most,
  error,
  ...more
}: Omit<TextInputProps, "value" | "maxLength"> & { value: string; most: number }) {
  const say = SAY[useTexts().language];
  const { length } = value;
  return (
    <TextInput
      {...more}
      value={value}
      error={length > most ? say("long", { n: length - most, most }) : error}
      {...(length > NEAR * most &&
        length <= most && {
          rightSectionWidth: "auto",
          rightSection: <small style={{ paddingInline: 8 }}>{say("count", { n: length, most })}</small>,
        })}
    />
  );
}

/** The characters that a line may have, as the API takes them. */
export const MOST_LINE_CHARS = 400;

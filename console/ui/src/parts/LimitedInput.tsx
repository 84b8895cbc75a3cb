import { Textarea, TextInput, type TextareaProps, type TextInputProps } from "@mantine/core";
import type { ReactNode } from "react";
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

export type Limited<Props> = Omit<Props, "value" | "maxLength"> & {
  value: string;
  /** The characters that the API takes. */
  most: number;
};

/** Return the error of a text that is longer than its limit, and the count of its characters near the limit. */
export function useLimit(
  length: number,
  most: number,
  error: ReactNode,
): { error: ReactNode; count: ReactNode } {
  const say = SAY[useTexts().language];
  if (length > most) return { error: say("long", { n: length - most, most }), count: null };
  const count = length > NEAR * most && <small>{say("count", { n: length, most })}</small>;
  return { error, count };
}

/** A line of text with a limit: a longer one is told, and never cut. */
export function LimitedInput({ value, most, error, ...more }: Limited<TextInputProps>) {
  const { error: told, count } = useLimit(value.length, most, error);
  return (
    <TextInput
      {...more}
      value={value}
      error={told}
      {...(count && {
        rightSectionWidth: "auto",
        rightSectionProps: { style: { paddingInline: 8 } },
        rightSection: count,
      })}
    />
  );
}

/** A text of several lines with a limit: a longer one is told, and never cut. */
export function LimitedText({ value, most, error, ...more }: Limited<TextareaProps>) {
  const { error: told } = useLimit(value.length, most, error);
  return <Textarea {...more} value={value} error={told} />;
}

/** The characters that texts may have, as the API takes them. */
export const MOST_LINE_CHARS = 400;
export const MAX_NEAR_CHARS = 600;
export const MOST_ID_CHARS = 200;
export const MOST_TOPIC_ID_CHARS = 60;
export const MOST_FACT_NAME_CHARS = 300;
export const MOST_EXAMPLE_CHARS = 200;
export const MOST_ADDRESS_CHARS = 2_000;
export const MOST_TITLE_CHARS = 80;
export const MOST_QUESTION_CHARS = 2_000;
export const MOST_MESSAGE_CHARS = 4_000;
export const MOST_ANSWER_CHARS = 20_000;

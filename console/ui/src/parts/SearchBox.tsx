/** The box above a list that finds some of it. */
import { IconSearch } from "@tabler/icons-react";
import type { CSSProperties } from "react";
import { LimitedInput, MOST_ID_CHARS } from "./LimitedInput";

export function SearchBox({
  label,
  value,
  set,
  style,
  autofocus = false,
}: {
  label: string;
  value: string;
  set: (value: string) => void;
  style?: CSSProperties;
  /** Whether the dialog that it is in begins with it. */
  autofocus?: boolean;
}) {
  return (
    <LimitedInput
      style={style}
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} />}
      value={value}
      most={MOST_ID_CHARS}
      onChange={(event) => set(event.currentTarget.value)}
      data-autofocus={autofocus || undefined}
    />
  );
}

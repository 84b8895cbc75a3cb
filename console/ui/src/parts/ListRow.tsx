/** A row of a list that opens what it tells of. */
import { Paper, type PaperProps } from "@mantine/core";
import type { ReactNode } from "react";

export function ListRow({
  chosen = false,
  open,
  testid,
  children,
  ...more
}: PaperProps & {
  chosen?: boolean;
  disabled?: boolean;
  open: () => void;
  testid?: string;
  children: ReactNode;
}) {
  return (
    <Paper
      withBorder
      p="sm"
      component="button"
      type="button"
      className={`row${chosen ? " chosen" : ""}`}
      onClick={open}
      data-testid={testid}
      {...more}
    >
      {children}
    </Paper>
  );
}

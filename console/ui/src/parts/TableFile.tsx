import { Button, FileButton, type ButtonProps } from "@mantine/core";
import { useRef } from "react";

/** The button that takes a file; the same file, mended, can be chosen again. */
export function TableFile({
  name,
  accept,
  chosen,
  ...button
}: { name: string; accept: string; chosen: (file: File) => void } & ButtonProps) {
  const again = useRef<() => void>(null);
  return (
    <FileButton
      resetRef={again}
      accept={accept}
      onChange={(file) => {
        if (file) chosen(file);
        again.current?.();
      }}
    >
      {(props) => (
        <Button {...props} {...button}>
          {name}
        </Button>
      )}
    </FileButton>
  );
}

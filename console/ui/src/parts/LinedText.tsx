import { Text } from "@mantine/core";

const LINE_REM = 1.25;

/** A text to edit with its lines numbered, those with a fault marked. */
export function LinedText({
  label,
  value,
  set,
  faults,
}: {
  label: string;
  value: string;
  set: (value: string) => void;
  faults: { line: number | null; message: string }[];
}) {
  const lines = value.split("\n");
  const wrong = new Set(faults.map((each) => each.line));
  return (
    <div>
      <div className="lined">
        <div aria-hidden className="numbers">
          {lines.map((_, place) => (
            <div key={place} className={wrong.has(place + 1) ? "wrong" : undefined}>
              {place + 1}
            </div>
          ))}
        </div>
        <textarea
          aria-label={label}
          aria-invalid={faults.length > 0}
          spellCheck={false}
          wrap="off"
          value={value}
          style={{ height: `${(lines.length + 1) * LINE_REM + 1}rem`, lineHeight: `${LINE_REM}rem` }}
          onChange={(event) => set(event.currentTarget.value)}
        />
      </div>
      <div role="alert" data-testid="faults">
        {faults.map(({ line, message }, place) => (
          <Text key={place} size="sm" c="red" mt={4} style={{ overflowWrap: "anywhere" }}>
            {line ? `${line}: ${message}` : message}
          </Text>
        ))}
      </div>
    </div>
  );
}

/** Save a table as a file that a spreadsheet opens. */
export function download(name: string, rows: (string | number)[][]): void {
  // A cell that begins with =, +, - or @ would be a formula.
  const cell = (value: string | number) =>
    `"${String(value)
      .replace(/"/g, '""')
      .replace(/^[=+\-@]/, "'$&")}"`;
  const blob = new Blob(["\ufeff", rows.map((row) => row.map(cell).join(",")).join("\r\n")], {
    type: "text/csv",
  });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${name}.csv`;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Rows below a header, each column as wide as its widest cell. */
export function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heads, ...rows];
  const widths = heads.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A time to the second: '2026-03-10T12:00:00Z'. */
export const toSeconds = (iso: string): string => iso.replace(/\.\d+Z$/, 'Z');

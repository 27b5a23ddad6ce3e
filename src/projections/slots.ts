/** Rows of any number in a fixed number of documents: few enough to be named at once, and enough that none is large. */

/** The slot of a part: each has its own while there are enough slots. */
export function slotOf(slots: number, part: number, parts: number): number {
  return parts <= slots ? part : Math.floor((part * slots) / parts);
}

/** The number of the first row in each slot. */
export function slotStarts(slots: number, rowsOfParts: readonly number[]): readonly number[] {
  const starts: number[] = [];
  let row = 0;
  for (const [part, rows] of rowsOfParts.entries()) {
    starts[slotOf(slots, part, rowsOfParts.length)] ??= row;
    row += rows;
  }
  return starts;
}

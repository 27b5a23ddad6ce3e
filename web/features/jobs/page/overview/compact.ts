/** `840`, `1.2k`, `34k`, for where a whole number does not fit. Rounded down, so that a part never exceeds the whole. */
export function compact(number: number): string {
  if (number < 1000) return String(number);
  return `${number < 10_000 ? Math.floor(number / 100) / 10 : Math.floor(number / 1000)}k`;
}

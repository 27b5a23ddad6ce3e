/** At most `limit` characters of a text; "…" shows that there is more. */
export function excerpt(text: string, limit: number): string {
  if (text.length <= limit) return text;
  // Neither half a character nor a space before the mark.
  const start = text.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${start.trimEnd()}…`;
}

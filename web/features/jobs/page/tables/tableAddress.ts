/** The state of a table in the address of the page, under the names that the server's lists have for it. */

/** The query with these values; null removes one. The rest of it stays. */
export function changed(search: URLSearchParams, values: Readonly<Record<string, string | null>>): string {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === '') next.delete(name);
    else next.set(name, value);
  }
  return `?${next}`;
}

/** The value of a name, if it is one of these. */
export function oneOf<Value extends string>(
  search: URLSearchParams,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const given = search.get(name);
  return values.find((value) => value === given);
}

/** Without those that are undefined or empty. */
export function given<Values extends object>(values: Values): Partial<Values> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  ) as Partial<Values>;
}

/**
 * The one parser for the queries and forms that requests bring. Its cost is linear and bounded, unlike that of a
 * library which looks through all parameters once for each of them. Names and values are decoded as in
 * `URLSearchParams`, except that malformed UTF-8 is refused instead of replaced.
 */

export type QueryLimits = { readonly bytes: number; readonly parameters: number };

export const QUERY_LIMITS: QueryLimits = { bytes: 4 * 1024, parameters: 100 };

type Parameter = readonly [name: string, value: string];

export type QueryFault = 'TOO_LONG' | 'TOO_MANY' | 'MALFORMED_UNICODE';

/**
 * `text`: without the question mark; ASCII, so that its length is its size. In the order sent; a repeated name appears
 * repeatedly.
 */
export function parseQuery(text: string, limits: QueryLimits = QUERY_LIMITS): readonly Parameter[] | QueryFault {
  if (text.length > limits.bytes) return 'TOO_LONG';
  const parts = text.split('&').filter((part) => part !== '');
  if (parts.length > limits.parameters) return 'TOO_MANY';
  try {
    return parts.map(parameterOf);
  } catch {
    return 'MALFORMED_UNICODE';
  }
}

/** The value of each name; a list for a repeated one. */
export function valuesByName(parameters: readonly Parameter[]): Readonly<Record<string, string | readonly string[]>> {
  const values = new Map<string, string | string[]>();
  for (const [name, value] of parameters) {
    const earlier = values.get(name);
    if (earlier === undefined) values.set(name, value);
    else if (Array.isArray(earlier)) earlier.push(value);
    else values.set(name, [earlier, value]);
  }
  // Also for a name like `__proto__`, which becomes an ordinary property.
  return Object.fromEntries(values);
}

function parameterOf(part: string): Parameter {
  const equals = part.indexOf('=');
  return equals === -1 ? [decoded(part), ''] : [decoded(part.slice(0, equals)), decoded(part.slice(equals + 1))];
}

/** @throws URIError for malformed UTF-8. A percent sign that begins no escape stands for itself. */
function decoded(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' ').replaceAll(/%(?![0-9a-f]{2})/gi, '%25'));
}

/** URL patterns that learn: very many names at the same position come from one template, whatever they look like. */
import { urlPattern } from '../url.ts';

/** Up to this many different names at a position are kept; new ones then share one pattern. */
export const DISTINCT_NAMES = 40;

type Place = { readonly names: Map<string, Place>; distinct: number };

/** Returns a function from an address to its pattern, which does not change later. */
export function createPatterns(): (url: string) => string {
  const hosts = new Map<string, Place>();
  const patterns = new Map<string, string>();
  return (url) => {
    const plain = urlPattern(url);
    const known = patterns.get(plain);
    if (known !== undefined) return known;
    const pattern = learned(plain, hosts);
    // Cache only unchanged patterns: of the others there are as many as addresses.
    if (pattern === plain) patterns.set(plain, pattern);
    return pattern;
  };
}

function learned(plain: string, hosts: Map<string, Place>): string {
  const question = plain.indexOf('?');
  const [host = '', ...segments] = (question < 0 ? plain : plain.slice(0, question)).split('/');
  const query = question < 0 ? '' : plain.slice(question);
  let place = hosts.get(host) ?? emptyPlace();
  hosts.set(host, place);
  const parts: string[] = [];
  for (const segment of query === '' ? segments : [...segments, query]) {
    const name = nameAt(place, segment);
    parts.push(name === segment || segment !== query ? name : '?*');
    const next = place.names.get(name) ?? emptyPlace();
    place.names.set(name, next);
    place = next;
  }
  const path = `${host}/${parts.slice(0, segments.length).join('/')}`;
  return query === '' ? path : path + (parts.at(-1) ?? '');
}

/** The name itself until its position is full, then `*`. */
function nameAt(place: Place, name: string): string {
  if (name === '' || name === '*' || name === '{n}' || place.names.has(name)) return name;
  if (place.distinct >= DISTINCT_NAMES) return '*';
  place.distinct++;
  return name;
}

function emptyPlace(): Place {
  return { names: new Map(), distinct: 0 };
}

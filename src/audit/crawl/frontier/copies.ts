/**
 * Detects parameters that change nothing, from canonical addresses and from the values in links. Pure, but stateful.
 */

import { parseUrl } from '../../../model/parseUrl.ts';
import { urlPattern } from '../url.ts';

export type Copies = {
  /** Records a page's canonical address. */
  readonly learn: (url: string, canonical: string) => void;
  /** Records a link. */
  readonly see: (url: string) => void;
  /** The address without parameters that change nothing; the same string if it has none. */
  readonly plain: (url: string) => string;
};

/** Pages whose canonical drops the parameter, with none to the contrary, before it counts as idle. */
const PAGES_THAT_SAY_SO = 3;
/** Paths on which the parameter has different values before it counts as a session. */
const PATHS_WITH_NEW_VALUES = 3;
const MAX_NAMES = 200;
const MAX_PATHS = 200;

/**
 * Paginated lists often name their first page as canonical by mistake; skipping the other pages would lose what they
 * link to.
 */
const PAGING = /^(?:p|pg|pn|page|paged|pagenum|page_?no|page_?number|start|offset|from|skip|cursor|after)$/i;

type Vote = { idle: number; needed: number };

export function createCopies(): Copies {
  const votes = new Map<string, Map<string, Vote>>();
  /** Name → path → first value seen there; null after a different one. */
  const values = new Map<string, Map<string, string | null>>();
  const sessions = new Set<string>();

  const see = (url: string): void => {
    const parsed = url.includes('?') ? parseUrl(url) : null;
    if (!parsed) return;
    for (const [name, value] of parsed.searchParams) {
      if (!looksRandom(value) || sessions.has(name)) continue;
      const paths = entry(values, name, MAX_NAMES);
      if (!paths) continue;
      const before = paths.get(parsed.pathname);
      if (before === undefined && paths.size < MAX_PATHS) paths.set(parsed.pathname, value);
      else if (before !== undefined && before !== value) paths.set(parsed.pathname, null);
      if ([...paths.values()].filter((each) => each === null).length >= PATHS_WITH_NEW_VALUES) sessions.add(name);
    }
  };
  const isIdle = (place: string, name: string): boolean => {
    if (sessions.has(name)) return true;
    const vote = votes.get(place)?.get(name);
    return vote !== undefined && vote.idle >= PAGES_THAT_SAY_SO && vote.needed === 0;
  };
  return {
    see,
    learn: (url, canonical) => {
      const [from, to] = [parseUrl(url), parseUrl(canonical)];
      if (!from || !to || from.search === '' || from.origin !== to.origin || from.pathname !== to.pathname) return;
      const place = entry(votes, placeOf(url), MAX_PATHS);
      const kept = new Set(to.searchParams.keys());
      for (const name of new Set(from.searchParams.keys())) {
        const vote = place?.get(name) ?? { idle: 0, needed: 0 };
        if (kept.has(name)) vote.needed++;
        else if (!PAGING.test(name)) vote.idle++;
        if (place && place.size < MAX_NAMES) place.set(name, vote);
      }
    },
    plain: (url) => {
      if (sessions.size === 0 && votes.size === 0) return url;
      const parsed = url.includes('?') ? parseUrl(url) : null;
      if (!parsed) return url;
      const place = placeOf(url);
      const all = [...parsed.searchParams];
      const idle = new Set(all.map(([name]) => name).filter((name) => isIdle(place, name)));
      if (idle.size === 0) return url;
      // Written once: each deletion would write all that is left.
      parsed.search = new URLSearchParams(all.filter(([name]) => !idle.has(name))).toString();
      return parsed.href;
    },
  };
}

/** Pages from one template share their parameters. */
function placeOf(url: string): string {
  return urlPattern(url).split('?', 1)[0] ?? '';
}

function entry<T>(map: Map<string, Map<string, T>>, key: string, most: number): Map<string, T> | null {
  const present = map.get(key);
  if (present) return present;
  if (map.size >= most) return null;
  const made = new Map<string, T>();
  map.set(key, made);
  return made;
}

/** Long, with letters and digits: not written by a person. */
function looksRandom(value: string): boolean {
  return (
    value.length >= 16 && value.length <= 200 && /^[\w-]+$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value)
  );
}

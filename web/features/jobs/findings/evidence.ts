/** Findings of one issue as they are read: what many pages share once, everything else by address. */
import type { Findings } from '../page/reportApi.ts';

export type Finding = Findings['findings'][number];

export interface SharedEvidence {
  readonly first: Finding;
  /** Each address once. */
  readonly urls: readonly string[];
}

export interface Evidence {
  /** Seen alike on several pages, that of most pages first. */
  readonly shared: readonly SharedEvidence[];
  /** All others by address, in order of first appearance. */
  readonly alone: readonly (readonly [url: string, findings: readonly Finding[]])[];
}

export function evidenceOf(findings: readonly Finding[]): Evidence {
  const alike = grouped(findings, ({ message = '', value = '' }) => `${message}\n${value}`);
  const shared: SharedEvidence[] = [];
  const rest = new Set(findings);
  for (const group of alike.values()) {
    const urls = [...new Set(group.map(({ url = '' }) => url))];
    const [first] = group;
    if (first === undefined || urls.length < 2) continue;
    shared.push({ first, urls });
    for (const finding of group) rest.delete(finding);
  }
  shared.sort((a, b) => b.urls.length - a.urls.length);
  return { shared, alone: [...grouped([...rest], ({ url = '' }) => url)] };
}

function grouped(findings: readonly Finding[], keyOf: (finding: Finding) => string): Map<string, Finding[]> {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = keyOf(finding);
    const group = groups.get(key);
    if (group) group.push(finding);
    else groups.set(key, [finding]);
  }
  return groups;
}

const NOUNS: readonly (readonly [place: RegExp, noun: string])[] = [
  [/\btitle$/, 'title'],
  [/name=["']?description/, 'description'],
  [/\bh1\b/, 'heading'],
  [/rel=["']?canonical/, 'canonical URL'],
  [/^(?:a|area)\[href/, 'link'],
  [/^img\[/, 'image'],
];

/** What the pages share, in one word; '' where nothing is there, or it has no short name. */
export function sharedNoun({ place = '', value = '' }: Finding): string {
  if (value === '' || value === 'missing') return '';
  return NOUNS.find(([pattern]) => pattern.test(place))?.[1] ?? '';
}

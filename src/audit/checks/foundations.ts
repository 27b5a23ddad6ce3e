/** What a site is expected to have although search does not depend on it: reported, graded, and never scored. */
const GROUPS: ReadonlySet<string> = new Set(['security-headers']);
const IDS: ReadonlySet<string> = new Set([
  'ai-bots-served-differently',
  'ai-search-bots-blocked',
  'ai-training-bots',
  'ai-user-fetchers-blocked',
  'llms-txt-invalid',
  'llms-txt-missing',
]);

/** Analytics, search consoles, social profiles and shared links, security headers, and what AI crawlers may read. */
export function isFoundation({
  id,
  category,
  group,
}: {
  readonly id: string;
  readonly category: string;
  readonly group: string;
}): boolean {
  return category === 'tools' || category === 'social' || GROUPS.has(group) || IDS.has(id);
}

/** Where a page leads a crawler: its links, and the addresses it names as its better, other or next self. Pure. */
import type { PageFacts } from '../facts/pageFacts.ts';

export function leadsOf(facts: PageFacts): readonly string[] {
  const leads: string[] = [];
  if (!isNofollow(facts)) for (const link of facts.links) if (link.url !== null && link.internal && !link.rel.includes('nofollow')) leads.push(link.url);
  for (const canonical of facts.canonicals) if (canonical.url !== null) leads.push(canonical.url);
  for (const alternate of facts.alternates) if (alternate.url !== null) leads.push(alternate.url);
  const refresh = refreshTarget(facts);
  if (refresh !== null) leads.push(refresh);
  return leads;
}

function isNofollow(facts: PageFacts): boolean {
  return facts.metas.some((meta) => meta.name.toLowerCase() === 'robots' && /\b(?:nofollow|none)\b/i.test(meta.content));
}

/** `5; url=/next` of a meta refresh. */
function refreshTarget(facts: PageFacts): string | null {
  const refresh = facts.httpEquiv.find((meta) => meta.name.toLowerCase() === 'refresh');
  const target = /^[\s\d.]*[;,\s]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(refresh?.content ?? '')?.[1]?.trim();
  if (!target) return null;
  try {
    return new URL(target, facts.baseHref ? new URL(facts.baseHref, facts.url) : facts.url).href;
  } catch {
    return null;
  }
}

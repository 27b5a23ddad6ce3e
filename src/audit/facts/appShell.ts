/** Pages that a script is to fill, and what is known of one that was filled. Pure. */
import { THRESHOLDS } from '../checks/thresholds.ts';
import type { PageFacts } from './pageFacts.ts';

/** A script is to fill the page: its delivered HTML says nothing of its content. */
export function isFilledByScript(facts: PageFacts): boolean {
  const scripted = facts.inlineScripts.length > 0 || facts.resources.some((resource) => resource.kind === 'script');
  return facts.bodyWordCount < THRESHOLDS.jsOnlyWords && scripted && (facts.emptyAppRoot !== null || /javascript/i.test(facts.noscript));
}

const ROBOTS = /^(?:robots|.*bot)$/i;

/**
 * The page as its scripts have filled it. What only the delivered bytes tell stays as it was: their charset and doctype, what blocks the first
 * showing, and what they tell robots, who do not wait for a script to take a noindex back.
 */
export function filledFacts(delivered: PageFacts, filled: PageFacts): PageFacts {
  const { charset, doctype, quirks, limitedQuirks, headBrokenBy, emptyAppRoot, noscript, bodyWordCount } = delivered;
  const blocking = new Set(delivered.resources.filter((resource) => resource.blocking).map(({ url }) => url));
  const kept = delivered.metas.filter(({ name, content }) => ROBOTS.test(name) && !filled.metas.some((meta) => meta.name === name && meta.content === content));
  return {
    ...filled,
    charset,
    doctype,
    quirks,
    limitedQuirks,
    headBrokenBy,
    metas: [...kept, ...filled.metas],
    resources: filled.resources.map((resource) => (resource.blocking && !blocking.has(resource.url) ? { ...resource, blocking: false } : resource)),
    rendered: { emptyAppRoot, noscript, bodyWordCount },
  };
}

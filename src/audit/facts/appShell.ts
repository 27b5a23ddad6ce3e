/** Pages filled in by scripts, and how their rendered facts combine with the delivered ones. Pure. */
import { THRESHOLDS } from '../checks/thresholds.ts';
import type { PageFacts } from './pageFacts.ts';

/** Whether the page relies on scripts to fill it: its delivered HTML has almost no content. */
export function isFilledByScript(facts: PageFacts): boolean {
  const scripted = facts.inlineScripts.length > 0 || facts.resources.some((resource) => resource.kind === 'script');
  return (
    facts.bodyWordCount < THRESHOLDS.jsOnlyWords &&
    scripted &&
    (facts.emptyAppRoot !== null || /javascript/i.test(facts.noscript))
  );
}

const ROBOTS = /^(?:robots|.*bot)$/i;

/**
 * Facts of the page after its scripts ran. Kept from the delivered HTML: charset and doctype, which resources block the
 * first paint, and robots directives, because crawlers do not wait for a script to remove a noindex.
 */
export function filledFacts(delivered: PageFacts, filled: PageFacts): PageFacts {
  const { charset, doctype, quirks, limitedQuirks, headBrokenBy, emptyAppRoot, noscript, bodyWordCount } = delivered;
  const blocking = new Set(delivered.resources.filter((resource) => resource.blocking).map(({ url }) => url));
  const kept = delivered.metas.filter(
    ({ name, content }) =>
      ROBOTS.test(name) && !filled.metas.some((meta) => meta.name === name && meta.content === content),
  );
  return {
    ...filled,
    charset,
    doctype,
    quirks,
    limitedQuirks,
    headBrokenBy,
    ...(delivered.xmlError === undefined ? {} : { xmlError: delivered.xmlError }),
    metas: [...kept, ...filled.metas],
    ...(delivered.bodyRobots === undefined
      ? {}
      : { bodyRobots: [...delivered.bodyRobots, ...(filled.bodyRobots ?? [])] }),
    resources: filled.resources.map((resource) =>
      resource.blocking && !blocking.has(resource.url) ? { ...resource, blocking: false } : resource,
    ),
    rendered: { emptyAppRoot, noscript, bodyWordCount },
  };
}

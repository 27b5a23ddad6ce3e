/** Values in code that the site does not say itself. */
import type { AuditResult } from '../../../src/audit/audit.ts';

/** Words of HTML, of structured data and of robots directives. */
const SYNTAX =
  /^(?:|[a-z]{2,3}(?:-[A-Z]{2})?|utf-8|windows-1252|BreadcrumbList|ListItem|WebPage|WebSite|Organization|https:\/\/schema\.org|application\/ld\+json|canonical|alternate|description|robots|googlebot|viewport|width=device-width, initial-scale=1|twitter:card|summary|summary_large_image|og:[a-z_:]+|website|index, follow|max-image-preview:large|lazy|eager|high|main|nofollow|all)$/;

/** Everything that stands on the audited pages and in the addresses. */
export function saidBy({ crawl }: AuditResult): string {
  const { robots } = crawl.discovery;
  return folded(
    [
      robots.text,
      ...crawl.pages.flatMap(({ url, outcome, facts }) => [
        url,
        outcome.url,
        facts === null ? '' : JSON.stringify(facts),
      ]),
      ...crawl.linkChecks.flatMap(({ url, outcome }) => [url, outcome.url]),
    ].join('\n'),
  );
}

/** Values in quotation marks, and texts between tags. */
export function inventedIn(code: string, said: string): readonly string[] {
  const values = [...code.replace(/<\/?script[^>]*>|"[@\w]+":/g, '').matchAll(/"([^"]*)"|>([^<>]+)</g)].map((match) =>
    folded(match[1] ?? match[2] ?? ''),
  );
  return values.filter((value) => !SYNTAX.test(value) && !said.includes(value) && !isSaid(value, said));
}

/** The items of a list, or the parts of a title. */
function isSaid(value: string, said: string): boolean {
  return value.split(/, | [|–—·-] /).every((part) => SYNTAX.test(part) || said.includes(part));
}

function folded(text: string): string {
  return text
    .replace(/\\"/g, '"')
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();
}

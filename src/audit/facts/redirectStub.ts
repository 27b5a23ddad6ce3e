/** Pages that only send visitors on, by script or by meta refresh. Pure. */
import { THRESHOLDS } from '../checks/thresholds.ts';
import type { PageFacts } from './pageFacts.ts';

/** `delay` in seconds; `target` is null if the page reloads itself. */
export type Refresh = { readonly content: string; readonly delay: number; readonly target: string | null };

/** Meta refreshes that take effect. */
export function refreshesOf(facts: PageFacts): Refresh[] {
  return facts.httpEquiv.flatMap(({ name, content }) => {
    if (name !== 'refresh') return [];
    const delay = Number.parseFloat(content);
    const target = /^[^;,]{0,40}[;,]\s{0,20}(?:url\s{0,5}=\s{0,5})?['"]?(\S{1,500})/i.exec(content.trim())?.[1] ?? null;
    if (target === null && !(delay > 0 && delay <= 72_000)) return [];
    return [{ content, delay: Number.isNaN(delay) ? 0 : delay, target }];
  });
}

const MOVES =
  /(?:window|document|self|top)?\.?location(?:\.href)?\s{0,10}=[^=][^\n;]{0,120}|location\.(?:replace|assign)\s{0,10}\([^\n;]{0,120}/;

/** The script of an otherwise empty page that moves visitors on; null if there is none. */
export function movingScript(facts: PageFacts): { readonly statement: string; readonly selector: string } | null {
  if (facts.bodyWordCount >= THRESHOLDS.jsRedirectWords) return null;
  for (const { text, selector } of facts.inlineScripts) {
    const statement = MOVES.exec(text)?.[0];
    if (statement !== undefined) return { statement, selector };
  }
  return null;
}

/** Nobody sees this page: its own content does not matter. */
export function isRedirectStub(facts: PageFacts): boolean {
  return refreshesOf(facts).some(({ delay, target }) => target !== null && delay === 0) || movingScript(facts) !== null;
}

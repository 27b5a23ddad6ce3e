/** What a page loads or submits to: scripts, styles, frames, media, icons, forms. */

import type { ResourceFact } from './pageFacts.ts';
import { type PageScope, resolveUrl } from './pageScope.ts';
import { attributeOf, type Element, tokensOf } from './parse/element.ts';
import { mediaTypeIn, type ScriptType } from './scriptType.ts';

const MAX_RESOURCES = 1000;
/** Longer URLs are ignored. */
const HREF_LIMIT = 2100;

export type ResourceCollector = { readonly resources: ResourceFact[]; total: number };

export function createResourceCollector(): ResourceCollector {
  return { resources: [], total: 0 };
}

function add(
  collector: ResourceCollector,
  kind: ResourceFact['kind'],
  href: string | null,
  blocking: boolean,
  element: Element,
  scope: PageScope,
): void {
  if (href === null || href.trim() === '') return;
  collector.total += 1;
  if (collector.resources.length >= MAX_RESOURCES || href.length > HREF_LIMIT || href.startsWith('data:')) return;
  const url = resolveUrl(href, scope);
  if (url !== null)
    collector.resources.push({ url, kind, inHead: scope.inHead, blocking, selector: scope.selectorOf(element) });
}

/** A stylesheet whose media attribute does not match a screen does not block rendering. */
function matchesScreen(media: string | null): boolean {
  const query = (media ?? '').trim().toLowerCase();
  return (
    query === '' ||
    query === 'all' ||
    query.startsWith('screen') ||
    query.startsWith('only screen') ||
    query.startsWith('(')
  );
}

/** What is no script for the browser, or a deferred one, does not block. */
export function collectScript(
  collector: ResourceCollector,
  element: Element,
  type: ScriptType,
  scope: PageScope,
): void {
  const deferred = attributeOf(element, 'async') !== null || attributeOf(element, 'defer') !== null;
  const blocking = scope.inHead && type === 'classic' && !deferred;
  add(collector, 'script', attributeOf(element, 'src'), blocking, element, scope);
}

export function collectLinkedResource(collector: ResourceCollector, element: Element, scope: PageScope): void {
  const rel = tokensOf(attributeOf(element, 'rel'));
  const href = attributeOf(element, 'href');
  const type = mediaTypeIn(attributeOf(element, 'type'));
  if (rel.includes('stylesheet')) {
    const blocking =
      scope.inHead &&
      (type === '' || type === 'text/css') &&
      attributeOf(element, 'disabled') === null &&
      matchesScreen(attributeOf(element, 'media')) &&
      !rel.includes('alternate');
    add(collector, 'stylesheet', href, blocking, element, scope);
  } else if (rel.includes('icon') || rel.includes('apple-touch-icon'))
    add(collector, 'icon', href, false, element, scope);
  else if (rel.includes('manifest')) add(collector, 'manifest', href, false, element, scope);
  else if (rel.includes('preload') || rel.includes('modulepreload'))
    add(collector, attributeOf(element, 'as') === 'font' ? 'font' : 'preload', href, false, element, scope);
  else if (rel.includes('alternate') && /(?:rss|atom)\+xml|feed\+json/.test(type))
    add(collector, 'feed', href, false, element, scope);
}

const SOURCE_ATTRIBUTE: Readonly<Record<string, readonly [string, ResourceFact['kind']]>> = {
  iframe: ['src', 'iframe'],
  frame: ['src', 'frame'],
  video: ['src', 'media'],
  audio: ['src', 'media'],
  source: ['src', 'media'],
  track: ['src', 'media'],
  embed: ['src', 'object'],
  object: ['data', 'object'],
  form: ['action', 'form'],
};

export function collectEmbedded(collector: ResourceCollector, element: Element, scope: PageScope): void {
  const source = SOURCE_ATTRIBUTE[element.tagName];
  if (source !== undefined) add(collector, source[1], attributeOf(element, source[0]), false, element, scope);
}

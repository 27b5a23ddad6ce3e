/**
 * Turns the bytes of one page into facts: decoded once, parsed once, walked once. Pure and synchronous; the pool runs
 * it off the main thread.
 */

import { MANY_BUTTONS } from '../bodyFacts.ts';
import { type Collectors, createCollectors, createVisitor } from '../collectors.ts';
import { contentBlockOf } from '../contentBlock.ts';
import { targetFacts } from '../fragmentTargets.ts';
import { menusOf } from '../menus.ts';
import type { PageFacts } from '../pageFacts.ts';
import { withinRoom } from '../pageRoom.ts';
import { type PageScope, siteHostOf } from '../pageScope.ts';
import { languageTag } from '../reading.ts';
import { shapeOf } from '../shape.ts';
import { textFacts } from '../text/mainText.ts';
import { markdownFact } from '../text/markdown.ts';
import { decodePage, isXmlType } from './charset.ts';
import { attributeOf, type Element, type HtmlDocument, innerText } from './element.ts';
import { headBreaker, parseTree } from './htmlTree.ts';
import { createSelectors } from './selector.ts';
import { walk } from './walk.ts';
import { parseXml } from './xmlTree.ts';

/** `url` is the final address, `body` the decompressed bytes. */
export type ParseInput = { readonly url: string; readonly body: Uint8Array; readonly contentType: string | null };

/**
 * May reject with `PageParseError`. Takes ownership of the body (its buffer may be detached). `owner`: whose page it is;
 * owners are served in turns.
 */
export type ParsePage = (input: ParseInput, owner?: object) => Promise<PageFacts>;

/** Never throws for any bytes; `url` must be absolute. */
export function parsePage(input: ParseInput): PageFacts {
  const { text, charset } = decodePage(input.body, input.contentType);
  const xml = isXmlType(input.contentType) ? parseXml(text) : null;
  const tree = xml === null ? parseTree(text) : { document: xml.document, mode: 'no-quirks' };
  const menus = menusOf(tree.document);
  const scope = startScope(input.url, menus);
  const all = createCollectors();
  walk(tree.document, createVisitor(all, scope));
  resolveLabels(tree.document, scope);
  const facts = factsOf(all);
  const block = facts.landmarks.main > 0 ? null : contentBlockOf(tree.document, menus);
  return withinRoom({
    url: input.url,
    charset,
    doctype: doctypeOf(tree.document),
    quirks: tree.mode === 'quirks',
    limitedQuirks: tree.mode === 'limited-quirks',
    headBrokenBy: all.head.misplaced && xml === null ? headBreaker(text) : null,
    ...(xml === null ? {} : { xmlError: xml.error }),
    ...facts,
    ...(block === null ? {} : { contentBlock: { tag: block.tagName, selector: scope.selectorOf(block) } }),
  });
}

function startScope(url: string, menus: PageScope['menus']): PageScope {
  return {
    pageUrl: url,
    baseUrl: url,
    siteHost: siteHostOf(url),
    selectorOf: createSelectors(),
    resolved: new Map(),
    menus,
    area: 'main',
    boilerplate: false,
    inMenu: false,
    mainDepth: 0,
    sectionDepth: 0,
    hiddenDepth: 0,
    silentDepth: 0,
    svgDepth: 0,
    codeDepth: 0,
    inHead: false,
    lang: '',
    pageLang: '',
    sinks: [],
    labels: [],
  };
}

function factsOf(
  all: Collectors,
): Omit<PageFacts, 'url' | 'charset' | 'doctype' | 'quirks' | 'limitedQuirks' | 'headBrokenBy'> {
  const { metaTotal, misplaced: _, ...head } = all.head;
  return {
    lang: all.lang,
    ...head,
    ...(all.body.classes.length === 0 ? {} : { bodyClasses: all.body.classes }),
    headings: all.body.headings,
    links: all.links.links,
    ...(all.links.main === null ? {} : { mainLinks: all.links.main }),
    uncrawlableAnchors: all.links.uncrawlable,
    images: all.images.images,
    resources: all.resources.resources,
    structuredData: all.data.facts,
    inlineScripts: all.scripts,
    landmarks: all.body.landmarks,
    shape: shapeOf(all.shape),
    counts: all.body.counts,
    totals: {
      links: all.links.total,
      images: all.images.total,
      headings: all.body.headingTotal,
      resources: all.resources.total,
      metas: metaTotal,
    },
    ...targetFacts(all.targets),
    dates: all.body.dates,
    commerce: {
      price: all.text.price,
      buyButton: all.body.buyButtons > 0,
      ...(all.body.buyButtons >= MANY_BUTTONS ? { manyButtons: true as const } : {}),
    },
    passwordField: all.body.passwordField,
    emptyAppRoot: all.body.emptyAppRoot,
    noscript: all.noscript,
    unseen: all.unseen.found,
    ...(all.body.address === null ? {} : { contact: all.body.address }),
    ...textFacts(all.text, languageTag(all.lang ?? ''), all.data.facts),
    ...markdownFact(all.markdown),
  };
}

function doctypeOf(document: HtmlDocument): string | null {
  for (const node of document.childNodes) {
    if (!('publicId' in node)) continue;
    const parts = [node.name, node.publicId, node.systemId].filter((part) => part !== '');
    return parts.join(' ').slice(0, 300);
  }
  return null;
}

/** aria-labelledby can refer to elements anywhere, so it is resolved in a second pass, only for pages that use it. */
function resolveLabels(document: HtmlDocument, scope: PageScope): void {
  if (scope.labels.length === 0) return;
  const byId = new Map<string, Element>();
  walk(document, {
    enter: (element) => {
      const id = attributeOf(element, 'id');
      if (id !== null && !byId.has(id)) byId.set(id, element);
      return undefined;
    },
    text: () => undefined,
  });
  // Thousands of elements may be named by the same ones.
  const texts = new Map<string, string>();
  const textOf = (id: string): string => {
    let text = texts.get(id);
    if (text === undefined) {
      const element = byId.get(id);
      text = element === undefined ? '' : (attributeOf(element, 'aria-label') ?? innerText(element, 200));
      texts.set(id, text);
    }
    return text;
  };
  for (const { ids, apply } of scope.labels)
    apply(
      ids
        .split(/\s+/)
        .slice(0, 10)
        .map(textOf)
        .filter((text) => text !== '')
        .join(' ')
        .trim()
        .slice(0, 200),
    );
}

/** The collectors for one page, and the visitor that passes each element to them. */
import {
  type BodyCollector,
  collectAddress,
  collectAnswer,
  collectAppRoot,
  collectBodyClasses,
  collectButton,
  collectDate,
  collectHeading,
  countElement,
  createBodyCollector,
  headingLevel,
} from './bodyFacts.ts';
import { collectTarget, type TargetCollector } from './fragmentTargets.ts';
import {
  collectBase,
  collectHeadLink,
  collectMeta,
  collectTitle,
  createHeadCollector,
  type HeadCollector,
} from './headFacts.ts';
import { collectImage, createImageCollector, type ImageCollector, styleOf } from './imageFacts.ts';
import { enterLandmark, LANDMARK_TAGS } from './landmarks.ts';
import { collectLink, createLinkCollector, enterMainLinks, type LinkCollector } from './linkFacts.ts';
import type { HeadingFact } from './pageFacts.ts';
import { isPartOf, type Leave, openSink, type PageScope } from './pageScope.ts';
import {
  attributeOf,
  type Element,
  fold,
  HTML_NAMESPACE,
  MATHML_NAMESPACE,
  rawTextOf,
  SVG_NAMESPACE,
  type TextNode,
} from './parse/element.ts';
import type { Entered, Visitor } from './parse/walk.ts';
import { languageTag } from './reading.ts';
import {
  collectEmbedded,
  collectLinkedResource,
  collectScript,
  createResourceCollector,
  type ResourceCollector,
} from './resourceFacts.ts';
import { scriptTypeOf } from './scriptType.ts';
import { collectShape, createShapeCollector, type ShapeCollector } from './shape.ts';
import {
  collectJsonLd,
  collectMicrodata,
  createStructuredDataCollector,
  type StructuredDataCollector,
} from './structuredData.ts';
import {
  collectBreak,
  collectParagraph,
  collectText,
  createTextCollector,
  type TextCollector,
  wordsSoFar,
} from './text/mainText.ts';
import {
  collectMarkdownText,
  createMarkdownCollector,
  enterMarkdown,
  type MarkdownCollector,
} from './text/markdown.ts';
import { collectUnseen, type UnseenCollector } from './text/unseenText.ts';

const MAY_HIDE = /-\d{4}|font-size|background/i;
const MAX_INLINE_SCRIPTS = 60;
const INLINE_SCRIPT_LIMIT = 3000;
const NOSCRIPT_LIMIT = 500;

export type Collectors = {
  readonly head: HeadCollector;
  readonly body: BodyCollector;
  readonly links: LinkCollector;
  readonly images: ImageCollector;
  readonly resources: ResourceCollector;
  readonly data: StructuredDataCollector;
  readonly text: TextCollector;
  readonly markdown: MarkdownCollector;
  readonly unseen: UnseenCollector;
  readonly shape: ShapeCollector;
  readonly targets: TargetCollector;
  readonly scripts: { text: string; selector: string }[];
  lang: string | null;
  noscript: string;
};

export function createCollectors(): Collectors {
  return {
    head: createHeadCollector(),
    body: createBodyCollector(),
    links: createLinkCollector(),
    images: createImageCollector(),
    resources: createResourceCollector(),
    data: createStructuredDataCollector(),
    text: createTextCollector(),
    markdown: createMarkdownCollector(),
    unseen: { found: null },
    shape: createShapeCollector(),
    targets: new Set(),
    scripts: [],
    lang: null,
    noscript: '',
  };
}

/** Elements whose text is not part of the surrounding text. */
const SILENT: ReadonlySet<string> = new Set(
  'script style noscript template iframe textarea select datalist title noframes noembed'.split(' '),
);
const INLINE: ReadonlySet<string> = new Set(
  'a abbr acronym b bdi bdo big cite code data dfn em font i ins kbd label mark q ruby s samp small span strike strong sub sup time tt u var wbr img'.split(
    ' ',
  ),
);

export function createVisitor(all: Collectors, scope: PageScope): Visitor {
  const breakWords = (): void => {
    for (const sink of scope.sinks) {
      sink.shown.push(' ');
      sink.named.push(' ');
    }
    if (scope.hiddenDepth === 0) collectBreak(all.text, scope);
  };

  function enter(element: Element, depth: number): Entered {
    const tag = element.tagName;
    const byMenu = scope.menus.has(element) ? enterMenu(scope) : undefined;
    collectShape(all.shape, element, depth, scope);
    countElement(all.body.counts, tag, depth, !scope.boilerplate && scope.hiddenDepth === 0);
    const byAttributes = both(
      byMenu,
      element.attrs.length > 0 || LANDMARK_TAGS.has(tag) ? enterAttributes(all, element, scope) : undefined,
    );
    if (element.namespaceURI !== HTML_NAMESPACE) return both(byAttributes, enterForeign(all, element, scope));
    const block = !scope.inHead && !INLINE.has(tag);
    if (block) breakWords();
    const byTag = enterTag(all, element, tag, scope);
    if (SILENT.has(tag)) {
      byTag?.();
      byAttributes?.();
      return 'skip';
    }
    const byContent = both(byTag, enterMarkdown(all.markdown, element, block, scope));
    return both(block ? both(byAttributes, breakWords) : byAttributes, byContent);
  }

  return { enter, text: (node) => readText(all, node, scope) };
}

/** Combines two leave functions; they run in reverse order of entering. */
function both(first: Leave | undefined, second: Leave | undefined): Leave | undefined {
  if (first === undefined) return second;
  if (second === undefined) return first;
  return () => {
    second();
    first();
  };
}

function readText(all: Collectors, node: TextNode, scope: PageScope): void {
  if (scope.inHead) return;
  for (const sink of scope.sinks) {
    if (!isPartOf(sink, scope)) continue;
    if (scope.svgDepth === 0) sink.shown.push(node.value);
    sink.named.push(node.value);
    if (sink.lang === null && /\S/.test(node.value)) sink.lang = scope.lang;
  }
  if (scope.hiddenDepth > 0 || scope.svgDepth > 0) return;
  collectText(all.text, node.value, scope);
  collectMarkdownText(all.markdown, node.value, scope);
}

/** SVG and MathML: drawings, and the links in them. */
function enterForeign(all: Collectors, element: Element, scope: PageScope): Leave | undefined {
  const isDrawing = element.tagName === 'svg';
  const { namespaceURI, tagName } = element;
  const isLink = namespaceURI === MATHML_NAMESPACE || (namespaceURI === SVG_NAMESPACE && tagName === 'a');
  const leave = isDrawing ? enterSvg(scope) : undefined;
  return isLink && attributeOf(element, 'href') !== null ? both(leave, collectLink(all.links, element, scope)) : leave;
}

function enterMenu(scope: PageScope): Leave {
  const { boilerplate, inMenu } = scope;
  scope.boilerplate = true;
  scope.inMenu = true;
  return () => {
    scope.boilerplate = boilerplate;
    scope.inMenu = inMenu;
  };
}

function enterSvg(scope: PageScope): Leave {
  scope.svgDepth += 1;
  return () => {
    scope.svgDepth -= 1;
  };
}

function enterHidden(scope: PageScope): Leave {
  scope.hiddenDepth += 1;
  return () => {
    scope.hiddenDepth -= 1;
  };
}

function enterSilent(scope: PageScope): Leave {
  scope.silentDepth += 1;
  return () => {
    scope.silentDepth -= 1;
  };
}

function enterCode(scope: PageScope): Leave {
  scope.codeDepth += 1;
  return () => {
    scope.codeDepth -= 1;
  };
}

function enterLanguage(scope: PageScope, lang: string): Leave {
  const before = scope.lang;
  scope.lang = languageTag(lang);
  return () => {
    scope.lang = before;
  };
}

/** Reads the attributes that matter on any element: language, hiding, landmark roles, microdata, labels. */
function enterAttributes(all: Collectors, element: Element, scope: PageScope): Leave | undefined {
  let leave: Leave | undefined;
  let role = '';
  let semantic = false;
  for (const { name, value } of element.attrs) {
    if (name === 'lang') leave = both(leave, enterLanguage(scope, value));
    else if (name === 'aria-hidden' && value.trim() === 'true') leave = both(leave, enterSilent(scope));
    else if (name === 'hidden') leave = both(leave, enterHidden(scope));
    else if (name === 'style') {
      if (value.includes('none') && styleOf(element).get('display') === 'none') leave = both(leave, enterHidden(scope));
      else if (MAY_HIDE.test(value)) leave = both(leave, collectUnseen(all.unseen, element, scope));
    } else if (name === 'itemscope' || name === 'itemprop' || name === 'typeof') semantic = true;
    else if (name === 'role') role = value.trim().toLowerCase();
    else if (NAMING.has(name)) collectName(name, value, scope);
    else if (name === 'id') {
      collectAppRoot(all.body, element, scope);
      collectTarget(all.targets, value);
    } else if (name === 'name' && element.tagName === 'a') collectTarget(all.targets, value);
  }
  if (semantic) leave = both(leave, collectMicrodata(all.data, element, scope));
  if (role === 'heading' && !isHeadingTag(element.tagName))
    leave = both(leave, collectHeading(all.body, element, headingLevel(element, 2), true, scope));
  if (role === '' && !LANDMARK_TAGS.has(element.tagName)) return leave;
  const { mainDepth } = scope;
  leave = both(leave, enterLandmark(all.body.landmarks, element.tagName, role, scope));
  return scope.mainDepth > mainDepth ? both(leave, enterMainLinks(all.links)) : leave;
}

const NAMING: ReadonlySet<string> = new Set(['aria-label', 'aria-labelledby', 'title']);

/** What an element says of itself may name those it stands in. */
function collectName(attribute: string, value: string, scope: PageScope): void {
  const name = value.slice(0, 300);
  for (const sink of scope.sinks) {
    if (!isPartOf(sink, scope)) continue;
    if (attribute === 'aria-label') sink.named.push(` ${name} `);
    else if (attribute === 'title') sink.titles.push(name);
    else sink.labelledBy ??= name;
  }
}

function enterHead(scope: PageScope): Leave {
  scope.inHead = true;
  return () => {
    scope.inHead = false;
  };
}

function enterParagraph(all: Collectors, scope: PageScope): Leave | undefined {
  if (scope.hiddenDepth > 0) return undefined;
  const close = openSink(scope);
  return () => {
    const text = close().shown.join('');
    collectAnswer(all.body, text);
    collectParagraph(all.text, text, scope);
  };
}

function readScript(all: Collectors, element: Element, scope: PageScope): void {
  const type = scriptTypeOf(element);
  if (type === 'json-ld') {
    collectJsonLd(all.data, element, scope);
    return;
  }
  collectScript(all.resources, element, type, scope);
  if (type === 'data' || attributeOf(element, 'src') !== null || all.scripts.length >= MAX_INLINE_SCRIPTS) return;
  all.scripts.push({ text: rawTextOf(element).slice(0, INLINE_SCRIPT_LIMIT), selector: scope.selectorOf(element) });
}

function isHeadingTag(tag: string): boolean {
  return tag.length === 2 && tag >= 'h1' && tag <= 'h6';
}

/** Any other role removes the heading semantics. */
function enterHeading(all: Collectors, element: Element, tag: string, scope: PageScope): Leave | undefined {
  const role = (attributeOf(element, 'role') ?? '').trim().toLowerCase();
  if (role !== '' && role !== 'heading') return undefined;
  const level = headingLevel(element, Number(tag.charAt(1)) as HeadingFact['level']);
  return collectHeading(all.body, element, level, false, scope);
}

function enterTag(all: Collectors, element: Element, tag: string, scope: PageScope): Leave | undefined {
  switch (tag) {
    case 'html':
      all.lang = attributeOf(element, 'lang')?.slice(0, 100) ?? null;
      scope.pageLang = scope.lang;
      return undefined;
    case 'head':
      return enterHead(scope);
    case 'body':
      collectBodyClasses(all.body, element);
      return undefined;
    case 'title':
      if (scope.svgDepth === 0) collectTitle(all.head, element, scope);
      return undefined;
    case 'base':
      collectBase(all.head, element, scope);
      return undefined;
    case 'meta':
      collectMeta(all.head, element, scope);
      return undefined;
    case 'link':
      collectHeadLink(all.head, element, scope);
      collectLinkedResource(all.resources, element, scope);
      return undefined;
    case 'script':
      readScript(all, element, scope);
      return undefined;
    case 'noscript':
      if (all.noscript.length < NOSCRIPT_LIMIT && !scope.inHead)
        all.noscript = fold(`${all.noscript} ${rawTextOf(element).slice(0, NOSCRIPT_LIMIT)}`, NOSCRIPT_LIMIT);
      return undefined;
    case 'a':
    case 'area':
      return collectLink(all.links, element, scope);
    case 'img':
      collectImage(all.images, element, scope, () => wordsSoFar(all.text, scope));
      return undefined;
    case 'p':
      return enterParagraph(all, scope);
    case 'pre':
    case 'code':
      return enterCode(scope);
    case 'button':
    case 'input':
      return collectButton(all.body, element, scope);
    case 'address':
      return collectAddress(all.body, scope);
    case 'time':
      collectDate(all.body, element);
      return undefined;
    case 'iframe':
    case 'frame':
    case 'video':
    case 'audio':
    case 'source':
    case 'track':
    case 'embed':
    case 'object':
    case 'form':
      collectEmbedded(all.resources, element, scope);
      return undefined;
    default:
      return isHeadingTag(tag) ? enterHeading(all, element, tag, scope) : undefined;
  }
}

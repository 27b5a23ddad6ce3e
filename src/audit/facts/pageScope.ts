/** State of the walk at its current position, shared by all collectors. */
import { parseUrl } from '../../model/parseUrl.ts';
import type { Area } from './pageFacts.ts';
import type { Element } from './parse/element.ts';
import type { SelectorOf } from './parse/selector.ts';

/** Collects the text of one open element: as shown, and as named (with alt texts and labels). */
export type TextSink = {
  readonly shown: string[];
  readonly named: string[];
  /** Where nothing else names it: titles within, and the first aria-labelledby. */
  readonly titles: string[];
  labelledBy: string | null;
  /** Of its first text; null before it. */
  lang: string | null;
  /** What is hidden within it is no text of it. */
  readonly hiddenDepth: number;
};

export type PageScope = {
  readonly pageUrl: string;
  /** Base for relative addresses: <base href> if there is one. */
  baseUrl: string;
  /** Host of the page without www., to recognize internal links. */
  readonly siteHost: string;
  readonly selectorOf: SelectorOf;
  /** Cache of resolved addresses by their raw text. Cleared when <base> changes the base. */
  readonly resolved: Map<string, Resolved>;
  /** Menus that no landmark marks. */
  readonly menus: ReadonlySet<Element>;
  area: Area;
  /** Inside nav, a page header or footer, an aside, or a menu. */
  boilerplate: boolean;
  /** Inside a menu that no landmark marks. */
  inMenu: boolean;
  mainDepth: number;
  /** Depth of article, section and main: a header inside one of them is content. */
  sectionDepth: number;
  hiddenDepth: number;
  /** Inside aria-hidden. */
  silentDepth: number;
  svgDepth: number;
  /** Inside <pre> or <code>. */
  codeDepth: number;
  inHead: boolean;
  lang: string;
  /** Language of the root element. */
  pageLang: string;
  /** Open elements whose text is being collected, outermost first. */
  readonly sinks: TextSink[];
  /** aria-labelledby references, resolved after the walk. */
  readonly labels: { readonly ids: string; readonly apply: (text: string) => void }[];
};

export type Resolved = { readonly url: string | null; readonly internal: boolean };

/**
 * Beyond what the crawl requests anyway. Each short link beside a long `<base>` becomes an address as long as that:
 * thousands of them on each page fill the memory.
 */
export const LONGEST_ADDRESS = 2_100;

const NOWHERE: Resolved = { url: null, internal: false };

/**
 * The absolute URL without fragment, and whether it is internal. Cached, because pages repeat most of their addresses.
 */
export function resolve(href: string, scope: PageScope): Resolved {
  let resolved = scope.resolved.get(href);
  if (resolved === undefined) {
    resolved = read(href, scope);
    scope.resolved.set(href, resolved);
  }
  return resolved;
}

function read(href: string, scope: PageScope): Resolved {
  const url = parseUrl(href, scope.baseUrl);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return NOWHERE;
  const whole = url.href;
  if (whole.length > LONGEST_ADDRESS) return NOWHERE;
  const hash = whole.indexOf('#');
  return { url: hash < 0 ? whole : whole.slice(0, hash), internal: bareHost(url.host) === scope.siteHost };
}

/** Absolute, without fragment; null if it is not an http(s) URL. */
export function resolveUrl(href: string, scope: PageScope): string | null {
  return resolve(href, scope).url;
}

/** Hosts that differ only by a leading www. are one site. */
function bareHost(host: string): string {
  return host.startsWith('www.') ? host.slice(4) : host;
}

export function siteHostOf(url: string): string {
  const parsed = parseUrl(url, 'http://invalid/');
  return parsed === null ? '' : bareHost(parsed.host);
}

/** Limit on open elements that collect text at once; no real page nests deeper. */
const MAX_SINKS = 12;

/** Opens a sink; the returned function closes it and returns the texts. */
export function openSink(scope: PageScope): () => TextSink {
  const sink: TextSink = {
    shown: [],
    named: [],
    titles: [],
    labelledBy: null,
    lang: null,
    hiddenDepth: scope.hiddenDepth,
  };
  if (scope.sinks.length >= MAX_SINKS) return () => sink;
  scope.sinks.push(sink);
  return () => {
    const at = scope.sinks.lastIndexOf(sink);
    if (at >= 0) scope.sinks.splice(at, 1);
    return sink;
  };
}

/** Whether the present position is seen as a part of the sink's element. */
export const isPartOf = (sink: TextSink, scope: PageScope): boolean => sink.hiddenDepth === scope.hiddenDepth;

/** Whether screen readers skip this position. */
export function isSilent(scope: PageScope): boolean {
  return scope.hiddenDepth > 0 || scope.silentDepth > 0;
}

/** Runs when the collector's element closes. */
export type Leave = () => void;

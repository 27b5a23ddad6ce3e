/** What the walk knows about the place it is at; the collectors read it, only the walk writes it. */
import type { Area } from './pageFacts.ts';
import type { SelectorOf } from './parse/selector.ts';

/** Gathers the text of one element while it is open: as shown, and as named (with alt texts and labels). */
export type TextSink = { readonly shown: string[]; readonly named: string[] };

export type PageScope = {
  readonly pageUrl: string;
  /** What relative addresses resolve against: <base href> when there is one. */
  baseUrl: string;
  /** Host of the page without www., for telling internal links. */
  readonly siteHost: string;
  readonly selectorOf: SelectorOf;
  /** Addresses as written, read already. Cleared when <base> changes what they mean. */
  readonly resolved: Map<string, Resolved>;
  area: Area;
  /** Inside nav, a page header or footer, or an aside. */
  boilerplate: boolean;
  mainDepth: number;
  /** Depth of article, section and main: a header inside one is content. */
  sectionDepth: number;
  hiddenDepth: number;
  /** Inside aria-hidden. */
  silentDepth: number;
  svgDepth: number;
  inHead: boolean;
  lang: string;
  /** Of the root element. */
  pageLang: string;
  /** Open elements whose text is wanted, outermost first. */
  readonly sinks: TextSink[];
  /** Ids that aria-labelledby refers to, looked up after the walk. */
  readonly labels: { readonly ids: string; readonly apply: (text: string) => void }[];
};

export type Resolved = { readonly url: string | null; readonly internal: boolean };

const NOWHERE: Resolved = { url: null, internal: false };

/** Absolute, without fragment, and whether it stays on the site. Pages repeat most of their addresses, so each is read once. */
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
  const hash = whole.indexOf('#');
  return { url: hash < 0 ? whole : whole.slice(0, hash), internal: bareHost(url.host) === scope.siteHost };
}

/** Absolute, without fragment; null when it is no http(s) address. */
export function resolveUrl(href: string, scope: PageScope): string | null {
  return resolve(href, scope).url;
}

function parseUrl(href: string, base: string): URL | null {
  try {
    return new URL(href, base);
  } catch {
    return null;
  }
}

/** Hosts that differ by a leading www. alone are one site. */
function bareHost(host: string): string {
  return host.startsWith('www.') ? host.slice(4) : host;
}

export function siteHostOf(url: string): string {
  const parsed = parseUrl(url, 'http://invalid/');
  return parsed === null ? '' : bareHost(parsed.host);
}

/** How many open elements may gather text at once: nesting deeper than this is no page made for people. */
const MAX_SINKS = 12;

/** Opens a sink; the returned function closes it and gives the texts. */
export function openSink(scope: PageScope): () => TextSink {
  const sink: TextSink = { shown: [], named: [] };
  if (scope.sinks.length >= MAX_SINKS) return () => sink;
  scope.sinks.push(sink);
  return () => {
    const at = scope.sinks.lastIndexOf(sink);
    if (at >= 0) scope.sinks.splice(at, 1);
    return sink;
  };
}

/** Whether screen readers pass over this place. */
export function isSilent(scope: PageScope): boolean {
  return scope.hiddenDepth > 0 || scope.silentDepth > 0;
}

/** What a collector does when its element closes. */
export type Leave = () => void;

/** What a finding's code means: the site as it is once somebody has applied it. Pure. */
import { gzipSync } from 'node:zlib';
import { type DomDocument, type DomElement, JSDOM } from 'jsdom';
import { decodePage } from '../../../src/audit/facts/parse/charset.ts';
import type { Finding, Snippet } from '../../../src/model/findings.ts';
import type { SiteAnswer, SiteBytes } from './siteBytes.ts';

/** `url`: the page that is changed. */
export type Fix = Snippet & { readonly url: string };

/** Null for findings without code. */
export function fixOf({ evidence, code, edit }: Finding): Fix | null {
  return code === null || edit === undefined ? null : { ...edit, url: edit.on ?? evidence.url, text: code };
}

/** @throws Error if it cannot be applied as it says */
export function applyFix(site: SiteBytes, fix: Fix): SiteBytes {
  const { edits, operation, at, url, text } = fix;
  if (edits === 'server') return operation === 'add' ? compressed(site, at) : withAnswer(site, at, redirect(at, text));
  if (edits === 'header') return withAnswer(site, url, withHeader(answerOf(site, url), fix));
  if (edits === 'file') return withAnswer(site, new URL(at, url).href, file(at, text));
  if (edits === 'robots.txt')
    return withText(site, new URL('/robots.txt', url).href, (robots) => withRules(robots, fix));
  if (edits === 'sitemap')
    return withText(site, at, (sitemap) => sitemap.replace(/<\/urlset>/, (end) => `${text}\n${end}`));
  return withAnswer(site, url, withMarkup(answerOf(site, url), fix));
}

function withAnswer(site: SiteBytes, url: string, answer: SiteAnswer): SiteBytes {
  return (asked) => (asked === url ? answer : site(asked));
}

/** Of the page itself, wherever its address redirects to. */
function answerOf(site: SiteBytes, url: string): SiteAnswer {
  const answer = site(url);
  if ('failure' in answer) throw new Error(`Nothing answers at ${url}.`);
  return answer;
}

/** Every text of the origin. */
function compressed(site: SiteBytes, origin: string): SiteBytes {
  return (url) => {
    const answer = site(url);
    if (!url.startsWith(`${origin}/`) || 'failure' in answer) return answer;
    if (!/^text\/|json|javascript|svg/.test(answer.headers['content-type']?.[0] ?? '')) return answer;
    const headers = { ...answer.headers, 'content-encoding': ['gzip'], vary: ['accept-encoding'] };
    return { ...answer, headers, transferBytes: gzipSync(answer.body).length };
  };
}

function withText(site: SiteBytes, url: string, change: (text: string) => string): SiteBytes {
  const answer = answerOf(site, url);
  const before = new TextDecoder().decode(answer.body);
  const after = change(before);
  if (after === before) throw new Error(`Nothing changed in ${url}.`);
  return withAnswer(site, url, withBody(answer, new TextEncoder().encode(after)));
}

const withBody = (answer: SiteAnswer, body: Uint8Array): SiteAnswer => ({ ...answer, body });

/** The rule names the address last; variables of the server stand for what was asked for. */
function redirect(url: string, rule: string): SiteAnswer {
  const { pathname, search } = new URL(url);
  const location = rule
    .match(/https?:\/\/[^\s;"\]]+/g)
    ?.at(-1)
    ?.replace(/\$request_uri|%\{REQUEST_URI\}/, pathname + search);
  if (location === undefined) throw new Error('The rule names no address.');
  return { status: 301, headers: { location: [location] }, body: new Uint8Array(), transferBytes: 0 };
}

function file(path: string, text: string): SiteAnswer {
  const type = path.endsWith('.xml') ? 'application/xml' : path.endsWith('json') ? 'application/json' : 'text/plain';
  const body = new TextEncoder().encode(`${text}\n`);
  return { status: 200, headers: { 'content-type': [`${type}; charset=utf-8`] }, body, transferBytes: body.length };
}

function withHeader(answer: SiteAnswer, { operation, at, text }: Fix): SiteAnswer {
  const name = at.toLowerCase();
  const { [name]: _, ...others } = answer.headers;
  const line = text.split('\n').find((each) => each.toLowerCase().startsWith(`${name}:`));
  if (operation === 'remove') {
    const left = (answer.headers[name] ?? []).filter(
      (value) => `${name}: ${value}`.toLowerCase() !== text.toLowerCase(),
    );
    return { ...answer, headers: left.length === 0 ? others : { ...others, [name]: left } };
  }
  if (line === undefined) throw new Error(`The code has no ${at}.`);
  return { ...answer, headers: { ...others, [name]: [line.slice(name.length + 1).trim()] } };
}

/** Added groups stand at the end; of lines to remove, `at` names the numbers. */
function withRules(robots: string, { operation, at, text }: Fix): string {
  if (operation === 'add') return `${robots.replace(/\n*$/, '\n\n')}${text}\n`;
  const numbers = new Set(at.match(/\d+/g)?.map(Number));
  return robots
    .split('\n')
    .filter((_, index) => !numbers.has(index + 1))
    .join('\n');
}

function withMarkup(answer: SiteAnswer, fix: Fix): SiteAnswer {
  const { text: before, charset } = decodePage(answer.body, answer.headers['content-type']?.[0] ?? null);
  const after = edited(before, fix);
  if (after === before) throw new Error('Nothing changed on the page.');
  const isUtf8 = charset.used === 'utf-8' || charset.used === 'UTF-8';
  return withBody(answer, isUtf8 ? new TextEncoder().encode(after) : Buffer.from(after, 'latin1'));
}

type Span = { readonly startOffset: number; readonly endOffset: number };
type Place = Span & { readonly startTag?: Span | null; readonly endTag?: Span | null };

/** The source with every other character as it was. */
function edited(source: string, { operation, edits, at, text }: Fix): string {
  const dom = new JSDOM(source, { includeNodeLocations: true });
  const { document } = dom.window;
  const placeOf = (element: DomElement): Place | null => dom.nodeLocation(element) as Place | null;
  if (at === 'doctype') return `${text}\n${source.replace(/<!doctype[^>]*>\s*/i, '')}`;
  if (operation === 'add') {
    if (at === 'start of head') return spliced(source, startOfHead(source, document, placeOf), `${text}\n`);
    if (edits === 'head') return spliced(source, endOfHead(source, document, placeOf), `${text}\n`);
    const parent = document.querySelector(at);
    const place = parent && placeOf(parent);
    if (!place) throw new Error(`There is no ${at}.`);
    return spliced(source, place.startTag?.endOffset ?? place.startOffset, `\n${text}`);
  }
  const found = [...document.querySelectorAll(at)].flatMap((element) => {
    const place = placeOf(element);
    return place === null ? [] : [{ element, place }];
  });
  if (found.length === 0) throw new Error(`There is no ${at}.`);
  // From the end, so that offsets stay true.
  return found.reduceRight((changed, { element, place }, index) => {
    const own = source.slice(place.startOffset, place.endOffset);
    const isExtra = edits === 'head' && index > 0;
    return replaced(
      changed,
      place,
      operation === 'remove' || isExtra
        ? removed(own, operation === 'remove' ? text : '')
        : edits === 'head'
          ? text
          : changedElement(own, element, text),
    );
  }, source);
}

const spliced = (source: string, offset: number, text: string): string =>
  source.slice(0, offset) + text + source.slice(offset);
const replaced = (source: string, { startOffset, endOffset }: Span, text: string): string =>
  source.slice(0, startOffset) + text + source.slice(endOffset);

type PlaceOf = (element: DomElement) => Place | null;

function startOfHead(source: string, document: DomDocument, placeOf: PlaceOf): number {
  return Math.max(
    placeOf(document.head)?.startTag?.endOffset ?? 0,
    placeOf(document.documentElement)?.startTag?.endOffset ?? 0,
    /^\s*<!doctype[^>]*>/i.exec(source)?.[0].length ?? 0,
  );
}

/** Before its end; where none is written, after what can only stand in a head. */
function endOfHead(source: string, document: DomDocument, placeOf: PlaceOf): number {
  const head = placeOf(document.head);
  if (head?.endTag) return head.endTag.startOffset;
  const ends = [...document.head.children].map((element) => placeOf(element)?.endOffset ?? 0);
  return Math.max(startOfHead(source, document, placeOf), ...ends);
}

/** One attribute of the element, or the whole. */
function removed(own: string, text: string): string {
  const name = /^([\w-]+)=/.exec(text)?.[1];
  if (name === undefined) return '';
  return own.replace(new RegExp(`\\s+${name}\\s*=\\s*(?:"[^"]*"|'[^']*'|[^\\s>]+)`, 'i'), '');
}

/** Its name, content and attributes where the code has others; attributes that the code does not name stay. */
function changedElement(own: string, element: DomElement, text: string): string {
  const next = JSDOM.fragment(/^<html/i.test(text) ? '' : `<template>${text}</template>`).querySelector('template');
  const code = next?.content.firstElementChild ?? new JSDOM(text).window.document.documentElement;
  const attributes = new Map([...element.attributes].map(({ name, value }) => [name, value]));
  for (const { name, value } of code.attributes) attributes.set(name, value);
  const name = code.tagName.toLowerCase();
  const written = [...attributes].map(
    ([key, value]) => ` ${key}="${value.replace(/&/g, '&amp;').replace(/"/g, '&quot;')}"`,
  );
  const tag = `<${name}${written.join('')}>`;
  if (!/<\/\w+>\s*$/.test(text))
    return own
      .replace(/^<(?:[^>"']|"[^"]*"|'[^']*')*>/, () => tag)
      .replace(/<\/\w+\s*>$/, (end) => (element.tagName.toLowerCase() === name ? end : `</${name}>`));
  return `${tag}${code.innerHTML}</${name}>`;
}

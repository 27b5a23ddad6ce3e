/** What disappears when fixes are applied although none of them names it. Pure. */
import { gunzipSync } from 'node:zlib';
import type { DomDocument, DomElement } from 'jsdom';
import { decodePage } from '../../../src/audit/facts/parse/charset.ts';
import type { Finding } from '../../../src/model/findings.ts';
import { type Fix, fixOf } from './applyFix.ts';
import { documentOf, found, sourceOf, xmlProblem } from './dom.ts';
import type { SiteAnswer, SiteBytes } from './siteBytes.ts';

type Applied = { readonly fix: Fix; readonly finding: Finding };

/** The first of it, as a sentence; null if nothing is lost and every XML file is still well-formed. */
export function lossIn(before: SiteBytes, after: SiteBytes, findings: readonly Finding[]): string | null {
  const applied = findings.flatMap((finding) => {
    const fix = fixOf(finding);
    return fix === null ? [] : [{ fix, finding }];
  });
  for (const url of new Set(applied.map(({ fix }) => changedBy(fix)))) {
    const answers = [before(url), after(url)] as const;
    const [old, now] = answers;
    if ('failure' in old || 'failure' in now || now === old) continue;
    const here = applied.filter(({ fix }) => changedBy(fix) === url);
    const loss = here[0]?.fix.edits === 'server' ? null : lossOf(old, now, url, here);
    if (loss !== null) return `${loss} is lost at ${url}.`;
  }
  return null;
}

function changedBy({ edits, at, url }: Fix): string {
  if (edits === 'robots.txt') return new URL('/robots.txt', url).href;
  if (edits === 'file') return new URL(at, url).href;
  return edits === 'sitemap' || edits === 'server' ? at : url;
}

function lossOf(old: SiteAnswer, now: SiteAnswer, url: string, applied: readonly Applied[]): string | null {
  const isPage = applied.some(({ fix }) => fix.edits === 'head' || fix.edits === 'element');
  const isXml = !isPage && /xml/.test(now.headers['content-type']?.[0] ?? '') && old.status < 400;
  if (isXml && xmlProblem(textOf(old)) === null && xmlProblem(textOf(now)) !== null) return 'Well-formed XML';
  const named = applied.flatMap(({ fix, finding }) => [fix.text, finding.message, finding.evidence.value]).join('\n');
  // An address that answered with an error or a web page is answered by a file of its own.
  const isNew = !isPage && (old.status >= 400 || /html/.test(old.headers['content-type']?.[0] ?? ''));
  const header = isNew
    ? undefined
    : lost(headersOf(old), headersOf(now)).find((line) => !saidIn(named, line.replace(/^[^:]*: /, '')));
  if (header !== undefined) return header;
  if (isPage) return lossOfMarkup(htmlOf(old), htmlOf(now), applied);
  if (isNew) return null;
  const removed = applied.flatMap(({ fix }) => (fix.operation === 'remove' ? (fix.at.match(/\d+/g) ?? []) : []));
  const partsOf = (text: string): string[] => (isXml ? (text.match(/<[^>]*>|[^<]+/g) ?? []) : text.split('\n'));
  const lines = partsOf(textOf(old));
  const kept = lines.filter((_, index) => !removed.includes(String(index + 1)));
  const line = lost(kept, partsOf(textOf(now))).find((each) => !saidIn(named, each));
  return line === undefined ? null : `"${line}" of ${url}`;
}

function textOf({ body }: SiteAnswer): string {
  return new TextDecoder().decode(body[0] === 0x1f && body[1] === 0x8b ? gunzipSync(body) : body);
}

const htmlOf = ({ body, headers }: SiteAnswer): string => decodePage(body, headers['content-type']?.[0] ?? null).text;

const headersOf = ({ headers }: SiteAnswer): string[] =>
  Object.entries(headers).flatMap(([name, values]) => (values ?? []).map((value) => `${name}: ${value}`));

/** What the first has more often than the second. */
function lost(before: readonly string[], after: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const each of after) left.set(each, (left.get(each) ?? 0) + 1);
  return before.filter((each) => {
    const count = left.get(each) ?? 0;
    left.set(each, count - 1);
    return count < 1;
  });
}

const folded = (text: string): string => text.replace(/\s+/g, ' ').trim();
const saidIn = (named: string, text: string): boolean => folded(named).includes(folded(text));

function lossOfMarkup(before: string, after: string, applied: readonly Applied[]): string | null {
  const { document } = sourceOf(before);
  const given = lost(contentsOf(document), contentsOf(documentOf(after)));
  if (given.length === 0) return null;
  const allowed = applied.flatMap(({ fix, finding }) => changedIn(document, fix, finding));
  return lost(given, allowed)[0] ?? null;
}

/** Of directives, each word counts on its own. */
const contentsOf = (document: DomDocument): string[] => [...document.querySelectorAll('*')].flatMap(contentOf);

function contentOf(element: DomElement): string[] {
  return [
    `<${element.tagName.toLowerCase()}>`,
    ...[...element.attributes].flatMap(({ name, value }) => attributeIn(element, name, value)),
    ...textsIn(element),
  ];
}

function attributeIn(element: DomElement, name: string, value: string): string[] {
  if (name !== 'content' || !DIRECTIVES.has(attribute(element, 'name').toLowerCase())) return [`${name}="${value}"`];
  return value.split(',').map((word) => `directive ${word.trim().toLowerCase()}`);
}

const DIRECTIVES: ReadonlySet<string> = new Set(['robots', 'googlebot', 'bingbot', 'viewport']);
/** Those that keep something from readers; `index` says what holds without it. */
const LIFTED =
  /^directive (?:noindex|nofollow|none|nosnippet|noimageindex|max-snippet:\s*0|index|follow|user-scalable\s*=.*|(?:maximum|minimum)-scale\s*=.*)$/;

const attribute = (element: DomElement, name: string): string =>
  [...element.attributes].find((each) => each.name === name)?.value ?? '';

function textsIn(element: DomElement): string[] {
  return [...element.childNodes].flatMap((node) => {
    const text = node.nodeType === 3 ? folded(node.nodeValue ?? '') : '';
    return text === '' ? [] : [text];
  });
}

/** What the fix takes away by what it says: of the elements that it names, what the code writes itself. */
function changedIn(
  document: DomDocument,
  { at, text, edits, operation }: Fix,
  { message, evidence }: Finding,
): string[] {
  if (operation === 'add' || at === 'doctype') return [];
  const named = found(document, at);
  const code = documentOf(`<template>${text.replace(/^<html/, '<div')}</template>`);
  const written = [...(code.querySelector('template')?.content.children ?? [])];
  const said = `${message}\n${evidence.value}`;
  if (operation === 'remove') return named.map(() => text);
  return named.flatMap((element) => {
    const same = edits === 'head' ? written.filter((each) => keyOf(each) === keyOf(element)) : written;
    // Of several, each has to be named.
    const isOnly = named.filter((each) => keyOf(each) === keyOf(element)).length === 1;
    const [as] = same;
    if (as === undefined) return [];
    const names = [...as.attributes].map(({ name }) => name);
    return contentOf(element).filter(
      (content) =>
        content.startsWith('<') ||
        LIFTED.test(content) ||
        (!content.startsWith('directive ') &&
          ((/^([\w-]+)="/.test(content)
            ? names.includes(content.slice(0, content.indexOf('='))) && (isOnly || edits !== 'head')
            : false) ||
            (textsIn(element).includes(content) && saidIn(said, content)) ||
            saidIn(said, content.replace(/^[\w-]+="(.*)"$/s, '$1')))),
    );
  });
}

/** Elements of a head that stand for each other. */
const keyOf = (element: DomElement): string =>
  `${element.tagName} ${attribute(element, 'name')}${attribute(element, 'property')} ${attribute(element, 'rel')}`.toLowerCase();

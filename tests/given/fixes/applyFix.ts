/** What a finding's code means: the site as it is once somebody has applied it. Pure. */
import { gunzipSync, gzipSync } from 'node:zlib';
import type { DomElement } from 'jsdom';
import { decodePage } from '../../../src/audit/facts/parse/charset.ts';
import type { Finding, Snippet } from '../../../src/model/findings.ts';
import { encoded } from './charsets.ts';
import { elementOf, found, type Source, type Span, sourceOf } from './dom.ts';
import type { SiteAnswer, SiteBytes } from './siteBytes.ts';

/** `url`: the page that is changed. */
export type Fix = Snippet & { readonly url: string };

/** Null for findings without code. */
export function fixOf({ evidence, code, edit }: Finding): Fix | null {
  return code === null || edit === undefined ? null : { ...edit, url: edit.on ?? evidence.url, text: code };
}

/** @throws Error if it cannot be applied as it says */
export const applyFix = (site: SiteBytes, fix: Fix): SiteBytes => applyFixes(site, [fix]);

/**
 * All at once, as somebody does who has them side by side: what each of them names is found on the site as it was.
 *
 * @throws Error if one cannot be applied as it says, or if two of them contradict each other
 */
export function applyFixes(site: SiteBytes, fixes: readonly Fix[]): SiteBytes {
  const distinct = [...new Map(fixes.map((fix) => [JSON.stringify(fix), fix])).values()];
  const ofMarkup = distinct.filter(({ edits }) => edits === 'head' || edits === 'element');
  let changed = site;
  for (const url of new Set(ofMarkup.map((fix) => fix.url))) {
    const ofPage = ofMarkup.filter((fix) => fix.url === url);
    changed = withAnswer(changed, url, withMarkup(answerOf(changed, url), ofPage));
  }
  for (const fix of distinct.filter((each) => !ofMarkup.includes(each)).sort(inOrder))
    changed = appliedTo(changed, fix);
  return changed;
}

/** Whole files first, and lines are removed while they have their numbers. */
const inOrder = (a: Fix, b: Fix): number => stepOf(a) - stepOf(b);
const stepOf = ({ edits, operation }: Fix): number => (edits === 'file' ? 0 : operation === 'remove' ? 1 : 2);

function appliedTo(site: SiteBytes, fix: Fix): SiteBytes {
  const { edits, operation, at, url, text } = fix;
  if (edits === 'server') return operation === 'add' ? compressed(site, at) : withAnswer(site, at, redirect(at, text));
  if (edits === 'header') return withAnswer(site, url, withHeader(answerOf(site, url), fix));
  if (edits === 'file') return withFile(site, at, url, text);
  if (edits === 'robots.txt')
    return withText(site, new URL('/robots.txt', url).href, (robots) => withRules(robots, fix));
  return withText(site, at, (sitemap) => sitemap.replace(/<\/urlset>/, (end) => `${text}\n${end}`));
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
  const isPacked = answer.body[0] === 0x1f && answer.body[1] === 0x8b;
  const before = new TextDecoder().decode(isPacked ? gunzipSync(answer.body) : answer.body);
  const after = change(before);
  if (after === before) throw new Error(`Nothing changed in ${url}.`);
  const body = new TextEncoder().encode(after);
  return withAnswer(site, url, withBody(answer, isPacked ? gzipSync(body) : body));
}

const withBody = (answer: SiteAnswer, body: Uint8Array): SiteAnswer => ({ ...answer, body });

/** What the rules of each kind of server, and the plain answer, call the address; variables stand for what was asked. */
const TARGETS = [
  /^Location: (\S+)$/m,
  /^\s*return 301 (\S+);$/m,
  /^RedirectMatch 301 \S+ (\S+)$/m,
  /^RewriteRule \S+ (\S+) \[R=301,L\]$/m,
];

function redirect(url: string, rule: string): SiteAnswer {
  const { pathname, search } = new URL(url);
  const target = TARGETS.flatMap((pattern) => pattern.exec(rule)?.[1] ?? [])[0];
  if (target === undefined) throw new Error('The rule names no address.');
  const location = target.replace(/\$request_uri|%\{REQUEST_URI\}/, () => pathname + search).replace(/\?$/, '');
  return { status: 301, headers: { location: [location] }, body: new Uint8Array(), transferBytes: 0 };
}

/** In the place of the file that was there, which keeps its headers, or of what was answered instead of one. */
function withFile(site: SiteBytes, path: string, page: string, text: string): SiteBytes {
  const url = new URL(path, page).href;
  const old = site(url);
  const type = path.endsWith('.xml') ? 'application/xml' : path.endsWith('json') ? 'application/json' : 'text/plain';
  const body = new TextEncoder().encode(`${text}\n`);
  const wasFile = !('failure' in old) && old.status === 200 && !/html/.test(old.headers['content-type']?.[0] ?? '');
  const headers = wasFile ? old.headers : { 'content-type': [`${type}; charset=utf-8`] };
  return withAnswer(site, url, { status: 200, headers, body, transferBytes: body.length });
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

function withMarkup(answer: SiteAnswer, fixes: readonly Fix[]): SiteAnswer {
  const { text, charset } = decodePage(answer.body, answer.headers['content-type']?.[0] ?? null);
  // What the decoder drops.
  const mark = charset.bom ? '\uFEFF' : '';
  const before = withTags(text, fixes);
  const after = fixes.reduce(edited, marked(before, fixes)).replace(/ data-fix-\d+=""/g, '');
  if (after === before) throw new Error('Nothing changed on the page.');
  return withBody(answer, encoded(mark + after, charset.used));
}

/** Tags that may be left out, but that somebody who changes them has to write. */
function withTags(source: string, fixes: readonly Fix[]): string {
  const asked = (tag: string): boolean => fixes.some(({ edits, at }) => edits === 'element' && at === tag);
  const { document, placeOf } = sourceOf(source);
  const body = document.querySelector('body');
  let whole = source;
  if (asked('body') && body !== null && !placeOf(body)?.startTag)
    whole = spliced(whole, endOfHead(source, { document, placeOf }), '<body>');
  if (asked('html') && !placeOf(document.documentElement)?.startTag)
    whole = spliced(whole, /^\s*<!doctype[^>]*>/i.exec(source)?.[0].length ?? 0, '<html>');
  return whole;
}

const NOT_SELECTORS: ReadonlySet<string> = new Set(['doctype', 'head', 'start of head']);

/** Every element that a fix names has its number, wherever others take it. */
function marked(source: string, fixes: readonly Fix[]): string {
  const { document, placeOf } = sourceOf(source);
  const marks = fixes.flatMap(({ at }, nth) => {
    if (NOT_SELECTORS.has(at)) return [];
    const named = found(document, at).flatMap((element) => {
      const place = placeOf(element);
      return place === null
        ? []
        : [{ at: place.startOffset + 1 + element.tagName.length, text: ` data-fix-${nth}=""` }];
    });
    if (named.length === 0) throw new Error(`There is no ${at}.`);
    return named;
  });
  // From the end, so that offsets stay true.
  return marks.sort((a, b) => b.at - a.at).reduce((changed, mark) => spliced(changed, mark.at, mark.text), source);
}

/** The source with every other character as it was. `nth`: what the fix names is marked with it. */
function edited(source: string, { operation, edits, at, text }: Fix, nth: number): string {
  const { document, placeOf } = sourceOf(source);
  if (at === 'doctype') return `${text}\n${source.replace(/<!doctype[^>]*>\s*/i, '')}`;
  if (at === 'start of head') return spliced(source, startOfHead(source, { document, placeOf }), `${text}\n`);
  if (at === 'head') return spliced(source, endOfHead(source, { document, placeOf }), `${text}\n`);
  const named = found(document, `[data-fix-${nth}]`).flatMap((element) => {
    const place = placeOf(element);
    return place === null ? [] : [{ element, place }];
  });
  const [first] = named;
  if (first === undefined) throw new Error(`Another fix takes away ${at}.`);
  if (operation === 'add') {
    const { startTag, startOffset } = first.place;
    return spliced(source, startTag?.endOffset ?? startOffset, `\n${text}`);
  }
  // From the end, so that offsets stay true.
  return named.reduceRight((changed, { element, place }, index) => {
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

function startOfHead(source: string, { document, placeOf }: Source): number {
  return Math.max(
    placeOf(document.head)?.startTag?.endOffset ?? 0,
    placeOf(document.documentElement)?.startTag?.endOffset ?? 0,
    /^\s*<!doctype[^>]*>/i.exec(source)?.[0].length ?? 0,
  );
}

/** Before its end; where none is written, after what can only stand in a head. */
function endOfHead(source: string, { document, placeOf }: Source): number {
  const head = placeOf(document.head);
  if (head?.endTag) return head.endTag.startOffset;
  const ends = [...document.head.children].map((element) => placeOf(element)?.endOffset ?? 0);
  return Math.max(startOfHead(source, { document, placeOf }), ...ends);
}

/** One attribute of the element, or the whole. */
function removed(own: string, text: string): string {
  const name = /^([\w-]+)=/.exec(text)?.[1];
  if (name === undefined) return '';
  return own.replace(new RegExp(`\\s+${name}\\s*=\\s*(?:"[^"]*"|'[^']*'|[^\\s>]+)`, 'i'), '');
}

/** Its name, content and attributes where the code has others; attributes that the code does not name stay. */
function changedElement(own: string, element: DomElement, text: string): string {
  const code = elementOf(text);
  if (code === null) throw new Error('The code is no element.');
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

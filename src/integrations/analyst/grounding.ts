/**
 * Validates a model's text against the findings: no foreign content, no figure that is not in a finding, and on the
 * topic of its issue.
 */
import type { Finding } from '../../model/findings.ts';
import type { AnalystCheck } from './analyst.ts';
import { oneLine } from './markdown.ts';
import { isKnownHost } from './modelText.ts';

/** What the text may be based on. */
export type Ground = {
  readonly siteUrl: string;
  readonly checks: readonly AnalystCheck[];
  readonly findings: readonly Finding[];
};

const LONGEST = 5_000;
const SMALL_NUMBER = 12;
const ECHO_WORDS = 5;
/** Further findings of a very large issue add nothing new. */
const MAX_FINDINGS = 200;

/** No foreign content, no score, no unfounded figures, and no text copied from a page. */
export function isBacked(text: string, ground: Ground): boolean {
  const line = oneLine(text, LONGEST);
  return (
    !isForeign(line, ground.siteUrl) &&
    !statesScore(line) &&
    hasKnownFigures(line, ground) &&
    !echoesPages(line, ground)
  );
}

/** Contains a word of the subject, as the catalog describes it. */
export function isAbout(text: string, { checks }: Pick<Ground, 'checks'>): boolean {
  const subject = stems(checks.map(trustedText).join(' '));
  return [...stems(oneLine(text, LONGEST))].some((stem) => subject.has(stem));
}

/** File names that look like hosts. */
const NO_HOST =
  /\.(?:html?|php|aspx?|txt|xml|json|[cm]?js|css|png|jpe?g|gif|svg|webp|avif|ico|pdf|gz|webmanifest|conf|htaccess)$/i;
const HOST =
  /(?<![\p{L}\p{N}_.-])(?:[\p{L}\p{N}-]{1,63}\.){1,8}(?:\p{L}{2,24}|xn--[a-z0-9-]{1,40})(?![\p{L}\p{N}_-])/giu;
/** `offers.priceCurrency`: the last part contains a capital letter. */
const PROPERTY = /\.[a-z]{1,40}[A-Z]\w{0,40}$/;

/**
 * Other hosts, email addresses, phone numbers, active markup. The site's own host and well-known documentation are
 * allowed.
 */
function isForeign(line: string, siteUrl: string): boolean {
  if (
    /!\[|<\s{0,3}(?:script|iframe|object|embed|form|style|base)\b|\bon[a-z]{3,20}\s{0,3}=|(?:javascript|vbscript|data):\S/i.test(
      line,
    )
  )
    return true;
  if (/@(?!(?:type|context|id|graph)\b)/.test(line)) return true;
  if (/(?:\+|\b)\d(?:[\s().-]{0,2}\d){6,}/.test(line.replace(/\b\d{4}-\d\d-\d\d(?:T[\d:.+Z-]{0,20})?/g, '')))
    return true;
  return [...line.matchAll(HOST)].some(
    ([host]) => !NO_HOST.test(host) && !PROPERTY.test(host) && !isKnownHost(host.toLowerCase(), siteUrl),
  );
}

/** Only our own texts may state scores. */
function statesScore(line: string): boolean {
  return /\bscor(?:e|es|ed|ing)\b/i.test(line) && /\d|perfect|full|best|top|highest/i.test(line);
}

function figuresIn(text: string): readonly string[] {
  return [...text.matchAll(/\d+(?:[.,]\d+)*/g)].map(([figure]) => figure.replace(/,(?=\d{3}(?:\D|$))/g, ''));
}

/** A ratio: both numbers must be known, however small. */
const RATIO = /\b(\d{1,9})\s{0,3}(?:\/|of|out of)\s{0,3}(\d{1,9})\b/gi;

function hasKnownFigures(line: string, ground: Ground): boolean {
  const figures = figuresIn(line);
  if (figures.length === 0) return true;
  const known = new Set(figuresIn(sourcesOf(ground)));
  const ratios = [...line.matchAll(RATIO)].flatMap(([, part = '', whole = '']) => [part, whole]);
  return figures.every((figure) => known.has(figure) || (Number(figure) <= SMALL_NUMBER && !ratios.includes(figure)));
}

function sourcesOf({ checks, findings }: Ground): string {
  const pages = new Set(findings.map(({ evidence }) => evidence.url)).size;
  const findingTexts = findings
    .slice(0, MAX_FINDINGS)
    .flatMap(({ message, evidence, code }) => [message, evidence.url, evidence.place, evidence.value, code ?? '']);
  return [...checks.map(trustedText), ...findingTexts, String(pages), String(findings.length)].join(' ');
}

/** The catalog's text, which contains nothing from pages. */
function trustedText(check: AnalystCheck): string {
  return [check.id.replaceAll('-', ' '), check.title, check.risk, check.gain, ...check.steps, ...check.tags].join(' ');
}

/** Words that say nothing about a subject or occur in any text about sites. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  'about after also answe befor been best bette both broug bring busin can chang check could does done each engin every fault findi first from give good googl have here into issue just know like made make many matte mend more most must need only other over page pages peopl probl readi resul searc seen send serve shoul show site sites some still take than that their them then there these they thing this those time uniqu updat use user uses usefu value visib visit want websi well were what when where which while will with witho work would your'.split(
    ' ',
  ),
);

function stems(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/\p{L}{3,40}/gu) ?? [];
  return new Set(words.map((word) => word.slice(0, 5)).filter((stem) => !EMPTY_WORDS.has(stem)));
}

/** A run of words copied from a page without quotation marks. */
function echoesPages(line: string, { findings, checks }: Ground): boolean {
  const own = runs(line.replace(/`[^`]{0,400}`|"[^"]{0,400}"|“[^”]{0,400}”/g, ' | '));
  if (own.size === 0) return false;
  const ours = runs(checks.map(trustedText).join(' | '));
  return findings
    .slice(0, MAX_FINDINGS)
    .some(({ evidence }) => [...runs(evidence.value)].some((run) => own.has(run) && !ours.has(run)));
}

function runs(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const part of text.toLowerCase().split('|')) {
    const words = part.match(/[\p{L}\p{N}]{1,40}/gu) ?? [];
    for (let at = 0; at + ECHO_WORDS <= words.length; at += 1) found.add(words.slice(at, at + ECHO_WORDS).join(' '));
  }
  return found;
}

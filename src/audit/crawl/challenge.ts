/** Recognizes a page that asks visitors to prove that they are human, in place of the one that was requested. Pure. */
import type { FetchAnswer } from '../../model/fetching.ts';

type Answer = Pick<FetchAnswer, 'status' | 'headers' | 'body'>;

/** Larger answers have content of their own. */
const LARGEST = 16 * 1024;
/** Of visible text. A challenge says little; a page that was let through says more. */
const MOST_WORDS = 80;

/** Of Cloudflare and AWS: the answer is a challenge. */
const SAYS_SO: readonly (readonly [name: string, value: RegExp])[] = [
  ['cf-mitigated', /challenge/i],
  ['x-amzn-waf-action', /challenge|captcha/i],
];
/** DataDome names itself in every answer; in one that refuses, it did so. */
const OF_DATADOME = ['x-datadome', 'x-dd-b'] as const;
const REFUSED: ReadonlySet<number> = new Set([401, 403, 405, 429]);

const TITLE =
  /^\s*(?:just a moment|attention required|checking your browser|verify(?:ing)? (?:that )?you are (?:a )?human|are you (?:a )?(?:robot|human)|bot verification|human verification|pardon our interruption|one more step|security check|ddos-guard)/i;

/** Scripts and forms of challenges: Cloudflare, DataDome, Imperva, HUMAN, AWS, Akamai, and Sucuri. */
const MARKUP =
  /_cf_chl_opt|cf-chl-|captcha-delivery\.com|Incapsula incident ID|px-captcha|awsWafCookieDomainList|gokuProps|sec-if-cpt-container|\/_sec\/cp_challenge|sucuri_cloudproxy_js/;

/** These also stand on pages that were let through, beside their content, or the place where a script puts it. */
const SHARED_MARKUP = /_Incapsula_Resource|_pxAppId|AwsWafIntegration|bm-verify|KPSDK/;
const PLACE = /<(?:div|main|p|section|article)\b/i;

/** Its beginning. Searched for as written, because every answer of a crawl is looked at. */
function titleIn(text: string): string {
  const found = ['<title>', '<TITLE>'].map((tag) => text.indexOf(tag)).find((at) => at >= 0);
  return found === undefined ? '' : text.slice(found + '<title>'.length, found + 200);
}

export function isChallenge({ status, headers, body }: Answer): boolean {
  if (SAYS_SO.some(([name, value]) => headers[name]?.some((each) => value.test(each)))) return true;
  if (REFUSED.has(status) && OF_DATADOME.some((name) => headers[name] !== undefined)) return true;
  if (status === 404 || status === 410 || body.length === 0 || body.length > LARGEST) return false;
  const text = new TextDecoder().decode(body);
  if (!/^\s*</.test(text)) return false;
  // An article may have such a title, too.
  const isNamed = TITLE.test(titleIn(text)) && (status >= 400 || /challenge|captcha/i.test(text));
  const isMarked = MARKUP.test(text) || (SHARED_MARKUP.test(text) && !PLACE.test(text));
  return (isNamed || isMarked) && hasFewWords(text);
}

const HIDDEN: ReadonlySet<string> = new Set(['script', 'style', 'head']);

function hasFewWords(html: string): boolean {
  let words = 0;
  let within: string | null = null;
  for (const part of html.split('<')) {
    const tag = /^\/?[a-z]+/i.exec(part)?.[0].toLowerCase() ?? '';
    if (within === null && HIDDEN.has(tag)) within = tag;
    else if (tag === `/${within}`) within = null;
    if (within === null) words += part.slice(part.indexOf('>') + 1).match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  }
  return words <= MOST_WORDS;
}

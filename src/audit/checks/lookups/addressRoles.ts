/** What the address of a page says it is, where its content does not contradict. */
import { isAllowed } from '../../crawl/robots/robots.ts';
import type { Crawl, CrawledPage } from '../../crawl/site.ts';
import type { PageFacts } from '../../facts/pageFacts.ts';
import { isListing, isProduct } from '../applies.ts';
import { canonicalOf, hasForeignCanonical } from './canonicals.ts';
import { blockingHeader, blockingMeta } from './directives.ts';
import { isInNavigation, isListed } from './membership.ts';
import {
  ACCOUNT,
  ACTIONS,
  ARCHIVE,
  DATED,
  DATES,
  ENDPOINTS,
  FACETS,
  FOLDERS_OF_PAGES,
  LANGUAGES,
  LEGAL,
  LEGAL_AT_TOP,
  LEGAL_ENDING,
  LIST,
  NARROWING,
  OFFSETS,
  PAGES,
  PROFILES,
  plainWord,
  QUERIES,
  ROUTES,
  SEARCH,
  SUBJECTS,
  TOP_FOLDERS,
  TWIN,
  TWIN_VALUES,
  TWINS,
} from './roleWords.ts';
import { addressKey, siteIndex } from './siteIndex.ts';

export type AddressRole = {
  readonly role: 'account' | 'search' | 'legal' | 'twin' | 'list-page' | 'archive' | 'list' | 'variant' | 'asset';
  readonly signals: readonly string[];
};

/** Words of a page that has more to say than a cart, a log-in, or an empty search. */
const TEXT_WORDS = 100;
/** The same for a page that has no other sign of being a text. */
const LONG_TEXT_WORDS = 200;
/** Of an address; no real one has more. */
const MAX_SEGMENTS = 30;

type Place = {
  readonly page: CrawledPage;
  readonly site: Crawl;
  readonly address: URL;
  /** In lower case, without extension. */
  readonly segments: readonly string[];
  readonly words: readonly string[];
};

export function roleByAddress(page: CrawledPage, site: Crawl, isVersion: boolean): AddressRole | null {
  const address = new URL(page.url);
  const segments = segmentsOf(address);
  const place: Place = { page, site, address, segments, words: segments.map(plainWord) };
  return byPath(place) ?? byParameters(place, isVersion) ?? byCanonical(place, isVersion) ?? list(place);
}

const segmentsOf = ({ pathname }: URL): readonly string[] =>
  pathname
    .toLowerCase()
    .split('/', MAX_SEGMENTS)
    .filter(Boolean)
    .map((segment) => segment.replace(/\.(?:php|html?|aspx?|jsp)$/, ''));

function byPath(place: Place): AddressRole | null {
  return (
    endpoint(place) ??
    laterPage(place) ??
    specialPage(place) ??
    narrowed(place) ??
    acting(place, 'account', ACCOUNT) ??
    labels(place) ??
    acting(place, 'search', SEARCH) ??
    legal(place) ??
    twin(place) ??
    archive(place) ??
    profile(place) ??
    byDate(place)
  );
}

const inPath = (role: AddressRole['role'], segment: string): AddressRole => ({
  role,
  signals: [`its path has /${segment}/`],
});
const atEnd = (role: AddressRole['role'], ending: string): AddressRole => ({
  role,
  signals: [`its path ends with /${ending}`],
});

function endpoint({ words, segments }: Place): AddressRole | null {
  const at = words.findIndex((word) => ENDPOINTS.has(word));
  return at < 0 ? null : inPath('asset', segments[at] ?? '');
}

/** `/boards/sort/price`, `/boards/sort:price`; a shop for coffee has a page `/filter/paper`, which is open. */
function narrowed({ page, site, words, segments }: Place): AddressRole | null {
  const isKept = (words.includes('filter') || words.includes('filters')) && isKeptOut(page, site);
  const at = words.findIndex(
    (word, nth) =>
      /^(?:sort|order|direction|filter):/.test(word) ||
      (nth < words.length - 1 && (NARROWING.has(word) || (isKept && (word === 'filter' || word === 'filters')))),
  );
  return at < 0 ? null : inPath('variant', segments[at] ?? '');
}

const isKeptOut = (page: CrawledPage, site: Crawl): boolean =>
  page.robotsBlocked ||
  blockingMeta(page, 'Googlebot', site) !== null ||
  blockingHeader(page, 'Googlebot', site) !== null ||
  hasForeignCanonical(page);

/** `/blog/page/2`, `/blog/page-2`, `/post/comment-page-2`, and `/blog/2` where both are lists. */
function laterPage({ segments, page, site, address }: Place): AddressRole | null {
  const [word = '', number = ''] = segments.slice(-2);
  if (FOLDERS_OF_PAGES.has(word) && /^[1-9]\d{0,4}$/.test(number) && number !== '1')
    return atEnd('list-page', `${word}/${number}`);
  const last = segments.at(-1) ?? '';
  if (/^(?:comment-)?(?:page|seite|pagina|sida|strona)[-:]?(?:[2-9]|[1-9]\d{1,2})$/.test(last))
    return atEnd('list-page', last);
  if (segments.length < 2 || !/^(?:[2-9]|[1-9]\d)$/.test(last) || page.facts === null || !isListing(page.facts))
    return null;
  const first = parentOf(address, site);
  return first !== null && isListing(first) ? atEnd('list-page', last) : null;
}

/** The page one level above; null if it was not crawled. */
function parentOf({ origin, pathname }: URL, site: Crawl): PageFacts | null {
  const parent = `${origin}/${pathname.split('/').filter(Boolean).slice(0, -1).join('/')}`;
  const { answerOf } = siteIndex(site);
  return (answerOf(parent) ?? answerOf(`${parent}/`))?.page?.facts ?? null;
}

/** MediaWiki's own pages, and the forms of phpBB. */
function specialPage({ segments, words, address }: Place): AddressRole | null {
  if (/\/(?:posting|ucp|newreply|newthread|private)\.php$/i.test(address.pathname))
    return atEnd('account', segments.at(-1) ?? '');
  const at = words.findIndex((word) => /^(?:special|spezial|especial|speciale|speciaal):/.test(word));
  if (at < 0) return null;
  const isAccount = /:(?:userlogin|createaccount|preferences|watchlist|userlogout)/.test(words[at] ?? '');
  return inPath(isAccount ? 'account' : 'search', segments[at] ?? '');
}

/** These also mean research: only an empty page at the end of a path, or one that is kept out, is a search. */
const RESEARCH: ReadonlySet<string> = new Set(['recherche', 'ricerca']);

/** A page that does something. Below a folder of texts or goods, and with a text of its own, it is about it. */
function acting({ page, site, segments, words }: Place, role: 'account' | 'search', of: ReadonlySet<string>) {
  // `/tag/login` and `/author/admin` are archives.
  const at = words.findIndex(
    (word, nth) => of.has(word) && !ARCHIVE.has(words[nth - 1] ?? '') && !LIST.has(words[nth - 1] ?? ''),
  );
  if (at < 0 || isSold(page)) return null;
  const isResearch = RESEARCH.has(words[at] ?? '') && (at < words.length - 1 || isText(page, TEXT_WORDS));
  if (isResearch && blockingMeta(page, 'Googlebot', site) === null) return null;
  const isSubject = words.slice(0, at).some((word) => SUBJECTS.has(word));
  return isSubject && isText(page, TEXT_WORDS) ? null : isWanted(page, site) ? null : inPath(role, segments[at] ?? '');
}

/** A card that says "thank you". */
const isSold = ({ facts }: CrawledPage): boolean =>
  facts?.properties.some(({ name, content }) => name === 'og:type' && content.trim().toLowerCase() === 'product') ===
  true;

function isText({ facts }: CrawledPage, words: number): boolean {
  return facts !== null && !facts.passwordField && facts.wordCount >= words;
}

/** A long text that the site wants to be found, such as a bank's page on accounts. */
function isWanted(page: CrawledPage, site: Crawl): boolean {
  return (
    isText(page, LONG_TEXT_WORDS) &&
    isListed(page, site) &&
    (isInNavigation(page, site) || addressKey(canonicalOf(page)?.url ?? '') === addressKey(page.outcome.url))
  );
}

/** Blogger's `/search/label/tea`. */
function labels({ words, segments }: Place): AddressRole | null {
  const at = words.indexOf('label');
  return at > 0 && words[at - 1] === 'search' ? inPath('archive', segments[at] ?? '') : null;
}

function legal({ page, words, segments }: Place): AddressRole | null {
  const last = words.at(-1) ?? '';
  const ending = segments.at(-1) ?? '';
  const folders = words.slice(0, -1).filter((_, at) => !isLanguage(segments[at] ?? ''));
  if (LEGAL.has(last))
    return folders.some((word) => SUBJECTS.has(word) && !LEGAL_FOLDERS.has(word)) ? null : atEnd('legal', ending);
  if (LEGAL_AT_TOP.has(last) && folders.every((word) => TOP_FOLDERS.has(word) || LEGAL_FOLDERS.has(word)))
    return isOffer(page) ? null : atEnd('legal', ending);
  const isBelow = folders[0] === 'legal' || folders[0] === 'policies' || folders[0] === 'rechtliches';
  return isBelow && LEGAL_ENDING.test(ending) ? atEnd('legal', ending) : null;
}

/** Help pages and services for customers hold legal texts, too. */
const LEGAL_FOLDERS: ReadonlySet<string> = new Set([
  'help',
  'hilfe',
  'aide',
  'ayuda',
  'aiuto',
  'support',
  'service',
  'faq',
]);

/** `de`, `en-gb`, and `pt_br`. */
const isLanguage = (segment: string): boolean => /^[a-z]{2}(?:[-_][a-z]{2})?$/.test(segment);

/** Goods, recipes, and lists: a bakery has a page /cookies. */
function isOffer(page: CrawledPage): boolean {
  const { facts } = page;
  return (
    facts !== null &&
    (isProduct(page) || facts.commerce.price || facts.commerce.manyButtons === true || isListing(facts))
  );
}

/** A version below its page's address. A print shop's page on printing has a text of its own. */
function twin({ page, site, words, segments, address }: Place): AddressRole | null {
  if (segments.length < 2 || !TWIN.has(words.at(-1) ?? '')) return null;
  const found = atEnd('twin', segments.at(-1) ?? '');
  if (page.facts === null) return found;
  if (SUBJECTS.has(words.at(-2) ?? '') && isText(page, TEXT_WORDS)) return null;
  const original = parentOf(address, site);
  const canonical = canonicalOf(page)?.url ?? null;
  if (canonical !== null && addressKey(canonical) !== addressKey(page.outcome.url)) return found;
  if (canonical !== null || isListed(page, site) || isInNavigation(page, site) || isProduct(page)) return null;
  if (original === null) return found;
  const title = original.titles[0]?.text ?? '';
  const isSame =
    original.textHash === page.facts.textHash || (title !== '' && page.facts.titles[0]?.text.includes(title));
  return isSame ? found : null;
}

function archive({ page, words, segments }: Place): AddressRole | null {
  const at = words.findIndex((word) => ARCHIVE.has(word));
  if (at < 0 || isProduct(page)) return null;
  const isLast = at === words.length - 1;
  // `/docs/tags` and `/wiki/Tag` are texts; `/docs/tags/a` is not.
  const isSubject = isLast && at > 0 && SUBJECTS.has(words[at - 1] ?? '') && isText(page, TEXT_WORDS);
  return isSubject && page.facts !== null && !isListing(page.facts) ? null : inPath('archive', segments[at] ?? '');
}

/** What a member of a forum wrote; a club's page on its members is open. */
function profile({ page, site, words, segments }: Place): AddressRole | null {
  const at = words.findIndex((word) => PROFILES.has(word));
  return at >= 0 && at >= words.length - 2 && isKeptOut(page, site) && !isText(page, LONG_TEXT_WORDS)
    ? inPath('archive', segments[at] ?? '')
    : null;
}

/** `/2024` and `/blog/2024/05`; a post has its name after that, and `/events/2024` is a page about that year. */
function byDate({ segments, words }: Place): AddressRole | null {
  const date = /(?:^|\/)((?:199|20\d)\d(?:\/(?:0?[1-9]|1[0-2])(?:\/(?:0?[1-9]|[12]\d|3[01]))?)?)$/.exec(
    segments.slice(-5).join('/'),
  );
  if (date === null) return null;
  const folder = words.at(-2) ?? '';
  const isYearAlone = !(date[1] ?? '').includes('/');
  if (isYearAlone && segments.length > 1 && !DATED.has(folder) && !isLanguage(segments.at(-2) ?? '')) return null;
  return { role: 'archive', signals: [`its path ends with the date /${date[1]}`] };
}

/** `/category/teas`, `/collections/teas`; what stands below a collection is a product. */
function list({ page, words, segments }: Place): AddressRole | null {
  const at = words.findIndex((word) => LIST.has(word));
  if (at < 0 || at === words.length - 1 || isProduct(page)) return null;
  if (words.slice(at).some((word) => word === 'products' || word === 'product')) return null;
  return inPath('list', segments[at] ?? '');
}

function byParameters(place: Place, isVersion: boolean): AddressRole | null {
  const { page, site, address } = place;
  const names = [...new Set([...address.searchParams.keys()].map((name) => name.toLowerCase()))];
  if (names.length === 0) return null;
  const named = (of: ReadonlySet<string>): string | undefined => names.find((name) => of.has(name));
  const textOf = (name: string): string => (address.searchParams.get(name) ?? '').toLowerCase();
  const found = (role: AddressRole['role'], signal: string): AddressRole => ({ role, signals: [signal] });
  const action = named(ACTIONS);
  if (action !== undefined) return found('account', `its parameter ${action} acts`);
  const routed = byRoute(names, textOf);
  if (routed !== null) return routed;
  const query = named(QUERIES);
  if (query !== undefined) return found('search', `its parameter ${query} searches`);
  const version = names.find(
    (name) =>
      (TWINS.has(name) || name === 'view') &&
      (name === 'amp' || TWIN_VALUES.has(textOf(name)) || isSwitch(name, textOf(name))),
  );
  if (version !== undefined) return found('twin', `its parameter ${version} asks for another version`);
  const facet = names.find((name) => FACETS.test(name));
  if (facet !== undefined) return found('variant', `its parameter ${facet} filters or sorts`);
  const label = names.find(
    (name) =>
      name === 'tag' ||
      name === 'tags' ||
      name === 'author' ||
      (name === 'm' && /^(?:19|20)\d{4,6}$/.test(textOf(name))),
  );
  if (label !== undefined) return found('archive', `its parameter ${label} names a tag, an author or a date`);
  const date = named(DATES);
  if (date !== undefined) return found('archive', `its parameter ${date} names a date`);
  if (names.includes('attachment_id')) return found('asset', 'its parameter attachment_id names a file');
  const counter = counterOf(names, address);
  if (counter !== undefined) return found('list-page', `its parameter ${counter} counts pages`);
  const rule = isAllowed(siteIndex(site).robots, '*', page.url);
  if (!rule.allowed && /[?=]/.test(rule.rule ?? ''))
    return found('variant', `robots.txt has the rule "${rule.rule}" for its parameters`);
  return isVersion && named(LANGUAGES) !== undefined ? null : withoutParameters(place, named(TWINS) !== undefined);
}

const isSwitch = (name: string, value: string): boolean =>
  ['print', 'printable', 'printview', 'mobile', 'noamp'].includes(name) && /^(?:1|yes|true|y|on)?$/.test(value);

/** `?route=account/login`, `?controller=search`, `?action=edit`. */
function byRoute(names: readonly string[], textOf: (name: string) => string): AddressRole | null {
  for (const name of names) {
    if (!ROUTES.has(name)) continue;
    const words = textOf(name).slice(0, 200).split(/[/;]/).map(plainWord);
    const signals = [`its parameter ${name} is "${textOf(name).slice(0, 60)}"`];
    if (words.some((word) => ACCOUNT.has(word) || (name === 'action' && /^(?:edit|history|profile|post)$/.test(word))))
      return { role: 'account', signals };
    if (words.some((word) => SEARCH.has(word))) return { role: 'search', signals };
    if (words.some((word) => LEGAL.has(word))) return { role: 'legal', signals };
  }
  return null;
}

/** `/?p=123` is a post of WordPress. */
function counterOf(names: readonly string[], address: URL): string | undefined {
  const isLater = (name: string): boolean => /^(?:[2-9]|[1-9]\d{1,3})$/.test(address.searchParams.get(name) ?? '');
  const counter = names.find((name) => PAGES.has(name) || (name === 'p' && address.pathname !== '/'));
  if (counter !== undefined) return isLater(counter) ? counter : undefined;
  const thread = names.find((name) => name === 'topic' || name === 'board');
  // `?topic=12.20` of Simple Machines begins at the 20th post.
  if (thread !== undefined && /^\d{1,9}\.[1-9]\d{0,5}$/.test(address.searchParams.get(thread) ?? '')) return thread;
  return names.find((name) => OFFSETS.has(name) && /^[1-9]\d{0,5}$/.test(address.searchParams.get(name) ?? ''));
}

function withoutParameters({ page, address }: Place, isTwin: boolean): AddressRole | null {
  const canonical = canonicalOf(page)?.url ?? null;
  if (canonical === null) return null;
  const role = isTwin ? 'twin' : 'variant';
  const bare = `${address.origin}${address.pathname}`;
  if (addressKey(canonical) === addressKey(bare))
    return { role, signals: ['its canonical is its address without parameters'] };
  const named = new URL(canonical);
  if (`${named.origin}${named.pathname}` !== bare || named.searchParams.size >= address.searchParams.size) return null;
  const isPart = [...named.searchParams].every(([name, value]) => address.searchParams.get(name) === value);
  return isPart ? { role, signals: ['its canonical is its address with fewer parameters'] } : null;
}

/** Versions by path or host, whose canonical names the original. */
function byCanonical({ page, address, segments }: Place, isVersion: boolean): AddressRole | null {
  const canonical = page.facts === null || isVersion ? null : (canonicalOf(page)?.url ?? null);
  if (canonical === null || addressKey(canonical) === addressKey(page.outcome.url)) return null;
  const named = new URL(canonical);
  if (
    /^(?:m|mobile|mobil|amp)\./.test(address.hostname) &&
    named.host !== address.host &&
    named.pathname === address.pathname
  )
    return { role: 'twin', signals: ['its canonical is the same path of the main host'] };
  if (named.origin !== address.origin) return null;
  const others = segmentsOf(named);
  const version = segments.findIndex((segment) => TWIN.has(segment) || ['m', 'mobile', 'embed'].includes(segment));
  if (version >= 0 && segments.filter((_, at) => at !== version).join('/') === others.join('/'))
    return { role: 'twin', signals: [`its canonical is its path without /${segments[version]}/`] };
  if (isOtherRelease(segments, others))
    return { role: 'twin', signals: ['its canonical is the same page of another release'] };
  const above = named.pathname.endsWith('/') ? named.pathname : `${named.pathname}/`;
  const isBelow = named.pathname !== '/' && named.search === '' && address.pathname.startsWith(above);
  return isBelow && page.facts !== null && (page.facts.commerce.manyButtons === true || isListing(page.facts))
    ? { role: 'variant', signals: ['it is a list whose canonical is the list above it'] }
    : null;
}

/** `/docs/1.9/install` and `/docs/stable/install` differ in their release alone. */
function isOtherRelease(own: readonly string[], other: readonly string[]): boolean {
  if (own.length !== other.length) return false;
  const differing = own.flatMap((segment, at) => (segment === other[at] ? [] : [segment, other[at] ?? '']));
  // Two plain numbers may as well be two products.
  return differing.length === 2 && differing.every(isRelease) && differing.some((segment) => /\D/.test(segment));
}

const isRelease = (segment: string): boolean =>
  /^v?\d{1,4}(?:\.(?:\d{1,4}|x))*$|^(?:latest|stable|current|main|master|dev|next|nightly|edge)$/.test(segment);

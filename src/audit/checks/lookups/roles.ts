/**
 * What each page of a site is: from what other pages declare of it, its template's own words, its address, its content
 * and structured data, and what its canonical and robots.txt say of it. Checks ask for the role, so that what is right
 * for a cart or an archive is not held against it.
 */
import { parse } from 'tldts';
import { CONTENT_ROLES, type PageRoleName } from '../../../model/pages.ts';
import type { Crawl, CrawledPage } from '../../crawl/site.ts';
import type { PageFacts } from '../../facts/pageFacts.ts';
import { isListing, isProduct } from '../applies.ts';
import { countsAs, isNode, listOf, typesOfNode } from '../schemaOrg/schemaNodes.ts';
import { roleByAddress } from './addressRoles.ts';
import { twinDeclared, versionDeclared } from './declared.ts';
import { blockingHeader, blockingMeta } from './directives.ts';
import { hreflangsOf } from './language/hreflangs.ts';
import { isInNavigation, isListed } from './membership.ts';
import { addressKey, header, isStartPage, siteIndex } from './siteIndex.ts';

/**
 * `variant`: a list filtered or sorted by parameters. `list-page`: page 2 and later of a list. `archive`: by tag, author
 * or date. `twin`: a version for print, AMP or mobile, or of another release. `language-variant`: content, a product, or
 * a list that another page declares as its version in another language. `staging`: any of these on a host for tests.
 */
export type Role = PageRoleName;

/** `signals`: what led to it, each the rest of a sentence about the page: 'its path has /tag/'. */
export type PageRole = {
  readonly role: Role;
  readonly signals: readonly string[];
  /** What a language variant is, or a page of a staging host would be. */
  readonly of?: Role;
};

/** Roles of pages that are not meant to be found in search; a site may keep them out. */
const NOT_FOR_SEARCH: ReadonlySet<Role> = new Set([
  'list-page',
  'variant',
  'search',
  'account',
  'legal',
  'archive',
  'twin',
  'asset',
]);

/** In words: 'an archive by tag, author or date'. */
export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  start: 'the home page',
  content: 'a content page',
  product: 'a product page',
  list: 'a list',
  'list-page': 'a later page of a list',
  variant: 'a filtered or sorted version of a list',
  search: 'a search on the site',
  account: 'a page of an account or a purchase',
  legal: 'a legal page',
  archive: 'an archive by tag, author or date',
  twin: 'another version of a page, such as one for print, AMP or mobile',
  'language-variant': 'a language version of a page',
  staging: 'a page of a staging host',
  error: 'an error page',
  asset: 'a file',
};

const known = new WeakMap<Crawl, WeakMap<CrawledPage, PageRole>>();

/** Pure; computed once for each page of a crawl. */
export function roleOf(page: CrawledPage, site: Crawl): PageRole {
  let roles = known.get(site);
  if (roles === undefined) {
    roles = new WeakMap();
    known.set(site, roles);
  }
  let role = roles.get(page);
  if (role === undefined) {
    role = judged(page, site);
    roles.set(page, role);
  }
  return role;
}

/** Caches an answer about the whole site, because every page asks for it. */
function oncePerSite<T>(answer: (site: Crawl) => T): (site: Crawl) => T {
  const answers = new WeakMap<Crawl, { readonly is: T }>();
  return (site) => {
    let found = answers.get(site);
    if (found === undefined) {
      found = { is: answer(site) };
      answers.set(site, found);
    }
    return found.is;
  };
}

function judged(page: CrawledPage, site: Crawl): PageRole {
  if (isStartPage(page)) return { role: 'start', signals: [] };
  const found = failed(page) ?? declaredTwin(page, site) ?? byPage(page, site);
  if (found.role !== 'content' && found.role !== 'product' && found.role !== 'list') return found;
  return onStaging(found, site) ?? asVersion(found, page, site) ?? found;
}

function failed(page: CrawledPage): PageRole | null {
  const { status } = page.outcome;
  if (page.robotsBlocked || (status !== null && status < 400)) return null;
  return { role: 'error', signals: [status === null ? 'it does not answer' : `it answers ${status}`] };
}

const TWIN_WORDS = { amp: 'AMP', mobile: 'mobile', print: 'print' } as const;

/** The other side is believed, whatever the address says. */
function declaredTwin(page: CrawledPage, site: Crawl): PageRole | null {
  const declared = twinDeclared(page, site);
  if (declared === null) return null;
  return { role: 'twin', signals: [`${declared.by.url} declares it as its ${TWIN_WORDS[declared.kind]} version`] };
}

function byPage(page: CrawledPage, site: Crawl): PageRole {
  return (
    byTemplate(page.facts?.bodyClasses ?? []) ??
    roleByAddress(page, site, versionDeclared(page, site) !== null) ??
    byType(page.facts) ??
    (isFile(page) ? { role: 'asset', signals: ['it is not an HTML page'] } : byContent(page, site))
  );
}

function isFile(page: CrawledPage): boolean {
  if (page.facts !== null || page.robotsBlocked || page.outcome.hops.length > 0) return false;
  return !/html/i.test(header(page.outcome, 'content-type') ?? '');
}

const ARCHIVES = ['tag', 'author', 'date'];
const ACTING_CLASS =
  /^(?:woocommerce-(?:cart|checkout|account)|template-(?:cart|customers)|customer-account.{0,60}|checkout-.{1,60}|wishlist-index-index|is-{1,2}ctl-(?:account|checkout|auth|register|wishlist)[a-z]{0,20})$/;
const SEARCH_CLASS = /^(?:search-results|template-search|catalogsearch-result-index|is-{1,2}ctl-search[a-z]{0,20})$/;

/** Common systems write into the body's class which template it is. */
function byTemplate(classes: readonly string[]): PageRole | null {
  const found = (role: Role, name: string | undefined): PageRole | null =>
    name === undefined ? null : { role, signals: [`its body has the class ${name}`] };
  const isArchive = classes.includes('archive');
  return (
    found(
      'account',
      classes.find((name) => ACTING_CLASS.test(name)),
    ) ??
    found(
      'search',
      classes.find((name) => SEARCH_CLASS.test(name)),
    ) ??
    found(
      'list-page',
      classes.find((name) => name === 'paged'),
    ) ??
    found(
      'archive',
      classes.find((name) => name === 'tax-product_tag' || (isArchive && ARCHIVES.includes(name))),
    ) ??
    found(
      'asset',
      classes.find((name) => name === 'attachment'),
    ) ??
    found(
      'list',
      classes.find((name) => name === 'tax-product_cat' || (isArchive && name === 'category')),
    )
  );
}

/** Types of the page's own nodes, not of what they contain. */
function ownTypes(facts: PageFacts): readonly string[] {
  const roots = facts.structuredData.flatMap(({ value }) => value ?? []).filter(isNode);
  const nodes = roots.flatMap((root) => [root, ...listOf(root['@graph']).filter(isNode)]);
  return nodes.slice(0, MAX_NODES).flatMap(typesOfNode);
}

const MAX_NODES = 200;

function byType(facts: PageFacts | null): PageRole | null {
  const types = facts === null ? [] : ownTypes(facts);
  if (types.includes('SearchResultsPage')) return { role: 'search', signals: ['it calls itself a SearchResultsPage'] };
  if (types.includes('CheckoutPage')) return { role: 'account', signals: ['it calls itself a CheckoutPage'] };
  return null;
}

const LIST_TYPES = ['CollectionPage', 'ItemList', 'OfferCatalog', 'Blog', 'ProductCollection'];

function byContent(page: CrawledPage, site: Crawl): PageRole {
  const membership = [
    ...(isListed(page, site) ? ['the sitemap lists it'] : []),
    ...(isInNavigation(page, site) ? ['the navigation leads to it'] : []),
  ];
  if (isProduct(page))
    return {
      role: 'product',
      signals: ['it has a price and a button to buy, or calls itself a product', ...membership],
    };
  const { facts } = page;
  if (facts === null) return { role: 'content', signals: membership };
  const types = ownTypes(facts);
  const article = types.find((type) => countsAs(type, 'Article'));
  if (article !== undefined && types.filter((type) => countsAs(type, 'Article')).length === 1)
    return { role: 'content', signals: [`it calls itself ${article}`, ...membership] };
  const list = types.find((type) => LIST_TYPES.includes(type));
  if (list !== undefined) return { role: 'list', signals: [`it calls itself ${list}`, ...membership] };
  if (facts.commerce.manyButtons || isListing(facts))
    return { role: 'list', signals: ['most of its words are links, or it sells several products', ...membership] };
  return { role: 'content', signals: membership };
}

/** A page in another language, or for another region, than the start page. */
function asVersion(found: PageRole, page: CrawledPage, site: Crawl): PageRole | null {
  const declared = versionDeclared(page, site);
  if (declared === null || isSameLanguage(declared.hreflang, languages(site))) return null;
  const signal = `${declared.by.url} names it as its ${declared.hreflang} version`;
  return { role: 'language-variant', of: found.role, signals: [signal, ...found.signals] };
}

const languages = oncePerSite(mainLanguage);

/** The code under which the start page names itself, else its lang attribute; '' if neither tells. */
function mainLanguage(site: Crawl): string {
  const { start } = siteIndex(site);
  if (start === null) return '';
  const own = hreflangsOf(start).find(
    ({ url, hreflang }) =>
      url !== null && addressKey(url) === addressKey(start.url) && hreflang.trim().toLowerCase() !== 'x-default',
  );
  return own?.hreflang ?? start.facts?.lang ?? '';
}

/** `en` is the language of `en-US`, and `en-GB` is another. */
function isSameLanguage(a: string, b: string): boolean {
  const [one, other] = [a, b].map((tag) => tag.trim().toLowerCase().replaceAll('_', '-')) as [string, string];
  return one === other || one.startsWith(`${other}-`) || other.startsWith(`${one}-`);
}

/** The part of its host that says that a site is for tests; null for most. */
export const stagingLabelOf = oncePerSite(stagingLabel);

function onStaging(found: PageRole, site: Crawl): PageRole | null {
  const label = stagingLabelOf(site);
  return label === null
    ? null
    : { role: 'staging', of: found.role, signals: [`its host has the label "${label}"`, ...found.signals] };
}

const STAGING =
  /^(?:test|testing|preview|sandbox|develop|development|dev|qa)\d{0,3}$|^(?:staging|stage|stg|preprod|uat)\d{0,3}(?:-.{1,60})?$|^.{1,60}-(?:staging|stage|stg|preprod|uat|dev|qa)\d{0,3}$|^deploy-preview-\d{1,6}--/;

/** `staging.example.com`, `shop-dev.example.com`, `deploy-preview-7--shop.netlify.app`; not `test.de` and `dev.to`. */
function stagingLabel(site: Crawl): string | null {
  const { subdomain, domainWithoutSuffix, isPrivate } = parse(new URL(site.discovery.origin).hostname, {
    allowPrivateDomains: true,
  });
  const labels = [...(subdomain ?? '').split('.'), ...(isPrivate === true ? [domainWithoutSuffix ?? ''] : [])];
  const label = labels.find((each) => STAGING.test(each)) ?? null;
  // `dev.` is also where companies write for developers, and want to be found.
  return label?.startsWith('dev') && isPublished(site) ? null : label;
}

function isPublished(site: Crawl): boolean {
  const { start } = siteIndex(site);
  return (
    start !== null &&
    isListed(start, site) &&
    blockingMeta(start, 'Googlebot', site) === null &&
    blockingHeader(start, 'Googlebot', site) === null
  );
}

/** Whether what the page is explains that a site keeps it out of search, whatever else it says about it. */
export const isNotForSearch = (page: CrawledPage, site: Crawl): boolean => NOT_FOR_SEARCH.has(roleOf(page, site).role);

/** Whether the page is there to be found: the content pages of the score. An address that redirects is no page. */
export function isMeantForSearch(page: CrawledPage, site: Crawl): boolean {
  const isMoved = page.facts === null && page.outcome.hops.length > 0 && !isStartPage(page);
  return !isMoved && CONTENT_ROLES.has(roleOf(page, site).role);
}

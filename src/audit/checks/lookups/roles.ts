/**
 * What each page of a site is: from its address, its content, and what its canonical and robots.txt say of it. Checks
 * ask for the role, so that what is right for a cart or an archive is not held against it.
 */
import { isAllowed } from '../../crawl/robots/robots.ts';
import type { Crawl, CrawledPage } from '../../crawl/site.ts';
import { isListing, isProduct } from '../applies.ts';
import { canonicalOf } from './canonicals.ts';
import { addressKey, isStartPage, siteIndex } from './siteIndex.ts';

/**
 * `variant`: a list filtered or sorted by parameters. `list-page`: page 2 and later of a list. `archive`: by tag, author
 * or date. `twin`: a version for print, AMP or mobile.
 */
export type Role =
  | 'start'
  | 'content'
  | 'product'
  | 'list'
  | 'list-page'
  | 'variant'
  | 'search'
  | 'account'
  | 'legal'
  | 'archive'
  | 'twin'
  | 'error'
  | 'asset';

/** `signals`: what led to it, each the rest of a sentence about the page: 'its path has /tag/'. */
export type PageRole = { readonly role: Role; readonly signals: readonly string[] };

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
  start: 'the start page',
  content: 'a content page',
  product: 'a product page',
  list: 'a list',
  'list-page': 'a later page of a list',
  variant: 'a filtered or sorted version of a list',
  search: 'a search on the site',
  account: 'a page of an account or a purchase',
  legal: 'a legal page',
  archive: 'an archive by tag, author or date',
  twin: 'a version for print, AMP or mobile',
  error: 'an error page',
  asset: 'a file',
};

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const ACCOUNT = words(
  'cart basket shopping-cart warenkorb einkaufswagen panier carrito cesta carrello winkelwagen varukorg checkout kasse caisse pago order-received ' +
    'account my-account myaccount customer-account konto mein-konto kundenkonto mon-compte mi-cuenta compte cuenta wishlist ' +
    'login log-in signin sign-in sign_in logout log-out signout register signup sign-up anmelden abmelden registrieren connexion inscription ' +
    'lost-password forgot-password reset-password password-reset passwort-vergessen unsubscribe wp-login wp-admin admin ' +
    'thank-you thankyou thanks danke merci gracias',
);
const SEARCH = words('search suche recherche buscar busqueda cerca zoeken sok');
const LEGAL = words(
  'privacy privacy-policy datenschutz datenschutzerklaerung imprint impressum terms terms-of-service terms-and-conditions terms-of-use tos agb ' +
    'legal legal-notice disclaimer cookies cookie-policy mentions-legales politique-de-confidentialite aviso-legal privacidad ' +
    'politica-de-privacidad widerruf widerrufsrecht note-legali privacybeleid',
);
const ARCHIVE = words(
  'tag tags author authors autor autoren auteur schlagwort schlagwoerter etiqueta etiquetas label labels',
);
const TWIN = words('amp print printable imprimir drucken');

/** Parameters of links that act, or of a search on the site. */
const ACTIONS = words('add-to-cart add_to_cart add-to-wishlist replytocom redirect_to return_to');
const QUERIES = words('s q query search suche keyword');
const PAGES = words('page paged pg seite pagina');
const TWINS = words('amp print format output m');
const FACETS =
  /^(?:sort(?:_?by|ing)?|order(?:_?by)?|dir(?:ection)?|filter.*|f\[.*|facet.*|colou?r|farbe|couleur|size|groesse|brand|marke|material|style|price|(?:min|max)[_-]?price|rating|availability|view|layout|per[_-]?page|limit|pa_.*|attribute.*)$/;

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

function judged(page: CrawledPage, site: Crawl): PageRole {
  const { status } = page.outcome;
  if (isStartPage(page)) return { role: 'start', signals: [] };
  if (!page.robotsBlocked && status !== null && status >= 400)
    return { role: 'error', signals: [`it answers ${status}`] };
  const address = new URL(page.url);
  const segments = address.pathname.toLowerCase().split('/').filter(Boolean).map(bare);
  const names = [...address.searchParams.keys()].map((name) => name.toLowerCase());
  return (
    byPath(segments) ??
    byParameters(page, site, address, names) ??
    (page.facts === null && !page.robotsBlocked && page.outcome.hops.length === 0
      ? { role: 'asset', signals: ['it is not an HTML page'] }
      : byContent(page))
  );
}

const bare = (segment: string): string => segment.replace(/\.(?:php|html?|aspx?|jsp)$/, '');

function byPath(segments: readonly string[]): PageRole | null {
  const last = segments.at(-1) ?? '';
  const found = (role: Role, of: ReadonlySet<string>): PageRole | null => {
    const segment = segments.find((each) => of.has(each));
    return segment === undefined ? null : { role, signals: [`its path has /${segment}/`] };
  };
  return (
    found('account', ACCOUNT) ??
    found('search', SEARCH) ??
    (LEGAL.has(last) ? { role: 'legal', signals: [`its path ends with /${last}`] } : null) ??
    (TWIN.has(last) ? { role: 'twin', signals: [`its path ends with /${last}`] } : null) ??
    laterPage(segments) ??
    found('archive', ARCHIVE) ??
    byDate(segments)
  );
}

/** `/blog/page/2` */
function laterPage(segments: readonly string[]): PageRole | null {
  const [word = '', number = ''] = segments.slice(-2);
  return PAGES.has(word) && /^[1-9]\d{0,4}$/.test(number) && number !== '1'
    ? { role: 'list-page', signals: [`its path ends with /${word}/${number}`] }
    : null;
}

/** `/2024` and `/blog/2024/05`; a post has its name after that. */
function byDate(segments: readonly string[]): PageRole | null {
  const date = /(?:^|\/)((?:19|20)\d\d(?:\/(?:0?[1-9]|1[0-2])(?:\/(?:0?[1-9]|[12]\d|3[01]))?)?)$/.exec(
    segments.join('/'),
  );
  return date ? { role: 'archive', signals: [`its path ends with the date /${date[1]}`] } : null;
}

function byParameters(page: CrawledPage, site: Crawl, address: URL, names: readonly string[]): PageRole | null {
  const [first] = names;
  if (first === undefined) return null;
  const named = (of: ReadonlySet<string>): string | undefined => names.find((name) => of.has(name));
  const [action, query, number, twin] = [named(ACTIONS), named(QUERIES), named(PAGES), named(TWINS)];
  if (action !== undefined) return { role: 'account', signals: [`its parameter ${action} acts`] };
  if (query !== undefined) return { role: 'search', signals: [`its parameter ${query} searches`] };
  const facet = names.find((name) => FACETS.test(name));
  if (facet !== undefined) return { role: 'variant', signals: [`its parameter ${facet} filters or sorts`] };
  // `/?p=123` is a post of WordPress.
  const counter = number ?? (address.pathname === '/' ? undefined : names.find((name) => name === 'p'));
  if (counter !== undefined && /^(?:[2-9]|[1-9]\d{1,3})$/.test(address.searchParams.get(counter) ?? ''))
    return { role: 'list-page', signals: [`its parameter ${counter} counts pages`] };
  const rule = isAllowed(siteIndex(site).robots, '*', page.url);
  if (!rule.allowed && rule.rule?.includes('?'))
    return { role: 'variant', signals: [`robots.txt has the rule "${rule.rule}" for its parameters`] };
  const canonical = canonicalOf(page)?.url ?? null;
  const original = `${address.origin}${address.pathname}`;
  if (canonical !== null && addressKey(canonical) === addressKey(original))
    return {
      role: twin === undefined ? 'variant' : 'twin',
      signals: ['its canonical is its address without parameters'],
    };
  return null;
}

function byContent(page: CrawledPage): PageRole {
  if (isProduct(page))
    return { role: 'product', signals: ['it has a price and a button to buy, or calls itself a product'] };
  if (page.facts !== null && (page.facts.commerce.manyButtons || isListing(page.facts)))
    return { role: 'list', signals: ['most of its words are links, or it sells several products'] };
  return { role: 'content', signals: [] };
}

/** Whether what the page is explains that a site keeps it out of search, whatever else it says about it. */
export const isNotForSearch = (page: CrawledPage, site: Crawl): boolean => NOT_FOR_SEARCH.has(roleOf(page, site).role);

const CONTENT: ReadonlySet<Role> = new Set(['start', 'content', 'product', 'list']);

/** A content page: one that is meant to be found in search. */
export const isMeantForSearch = (page: CrawledPage, site: Crawl): boolean => CONTENT.has(roleOf(page, site).role);

/** Pages that sites rightly keep out of search: carts, accounts, log-ins, searches on the site. */
import type { CrawledPage } from '../../crawl/site.ts';
import { isStartPage } from './siteIndex.ts';

const SEGMENTS: ReadonlySet<string> = new Set(
  (
    'cart basket shopping-cart warenkorb einkaufswagen panier carrito cesta carrello winkelwagen varukorg checkout kasse caisse pago order-received ' +
    'account my-account myaccount customer-account konto mein-konto kundenkonto mon-compte mi-cuenta compte cuenta wishlist ' +
    'login log-in signin sign-in sign_in logout log-out signout register signup sign-up anmelden abmelden registrieren connexion inscription ' +
    'lost-password forgot-password reset-password password-reset passwort-vergessen unsubscribe wp-login wp-admin admin ' +
    'search suche recherche buscar busqueda cerca zoeken sok thank-you thankyou thanks danke merci gracias'
  ).split(' '),
);

/** Parameters of a search on the site, and of links that act instead of leading somewhere. */
const PARAMETERS: ReadonlySet<string> = new Set(
  's q query search suche keyword add-to-cart add_to_cart add-to-wishlist replytocom redirect_to return_to'.split(' '),
);

/** One that a sitemap lists all the same is reported by the checks of sitemaps. */
export function isRightlyKeptOut(page: CrawledPage): boolean {
  return !isStartPage(page) && isUtility(page.url);
}

function isUtility(address: string): boolean {
  const { pathname, searchParams } = new URL(address);
  const segments = pathname.toLowerCase().split('/');
  return (
    segments.some((segment) => SEGMENTS.has(segment.replace(/\.(?:php|html?|aspx?|jsp)$/, ''))) ||
    [...searchParams.keys()].some((name) => PARAMETERS.has(name.toLowerCase()))
  );
}

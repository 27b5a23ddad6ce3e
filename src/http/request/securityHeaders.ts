/** Security headers of every response: pages, API, errors and files alike. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';
import type { Middleware } from 'koa';

const YEAR_SECONDS = 31_536_000;
const POLICY = 'Content-Security-Policy';
const PERMISSIONS = 'Permissions-Policy';

/** Additional sources a page may load from, for entering a card. */
type Sources = {
  readonly script: readonly string[];
  readonly frame: readonly string[];
  readonly connect: readonly string[];
  readonly payment: string;
};

const NOTHING_MORE: Sources = { script: [], frame: [], connect: [], payment: '' };

/** Stripe's own list for Stripe.js. */
const STRIPE: Sources = {
  script: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  frame: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  connect: ['https://api.stripe.com'],
  payment: 'self "https://js.stripe.com"',
};

/** The part of the payments port used here. */
type Seller = { readonly sandboxUrl: string | null };

function sourcesOf({ sandboxUrl }: Seller): Sources {
  if (sandboxUrl === null) return STRIPE;
  const { origin } = new URL(sandboxUrl);
  return { ...NOTHING_MORE, frame: [origin], connect: [origin] };
}

/**
 * Helmet's headers with a policy that only allows this origin: no inline scripts or styles, no frames, no plug-ins. If
 * anything is sold, the app's pages may also contact the payment provider: the app is one page with many URLs, so this
 * applies to all of them. Computed once, since they only depend on the configuration.
 */
export function securityHeaders(appUrl: string, seller: Seller | null = null): Middleware {
  const headers = headersOf(appUrl);
  const plain = headers.find(([name]) => name === POLICY)?.[1];
  const selling = seller
    ? headersOf(appUrl, sourcesOf(seller)).filter(([name]) => name === POLICY || name === PERMISSIONS)
    : [];
  return async (ctx, next) => {
    for (const [name, value] of headers) ctx.res.setHeader(name, value);
    await next();
    // A document with its own policy keeps it, and the API documentation takes no cards.
    if (selling.length === 0 || ctx.path.startsWith('/api/') || ctx.headerSent || ctx.res.getHeader(POLICY) !== plain)
      return;
    // A 304 has no type, and its headers replace those of the page that the browser kept.
    if (ctx.response.type !== 'text/html' && ctx.status !== 304) return;
    for (const [name, value] of selling) ctx.res.setHeader(name, value);
  };
}

/** Also for responses that bypass Koa, such as a refused upgrade. */
export function headersOf(
  appUrl: string,
  more: Sources = NOTHING_MORE,
): readonly (readonly [name: string, value: string])[] {
  const { protocol, host } = new URL(appUrl);
  const secure = protocol === 'https:';
  const collected = new Map<string, string>();
  const response = {
    setHeader: (name: string, value: string) => collected.set(name, value),
    removeHeader: () => undefined,
  };
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...more.script],
        scriptSrcAttr: ["'none'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'", 'data:'],
        // In older browsers, 'self' does not cover the socket's scheme.
        connectSrc: ["'self'", `${secure ? 'wss' : 'ws'}://${host}`, ...more.connect],
        ...(more.frame.length > 0 ? { frameSrc: [...more.frame] } : {}),
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(secure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: secure ? { maxAge: YEAR_SECONDS, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  })({} as IncomingMessage, response as unknown as ServerResponse, (error) => {
    if (error) throw error;
  });
  collected.set(PERMISSIONS, `camera=(), geolocation=(), microphone=(), payment=(${more.payment}), usb=()`);
  return [...collected];
}

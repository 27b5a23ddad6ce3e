/** Security headers of every answer: pages, API, errors, files alike. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';
import type { Middleware } from 'koa';

const YEAR_SECONDS = 31_536_000;
const POLICY = 'Content-Security-Policy';
const PERMISSIONS = 'Permissions-Policy';

/** Where a page may load from beside this origin, so that a card can be entered. */
type Sources = { readonly script: readonly string[]; readonly frame: readonly string[]; readonly connect: readonly string[]; readonly payment: string };

const NOTHING_MORE: Sources = { script: [], frame: [], connect: [], payment: '' };

/** Stripe's own list for Stripe.js. */
const STRIPE: Sources = {
  script: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  frame: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  connect: ['https://api.stripe.com'],
  payment: 'self "https://js.stripe.com"',
};

/** The part of the payments port that is asked. */
type Seller = { readonly sandboxUrl: string | null };

function sourcesOf({ sandboxUrl }: Seller): Sources {
  if (sandboxUrl === null) return STRIPE;
  const { origin } = new URL(sandboxUrl);
  return { ...NOTHING_MORE, frame: [origin], connect: [origin] };
}

/**
 * Helmet's headers with a policy that allows nothing but this origin: no inline script or style, no frame, no plug-in. Where something is sold, the pages
 * of the app may also talk to who takes the payment: the app is one page with many addresses, so that all of them may.
 * They depend on the configuration alone, so they are worked out once.
 */
export function securityHeaders(appUrl: string, seller: Seller | null = null): Middleware {
  const headers = headersOf(appUrl);
  const plain = headers.find(([name]) => name === POLICY)?.[1];
  const selling = seller ? headersOf(appUrl, sourcesOf(seller)).filter(([name]) => name === POLICY || name === PERMISSIONS) : [];
  return async (ctx, next) => {
    for (const [name, value] of headers) ctx.res.setHeader(name, value);
    await next();
    // A document with a policy of its own keeps it, and the page about the API takes no cards.
    if (selling.length === 0 || ctx.path.startsWith('/api/') || ctx.headerSent || ctx.response.type !== 'text/html' || ctx.res.getHeader(POLICY) !== plain)
      return;
    for (const [name, value] of selling) ctx.res.setHeader(name, value);
  };
}

/** Also for answers that are written past Koa, such as a refused upgrade. */
export function headersOf(appUrl: string, more: Sources = NOTHING_MORE): readonly (readonly [name: string, value: string])[] {
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
        // Older browsers do not take 'self' for the socket's scheme.
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

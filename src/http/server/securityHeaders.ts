/** Security headers of every answer: pages, API, errors, files alike. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';
import type { Middleware } from 'koa';

const YEAR_SECONDS = 31_536_000;

/**
 * Helmet's headers with a policy that allows nothing but this origin: no inline script or style, no frame, no plug-in.
 * They depend on the configuration alone, so they are worked out once.
 */
export function securityHeaders(appUrl: string): Middleware {
  const headers = headersOf(appUrl);
  return (ctx, next) => {
    for (const [name, value] of headers) ctx.res.setHeader(name, value);
    return next();
  };
}

/** Also for answers that are written past Koa, such as a refused upgrade. */
export function headersOf(appUrl: string): readonly (readonly [name: string, value: string])[] {
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
        scriptSrc: ["'self'"],
        scriptSrcAttr: ["'none'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'", 'data:'],
        // Older browsers do not take 'self' for the socket's scheme.
        connectSrc: ["'self'", `${secure ? 'wss' : 'ws'}://${host}`],
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
  collected.set('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()');
  return [...collected];
}

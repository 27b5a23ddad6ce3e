/** From which pages a socket may be opened: a browser sends the page's origin, and no page can change it. */
import type { IncomingMessage } from 'node:http';

/**
 * The public address's origin. Where that one is plain http (a machine of one's own), also the host that the request itself was sent to,
 * since `localhost`, `127.0.0.1` and a name in the local network are then all the same server. An absent or `null` origin is none.
 */
export function isOwnOrigin(request: IncomingMessage, appUrl: string): boolean {
  const { origin } = request.headers;
  if (!origin || origin === 'null') return false;
  const own = new URL(appUrl);
  if (origin === own.origin) return true;
  return own.protocol === 'http:' && request.headers.host !== undefined && origin === `http://${request.headers.host.toLowerCase()}`;
}

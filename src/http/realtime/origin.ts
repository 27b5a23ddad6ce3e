/** Which pages may open a socket: browsers send the page's origin, and pages cannot change it. */
import type { IncomingMessage } from 'node:http';

/**
 * The origin of the public URL. If that is plain http (a local machine), also the host the request was sent to, since
 * `localhost`, `127.0.0.1` and a name in the local network are then all the same server. A missing or `null` origin
 * does not count.
 */
export function isOwnOrigin(request: IncomingMessage, appUrl: string): boolean {
  const { origin } = request.headers;
  if (!origin || origin === 'null') return false;
  const own = new URL(appUrl);
  if (origin === own.origin) return true;
  return (
    own.protocol === 'http:' &&
    request.headers.host !== undefined &&
    origin === `http://${request.headers.host.toLowerCase()}`
  );
}

/** Addresses that the browser names, for the way back from a page of somebody else's. */
import { API } from './apiPrefix.ts';
import { invalidInput } from './errors.ts';

/** `host`: to which the request was sent. */
export type OwnSite = { readonly appUrl: string; readonly host: string | undefined };

/**
 * An address of this installation's pages, whole, from one that is whole or begins with a slash. As with sockets, where the public address is plain http (a
 * machine of one's own) the host that the request was sent to is this installation, too.
 * @throws HttpError INVALID_INPUT for any other
 */
export function ownUrl(text: string, field: string, { appUrl, host }: OwnSite): string {
  const own = new URL(appUrl);
  const origins = [own.origin, ...(own.protocol === 'http:' && host !== undefined ? [`http://${host.toLowerCase()}`] : [])];
  const url = URL.parse(text, own.origin);
  const isOwn = url !== null && origins.includes(url.origin) && url.username === '' && url.password === '';
  if (!isOwn || url.pathname === API || url.pathname.startsWith(`${API}/`)) {
    throw invalidInput([{ path: field, message: 'Must be an address of this site' }]);
  }
  return url.href;
}

/** Return URLs given by the browser, for coming back from another site's page. */
import { parseUrl } from '../../model/parseUrl.ts';
import { API } from './apiPrefix.ts';
import { invalidInput } from './errors.ts';

/** `host`: the host the request was sent to. */
export type OwnSite = { readonly appUrl: string; readonly host: string | undefined };

/**
 * An absolute URL of this installation's pages, from one that is absolute or starts with a slash. As with sockets, if
 * the public URL is plain http (a local machine), the host the request was sent to also counts as this installation.
 * @throws HttpError INVALID_INPUT for any other
 */
export function ownUrl(text: string, field: string, { appUrl, host }: OwnSite): string {
  const own = new URL(appUrl);
  const origins = [
    own.origin,
    ...(own.protocol === 'http:' && host !== undefined ? [`http://${host.toLowerCase()}`] : []),
  ];
  const url = parseUrl(text, own.origin);
  const isOwn = url !== null && origins.includes(url.origin) && url.username === '' && url.password === '';
  if (!isOwn || url.pathname === API || url.pathname.startsWith(`${API}/`)) {
    throw invalidInput([{ path: field, message: 'Must be an address of this site' }]);
  }
  return url.href;
}

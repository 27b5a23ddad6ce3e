/** Addresses that the browser names, for the way back from a page of somebody else's. */
import { API } from './apiPrefix.ts';
import { invalidInput } from './errors.ts';

/** An address of this installation's pages, whole, from one that is whole or begins with a slash. @throws HttpError INVALID_INPUT for any other */
export function ownUrl(text: string, field: string, appUrl: string): string {
  const own = new URL(appUrl);
  const url = URL.parse(text, own.origin);
  const isOwn = url !== null && url.origin === own.origin && url.username === '' && url.password === '';
  if (!isOwn || url.pathname === API || url.pathname.startsWith(`${API}/`)) {
    throw invalidInput([{ path: field, message: 'Must be an address of this site' }]);
  }
  return url.href;
}

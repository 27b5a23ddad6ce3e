/** 300 characters are ample for a host with a port, also before its conversion to ASCII. */
const LONG_AUTHORITY = /^\s*(?:[a-z][a-z0-9+.-]{0,40}:)?[/\\]{2}[^/\\?#]{300}/i;

/**
 * For addresses that somebody else wrote: null instead of an error, also for a host that is too long to be one, since converting an internationalized label to
 * ASCII costs the square of its length.
 */
export function parseUrl(text: string, base?: string): URL | null {
  return LONG_AUTHORITY.test(text) ? null : URL.parse(text, base);
}

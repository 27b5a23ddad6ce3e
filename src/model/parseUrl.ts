/**
 * 300 characters are ample for a host with a port, also before its conversion to ASCII. As the URL Standard reads it:
 * after these schemes any number of slashes and backslashes may stand, without a scheme two or more.
 */
const LONG_AUTHORITY = /^(?:(?:https?|wss?|ftp|file):[/\\]*|[/\\]{2,})[^/\\?#]{300}/i;

/** What a parser of addresses ignores: controls and blanks at the beginning, tabs and line breaks anywhere. */
const IGNORED = /^[\0-\x20]+|[\t\r\n]+/g;

/**
 * For addresses that somebody else wrote: null instead of an error, also for a host that is too long to be one, since
 * converting an internationalized label to ASCII costs the square of its length.
 */
export function parseUrl(text: string, base?: string): URL | null {
  return LONG_AUTHORITY.test(text.replace(IGNORED, '')) ? null : URL.parse(text, base);
}

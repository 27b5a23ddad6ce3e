const LONG_AUTHORITY = /^\s*(?:[a-z][a-z0-9+.-]{0,40}:)?[/\\]{2}[^/\\?#]{300}/i;

/**
 * Whether an address names a host that is too long to be one: 300 characters are ample for a host with a port, also before its conversion to ASCII. Ask before
 * parsing what somebody else wrote: converting an internationalized label to ASCII costs the square of its length.
 */
export function hasLongAuthority(address: string): boolean {
  return LONG_AUTHORITY.test(address);
}

/**
 * The address a request came from, in one canonical form: rate limits count by it, and logs and session lists show it.
 *
 * Behind a trusted proxy it is the proxy's own entry, the last one of `X-Forwarded-For`, or of `Forwarded` (RFC 7239)
 * if there is no `X-Forwarded-For`. Entries before it are the client's claims. An entry without an address (`unknown`,
 * a made-up name, nothing) counts as the proxy itself: all of them share one bucket, since a bucket for each such text
 * would let a client choose its own.
 */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Middleware } from 'koa';

/** Empty if the connection is already closed. */
export function clientAddress(
  {
    headers,
    socket,
  }: Pick<IncomingMessage, 'headers'> & { readonly socket: { readonly remoteAddress?: string | undefined } },
  trustProxy: boolean,
): string {
  const peer = canonical(socket.remoteAddress ?? '') ?? '';
  if (!trustProxy) return peer;
  const header = headers['x-forwarded-for'] ?? headers.forwarded;
  // Header lines of the same name have been joined with commas, except in the types.
  const entries = Array.isArray(header) ? header.join(',') : header;
  if (entries === undefined) return peer;
  return addressIn(entries.slice(entries.lastIndexOf(',') + 1)) ?? peer;
}

/** Makes `ctx.ip` the client's address for everything that follows. */
export function clientAddressOf(trustProxy: boolean): Middleware {
  return (ctx, next) => {
    ctx.request.ip = clientAddress(ctx.req, trustProxy);
    return next();
  };
}

const TOKEN = "[\\w!#$%&'*+.^`|~-]+";
/** A parameter of `Forwarded`. Many programs leave out the quotes that an IPv6 address or a port requires. */
const PARAMETER = new RegExp(`^(${TOKEN})=(?:"([^"\\\\]*)"|([^"\\\\]*))$`);

/** The address in one entry of either header; null if it has none. */
export function addressIn(entry: string): string | null {
  const text = entry.trim();
  if (!text.includes('=')) return addressOfNode(unquoted(text));
  const parameters = text.split(';').map((part) => PARAMETER.exec(part.trim()));
  // Half an entry: a client's text may have run into the proxy's.
  if (parameters.includes(null)) return null;
  const named = parameters.filter((found) => found?.[1]?.toLowerCase() === 'for');
  const [only] = named;
  return named.length === 1 && only ? addressOfNode((only[2] ?? only[3] ?? '').trim()) : null;
}

const unquoted = (text: string): string => (/^"[^"]*"$/.test(text) ? text.slice(1, -1).trim() : text);

/** A port, which may be obfuscated. */
const PORT = /:(?:\d{1,5}|_[\w.-]+)$/;

/** `address`, `address:port`, `[IPv6]` or `[IPv6]:port`. */
function addressOfNode(node: string): string | null {
  const bracketed = /^\[([^\]]*)\](.*)$/.exec(node);
  if (bracketed) return bracketed[2] === '' || PORT.test(bracketed[2] ?? '') ? canonical(bracketed[1] ?? '') : null;
  return canonical(node) ?? canonical(node.replace(PORT, ''));
}

/** Without a zone; an IPv4 address that is written as IPv6 is IPv4. Null for anything that is not an address. */
function canonical(text: string): string | null {
  const [address = ''] = text.split('%', 1);
  // The library alone would also take `0x7f.1` and `1`.
  return isIP(address) === 0 ? null : ipaddr.process(address).toString();
}

/** Parses and writes cookie headers. */
import type { Cookie } from './reply.ts';

const VALUE = /^[A-Za-z0-9._-]{0,500}$/;

/** The cookies in a `Cookie` header whose values could be ours. */
export function cookiesIn(header: string | undefined): ReadonlyMap<string, string> {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('=', 2));
  return new Map(
    pairs.flatMap(([name = '', value = '']) =>
      name !== '' && value !== '' && VALUE.test(value) ? [[name, value] as const] : [],
    ),
  );
}

export function setCookie({ name, value, maxAgeSeconds }: Cookie, appUrl: string): string {
  if (!VALUE.test(value)) throw new Error('This is no value of a cookie.');
  const secure = appUrl.startsWith('https:') ? '; Secure' : '';
  return `${name}=${value}; Path=/api/v1/auth; Max-Age=${Math.max(0, Math.floor(maxAgeSeconds))}; HttpOnly; SameSite=Lax${secure}`;
}

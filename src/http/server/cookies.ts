/** Cookies of this origin: never readable by scripts, never sent along from other sites' forms. */
import type { Context } from 'koa';

export type Cookies = {
  get(name: string): string | null;
  /** `maxAgeSeconds` 0 removes it. */
  set(name: string, value: string, maxAgeSeconds: number): void;
};

const VALUE = /^[A-Za-z0-9._-]{0,500}$/;

export function cookiesOf(ctx: Context, appUrl: string): Cookies {
  const secure = appUrl.startsWith('https:') ? '; Secure' : '';
  return {
    get: (name) => {
      const value = ctx.cookies.get(name);
      return value && VALUE.test(value) ? value : null;
    },
    set: (name, value, maxAgeSeconds) => {
      if (!VALUE.test(value)) throw new Error('This is no value of a cookie.');
      ctx.append('Set-Cookie', `${name}=${value}; Path=/api/v1/auth; Max-Age=${Math.max(0, Math.floor(maxAgeSeconds))}; HttpOnly; SameSite=Lax${secure}`);
    },
  };
}

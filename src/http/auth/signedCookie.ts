/**
 * Values of cookies that only this installation can make: a time, a random id, and a signature over both, the kind of
 * cookie, and what it is bound to, which the value does not contain.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { HttpDeps } from '../deps/deps.ts';

const VALUE = /^(\d{13})\.([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/;

export type SigningDeps = Pick<HttpDeps, 'sharing' | 'newToken'>;

/** `kind` contains no colon. `time`: ms since 1970. */
type Binding = { readonly kind: string; readonly boundTo: string };
type Signed = { readonly time: number; readonly id: string };

export function newSignedValue(
  deps: SigningDeps,
  binding: Binding,
  time: number,
): { readonly value: string; readonly id: string } {
  const id = deps.newToken();
  return { value: `${time}.${id}.${signature(deps, binding, { time, id })}`, id };
}

/** Null if there is none, or it was made for something else. */
export function readSignedValue(deps: SigningDeps, binding: Binding, value: string | undefined): Signed | null {
  const [, time = '', id = '', given = ''] = VALUE.exec(value ?? '') ?? [];
  const signed = { time: Number(time), id };
  return isSameText(given, signature(deps, binding, signed)) ? signed : null;
}

/** Base64url; also for what is derived from a value and never sent with it. */
export const signature = ({ sharing }: SigningDeps, { kind, boundTo }: Binding, { time, id }: Signed): string =>
  createHmac('sha256', sharing.secret).update(`${kind}:${time}:${id}:${boundTo}`).digest('base64url');

/** Takes as long whatever is different. */
export function isSameText(given: string, own: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(own)];
  return left.length === right.length && timingSafeEqual(left, right);
}

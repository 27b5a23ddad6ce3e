/**
 * A promotion code from the page's address (`?discount=` or `?promo=`), kept for the tab until the server refuses it.
 */
import { useSyncExternalStore } from 'react';

const KEY = 'promotion_code';
/** The code is shown on the page, so an address must not be able to put a sentence there. */
const CODE = /^[\w-]{1,100}$/;

const listeners = new Set<() => void>();
/** Where storage is blocked, the code lasts until the page is closed. */
let inMemory: string | null = null;

function read(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return inMemory;
  }
}

function write(code: string | null): void {
  inMemory = code;
  try {
    if (code === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, code);
  } catch {
    // Kept in memory only.
  }
  for (const notify of listeners) notify();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The code that this tab's purchases and plans use, or null. */
export const usePromotionCode = (): string | null => useSyncExternalStore(subscribe, read);

/** Called when the server refuses the code. */
export function forgetPromotionCode(): void {
  if (read() !== null) write(null);
}

/** Stores the code from the address, if any. */
export function keepCodeOf(search: string): void {
  const query = new URLSearchParams(search);
  const code = (query.get('discount') ?? query.get('promo') ?? '').trim();
  if (CODE.test(code)) write(code);
}

/** A promotion code that came with an address (`?discount=` or `?promo=`): kept for the tab until it is refused. */
import { useSyncExternalStore } from 'react';

const KEY = 'promotion_code';
/** What comes from an address stands on the page: nothing that could be a sentence. */
const CODE = /^[\w-]{1,100}$/;

const listeners = new Set<() => void>();
/** Where storage is closed to the page, the code lasts until it is left. */
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
    // It is in memory.
  }
  for (const notify of listeners) notify();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The code that purchases and plans of this tab are bought with, if there is one. */
export const usePromotionCode = (): string | null => useSyncExternalStore(subscribe, read);

/** It was refused. */
export function forgetPromotionCode(): void {
  if (read() !== null) write(null);
}

/** Keeps what the address brings along. */
export function keepCodeOf(search: string): void {
  const query = new URLSearchParams(search);
  const code = (query.get('discount') ?? query.get('promo') ?? '').trim();
  if (CODE.test(code)) write(code);
}

import { useRef } from 'react';
import { newKey } from './call.ts';
import { asFailure } from './failure.ts';

/** Nobody knows whether it was done. */
const isOpen = (error: unknown): boolean => {
  if (error === undefined || error === null) return false;
  const { status } = asFailure(error);
  return status === 0 || status === 429 || status >= 500;
};

/**
 * For a form's `idempotencyKey`: what is sent again unchanged, after an `error` that leaves open whether it was done,
 * has the same key and is done once.
 */
export function useOnceKey(error: unknown): (content: unknown) => string {
  const last = useRef({ content: '', key: '' });
  return (sent) => {
    const content = JSON.stringify(sent);
    if (!isOpen(error) || last.current.content !== content) last.current = { content, key: newKey() };
    return last.current.key;
  };
}

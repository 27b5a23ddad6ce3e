/** Which action item the keyboard is to stand on next; the list that holds it brings it into view. */
import { createContext } from 'react';

export interface Spotlight {
  readonly actionId: string;
  /** Each wish is a new one. */
  readonly wish: number;
  /** How far below the window's top the card stood when its page was opened: there it stands again. */
  readonly top?: number | undefined;
}

export const SpotlightContext = createContext<Spotlight | null>(null);

export const cardId = (actionId: string): string => `action-${actionId}`;

/** Where somebody types or chooses: keys belong to it. */
export const TYPED_IN = 'textarea, select, [contenteditable=true], input:not([type=radio])';

/** @returns whether the card is on the page. For the mouse nothing moves; nor for who has begun to type somewhere meanwhile. */
export function focusCard({ actionId, top }: Pick<Spotlight, 'actionId' | 'top'>): boolean {
  const card = document.getElementById(cardId(actionId));
  if (!card) return false;
  const place = card.closest('[data-action]');
  if (place && top !== undefined) window.scrollBy(0, place.getBoundingClientRect().top - top);
  if (document.activeElement?.matches(TYPED_IN)) return true;
  card.focus({ preventScroll: true });
  if (card.matches(':focus-visible')) place?.scrollIntoView({ block: 'nearest' });
  return true;
}

/** Which action item the keyboard is to stand on next; the list that holds it brings it into view. */
import { createContext } from 'react';

export interface Spotlight {
  readonly actionId: string;
  /** Each wish is a new one. */
  readonly wish: number;
}

export const SpotlightContext = createContext<Spotlight | null>(null);

export const cardId = (actionId: string): string => `action-${actionId}`;

/** @returns whether the card is on the page. For the mouse nothing moves. */
export function focusCard(actionId: string): boolean {
  const card = document.getElementById(cardId(actionId));
  if (!card) return false;
  card.focus({ preventScroll: true });
  if (card.matches(':focus-visible')) card.closest('[data-action]')?.scrollIntoView({ block: 'nearest' });
  return true;
}

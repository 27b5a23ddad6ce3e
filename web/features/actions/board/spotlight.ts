/** Which action item gets the focus next; the list that contains it scrolls it into view. */
import { createContext } from 'react';

export interface Spotlight {
  readonly actionId: string;
  /** A new number for each request. */
  readonly wish: number;
  /** Distance of the card from the viewport top when its page was opened, to restore it. */
  readonly top?: number | undefined;
  /** The cards on the page at that time, in their order. */
  readonly among: readonly string[];
}

export const SpotlightContext = createContext<Spotlight | null>(null);

export const cardId = (actionId: string): string => `action-${actionId}`;

/** The tasks whose cards are on the page. */
export const cardsOnPage = (): string[] =>
  [...document.querySelectorAll<HTMLElement>('[data-action]')].map((card) => card.dataset.action ?? '');

/** The task whose card has this element. */
export const actionIn = (element: Element | null): string | undefined =>
  element?.closest<HTMLElement>('[data-action]')?.dataset.action;

const DIALOGS = '[role=dialog], [role=alertdialog]';

/** Fields that take keyboard input, where shortcuts must not apply. */
export const TYPED_IN = 'textarea, select, [contenteditable=true], input:not([type=radio])';

/**
 * @returns whether the card is on the page. Does not scroll after a mouse click, and does not take focus from a field
 *   or dialog in use.
 */
export function focusCard({ actionId, top }: Pick<Spotlight, 'actionId' | 'top'>): boolean {
  const card = document.getElementById(cardId(actionId));
  if (!card) return false;
  const place = card.closest('[data-action]');
  if (place && top !== undefined) window.scrollBy(0, place.getBoundingClientRect().top - top);
  if (document.activeElement?.matches(TYPED_IN) || document.activeElement?.closest(DIALOGS)) return true;
  card.focus({ preventScroll: true });
  if (card.matches(':focus-visible')) place?.scrollIntoView({ block: 'nearest' });
  return true;
}

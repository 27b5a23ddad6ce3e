/** Where the keyboard goes on when a card moves, comes back or leaves the list. */
import {
  type MouseEvent,
  type RefObject,
  useCallback,
  useContext,
  useDeferredValue,
  useEffect,
  useRef,
  useState,
} from 'react';
import { focusText } from '../../../ui/focus/focusText.ts';
import type { ActionWork } from '../work.ts';
import type { ByStatus } from './sorting.ts';
import { actionIn, cardsOnPage, focusCard, type Spotlight, SpotlightContext } from './spotlight.ts';

interface SpotlightOfPage {
  readonly spotlight: Spotlight | null;
  readonly light: (actionId: string) => void;
  /** On a click: records the position of the card that it opens. */
  readonly noteLeaving: (event: MouseEvent) => void;
}

/** Moves focus to a card that moved, and back to the card whose page was closed, restoring its scroll position. */
export function useSpotlight(actionId: string | null): SpotlightOfPage {
  const [spotlight, setSpotlight] = useState<Spotlight | null>(null);
  const shine = useCallback(
    (id: string, top?: number) =>
      setSpotlight((now) => ({ actionId: id, top, wish: (now?.wish ?? 0) + 1, among: cardsOnPage() })),
    [],
  );
  const light = useCallback((id: string) => shine(id), [shine]);
  const left = useRef<{ readonly actionId: string; readonly top: number } | null>(null);
  const noteLeaving = useCallback(({ target }: MouseEvent): void => {
    const card = target instanceof Element ? target.closest<HTMLElement>('[data-action]') : null;
    if (card) left.current = { actionId: card.dataset.action ?? '', top: card.getBoundingClientRect().top };
  }, []);
  const last = useRef(actionId);
  useEffect(() => {
    if (last.current && !actionId)
      shine(last.current, left.current?.actionId === last.current ? left.current.top : undefined);
    last.current = actionId;
  }, [actionId, shine]);
  return { spotlight: useDeferredValue(spotlight), light, noteLeaving };
}

/**
 * A reverted change focuses its card: always when the user undid it, and after a refusal unless the user has gone on to
 * something else.
 */
export function useRevertedLit(work: ActionWork | null, light: (actionId: string) => void): void {
  const reverted = work?.reverted ?? null;
  const seen = useRef(reverted);
  useEffect(() => {
    if (reverted && reverted !== seen.current) {
      const at = document.activeElement;
      if (reverted.by === 'user' || at === document.body || actionIn(at) === reverted.actionId)
        light(reverted.actionId);
    }
    seen.current = reverted;
  }, [reverted, light]);
}

/** The card that took the place of one that left the list is focused instead; without any, the text above. */
export function useStandIn(shown: ByStatus, list: RefObject<HTMLElement | null>): void {
  const spotlight = useContext(SpotlightContext);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once a wish, not again when the items change.
  useEffect(() => {
    if (!spotlight || document.activeElement !== document.body) return;
    const { actionId, among } = spotlight;
    if (Object.values(shown).some((items) => items.some((item) => item.id === actionId))) return;
    const at = among.indexOf(actionId);
    const stands = [...among.slice(at + 1), ...among.slice(0, Math.max(0, at)).reverse()].some((id) =>
      focusCard({ actionId: id }),
    );
    if (!stands) focusText(list.current?.querySelector<HTMLElement>('h2, h3, p'));
  }, [spotlight]);
}

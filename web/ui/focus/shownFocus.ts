import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { focusText } from './focusText.ts';

/** The key of the address that a visit begins with. */
const FIRST = 'default';

/**
 * When a page shows something else than before, the keyboard and screen readers begin at its heading. `shown`: what, as
 * a text.
 */
export function useShownFocus(shown: string): void {
  const { key } = useLocation();
  const former = useRef(key === FIRST ? shown : null);
  useEffect(() => {
    if (former.current !== shown) {
      // Until it has loaded there is no heading.
      focusText(document.querySelector<HTMLElement>('h1') ?? document.querySelector('main'));
      scrollTo(0, 0);
    }
    former.current = shown;
  }, [shown]);
}

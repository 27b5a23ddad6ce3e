import { useEffect, useState } from 'react';
import { copyText } from './copyText.ts';

const COPIED_MS = 2_000;

export type CopyState = 'idle' | 'copied' | 'failed';

/** Copies to the clipboard, and says for two seconds that it has; that it could not, until the next attempt. */
export function useCopy(): { readonly state: CopyState; readonly copy: (text: string) => Promise<boolean> } {
  // An object, so that each attempt begins its own two seconds.
  const [outcome, setOutcome] = useState<{ readonly state: CopyState }>({ state: 'idle' });
  useEffect(() => {
    if (outcome.state !== 'copied') return;
    const timer = setTimeout(() => setOutcome({ state: 'idle' }), COPIED_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  return {
    state: outcome.state,
    copy: (text) =>
      copyText(text).then(
        () => {
          setOutcome({ state: 'copied' });
          return true;
        },
        () => {
          setOutcome({ state: 'failed' });
          return false;
        },
      ),
  };
}

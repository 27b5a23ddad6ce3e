import { useSyncExternalStore } from 'react';

const WIDE = '(min-width: 1024px)';

function follow(changed: () => void): () => void {
  const query = matchMedia(WIDE);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

/** Whether two columns fit side by side. */
export const useWide = (): boolean => useSyncExternalStore(follow, () => matchMedia(WIDE).matches);

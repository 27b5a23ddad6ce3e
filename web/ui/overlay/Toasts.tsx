import { createContext, type ReactNode, Suspense, useCallback, useContext, useState } from 'react';
import { lazily } from '../lazily.ts';
import type { ToastEntry, ToastText } from './toast.ts';

type Say = (kind: string, toast: ToastText | null) => void;

const SayContext = createContext<Say>(() => undefined);

const ToastViewport = lazily(() => import('./ToastViewport.tsx'), 'ToastViewport');

/** Around what may say something in passing. What shows it is fetched with the first thing said. */
export function Toasts({ children }: { children: ReactNode }) {
  const [entries, setEntries] = useState<readonly ToastEntry[]>([]);
  const [wanted, setWanted] = useState(false);
  const say = useCallback<Say>((kind, toast) => {
    setEntries((before) => [...before, { kind, toast }]);
    if (toast) setWanted(true);
  }, []);
  const shown = useCallback((count: number) => setEntries((all) => all.slice(count)), []);
  return (
    <SayContext value={say}>
      {children}
      {wanted && (
        <Suspense fallback={null}>
          <ToastViewport entries={entries} onShown={shown} />
        </Suspense>
      )}
    </SayContext>
  );
}

/** One at a time of a kind: what is said next takes the place of what was said before. */
export function useToasts(): Say {
  return useContext(SayContext);
}

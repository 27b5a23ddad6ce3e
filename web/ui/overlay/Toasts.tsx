import { createContext, type ReactNode, Suspense, useCallback, useContext, useState } from 'react';
import { lazily } from '../lazily.ts';
import type { ToastEntry, ToastText } from './toast.ts';

type Say = (kind: string, toast: ToastText | null) => void;

const SayContext = createContext<Say>(() => undefined);

const ToastViewport = lazily(() => import('./ToastViewport.tsx'), 'ToastViewport');

/** Provider of toasts. Their component is loaded with the first toast. */
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

/** One toast per kind: a new one replaces the previous one. */
export function useToasts(): Say {
  return useContext(SayContext);
}

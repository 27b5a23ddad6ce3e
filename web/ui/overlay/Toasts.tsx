import {
  createContext,
  type ReactNode,
  Suspense,
  startTransition,
  useCallback,
  useContext,
  useEffect,
  useState,
} from 'react';
import { lazily } from '../lazily.ts';
import type { ToastEntry, ToastText } from './toast.ts';

type Say = (kind: string, toast: ToastText | null) => void;

const SayContext = createContext<Say>(() => undefined);

const ToastViewport = lazily(() => import('./ToastViewport.tsx'), 'ToastViewport');

/** When the page is up: what a toast reports may be that the server cannot be reached. */
const LOADED_AFTER_MS = 1_000;

/** Provider of toasts. Their component is loaded soon after the page, or with the first toast. */
export function Toasts({ children }: { children: ReactNode }) {
  const [entries, setEntries] = useState<readonly ToastEntry[]>([]);
  const [wanted, setWanted] = useState(false);
  const say = useCallback<Say>((kind, toast) => {
    setEntries((before) => [...before, { kind, toast }]);
    if (toast) setWanted(true);
  }, []);
  useEffect(() => {
    const timer = setTimeout(() => startTransition(() => setWanted(true)), LOADED_AFTER_MS);
    return () => clearTimeout(timer);
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

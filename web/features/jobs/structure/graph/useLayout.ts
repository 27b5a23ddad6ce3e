import { useEffect, useState } from 'react';
import type { LaidOut } from './graph.worker.ts';
import type { LayoutInput } from './layout.ts';

export interface LayoutState {
  /** x and y of each page in turn; null at first. */
  readonly positions: Float32Array | null;
  readonly settled: boolean;
  readonly failed: boolean;
}

const NONE: LayoutState = { positions: null, settled: false, failed: false };

/** Lays out in a worker, which ends with it. With reduced motion only the settled layout is shown. */
export function useLayout(input: LayoutInput): LayoutState {
  const [state, setState] = useState<{ readonly of: LayoutInput; readonly layout: LayoutState }>();
  useEffect(() => {
    if (typeof Worker === 'undefined') return;
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const worker = new Worker(new URL('./graph.worker.ts', import.meta.url), { type: 'module' });
    const show = (layout: LayoutState): void => setState({ of: input, layout });
    worker.onmessage = ({ data }: MessageEvent<LaidOut>) => {
      if (data.settled || !isCalm) show({ ...data, failed: false });
      if (data.settled) worker.terminate();
    };
    worker.onerror = () => show({ ...NONE, failed: true });
    worker.postMessage(input);
    return () => worker.terminate();
  }, [input]);
  return state?.of === input ? state.layout : NONE;
}

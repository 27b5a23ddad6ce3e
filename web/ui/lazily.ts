/** Parts of the app that are fetched when they are first drawn, and what becomes of them while the server is away. */
import { lazy, type ReactNode, useSyncExternalStore } from 'react';

const TRY_EVERY_MS = 2_000;

let waiting = 0;
const listeners = new Set<() => void>();

function changeWaiting(by: number): void {
  waiting += by;
  for (const notify of listeners) notify();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** True while something that was asked for cannot be fetched, because the server does not answer. */
export const useServerAway = (): boolean => useSyncExternalStore(subscribe, () => waiting > 0);

/** Any answer will do. */
const answers = (): Promise<boolean> =>
  fetch(`${location.origin}/api/version`).then(
    () => true,
    () => false,
  );

/** Fetches a part at once or, with the server away, as soon as it is back. @throws what `load` throws although the server answers: the part is gone */
async function onceReachable<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    if (await answers()) throw error;
  }
  changeWaiting(1);
  try {
    do await new Promise((resolve) => setTimeout(resolve, TRY_EVERY_MS));
    while (!(await answers()));
    return await load();
  } catch {
    // Some browsers keep a failure, and a newer version may have come: the address is that of the wanted page already.
    location.reload();
    return await new Promise<never>(() => undefined);
  } finally {
    changeWaiting(-1);
  }
}

/** The component `name` of a module. */
export const lazily = <Name extends string, Props extends object>(load: () => Promise<Record<Name, (props: Props) => ReactNode>>, name: Name) =>
  lazy(() => onceReachable(load).then((module) => ({ default: module[name] })));

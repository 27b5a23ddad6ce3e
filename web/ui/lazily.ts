/** Lazily loaded parts of the app, with retries while the server is unreachable. */
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

/** True while a part cannot be loaded because the server is unreachable. */
export const useServerUnavailable = (): boolean => useSyncExternalStore(subscribe, () => waiting > 0);

/** Any response counts. */
const answers = (): Promise<boolean> =>
  fetch(`${location.origin}/api/version`).then(
    () => true,
    () => false,
  );

/**
 * Loads a part at once or, if the server is unreachable, as soon as it is back. @throws the error of `load` when the server responds: the part no
 * longer exists
 */
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
    // Some browsers cache a failed import, and a new version may be deployed; the address is already that of the requested page.
    location.reload();
    return await new Promise<never>(() => undefined);
  } finally {
    changeWaiting(-1);
  }
}

/** The component `name` of a module. */
export const lazily = <Name extends string, Props extends object>(load: () => Promise<Record<Name, (props: Props) => ReactNode>>, name: Name) =>
  lazy(() => onceReachable(load).then((module) => ({ default: module[name] })));

/** Lazily loaded parts of the app, with retries while the server is unreachable. */
import { lazy, type ReactNode, useSyncExternalStore } from 'react';

const TRY_EVERY_MS = 2_000;

/** One wait for all parts, so that they continue together; null while the server is reachable, as far as is known. */
let outage: Promise<void> | null = null;
const listeners = new Set<() => void>();

function setOutage(next: Promise<void> | null): void {
  outage = next;
  for (const notify of listeners) notify();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** True while a part cannot be loaded because the server is unreachable. */
export const useServerUnavailable = (): boolean => useSyncExternalStore(subscribe, () => outage !== null);

/** Any response counts. */
const answers = (): Promise<boolean> =>
  fetch(`${location.origin}/api/version`).then(
    () => true,
    () => false,
  );

async function untilAnswered(): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, TRY_EVERY_MS));
  while (!(await answers()));
  setOutage(null);
}

/**
 * Loads a part at once or, if the server is unreachable, as soon as it is back. @throws the error of `load` when the
 * server responds: the part no longer exists
 */
async function onceReachable<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    if (await answers()) throw error;
  }
  if (!outage) setOutage(untilAnswered());
  await outage;
  try {
    return await load();
  } catch {
    // Some browsers cache a failed import, and a new version may be deployed; the address is already that of the
    // requested page.
    location.reload();
    return await new Promise<never>(() => undefined);
  }
}

/** The component `name` of a module. */
export const lazily = <Name extends string, Props extends object>(
  load: () => Promise<Record<Name, (props: Props) => ReactNode>>,
  name: Name,
) => lazy(() => onceReachable(load).then((module) => ({ default: module[name] })));

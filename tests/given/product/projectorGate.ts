/**
 * The projector's way into the read models, which can be closed: what it commits meanwhile waits, and nothing of it is
 * seen.
 */
import type { ReadModels } from '../../../src/readModels/readModels.ts';

export type ProjectorGate = {
  /** For the projector. */
  readonly inside: ReadModels;
  /** For everybody who waits for it: while the gate is closed nothing arrives, so nobody waits. */
  readonly outside: ReadModels;
  close(): Promise<void>;
  open(): void;
};

export function projectorGate(readModels: ReadModels): ProjectorGate {
  let closed: { readonly until: Promise<void>; readonly open: () => void } | null = null;
  let committing: Promise<unknown> = Promise.resolve();
  const commit: ReadModels['commit'] = async (...committed) => {
    while (closed) await closed.until;
    const done = readModels.commit(...committed);
    committing = done.catch(() => undefined);
    return done;
  };
  const reached: ReadModels['reached'] = (models, position, ms) =>
    readModels.reached(models, position, closed ? 0 : ms);
  return {
    inside: Object.assign(Object.create(readModels), { commit }),
    outside: Object.assign(Object.create(readModels), { reached }),
    close: async () => {
      let open = (): void => undefined;
      const until = new Promise<void>((resolve) => {
        open = resolve;
      });
      closed = { until, open };
      await committing;
    },
    open: () => {
      closed?.open();
      closed = null;
    },
  };
}

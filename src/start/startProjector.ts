/**
 * The projector of a process: immediately if it is alone or, if several processes share the stores, as lease holder or
 * standby.
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { followParkedRetries } from '../projector/parkedRetries.ts';
import { runProjections } from '../projector/project.ts';
import { fencedReadModels } from '../readModels/fenced.ts';
import { type Leadership, whileLeading } from '../readModels/leadership.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import { READ_MODELS } from '../work/rules.ts';
import type { Stores } from './openStores.ts';
import { sleep } from './sleep.ts';

export type Projector = {
  /** Resolves when this process serves all models and they have caught up once. */
  readonly ready: Promise<void>;
  state(): 'leading' | 'standby' | 'stopped';
  /** Ends after the current batch and lets a standby take over. */
  stop(): Promise<void>;
};

/** Its holder may write the read models. */
export const PROJECTOR_LEASE = 'projector';

export function startProjector(
  { store, readModels, leases, marks }: Pick<Stores, 'store' | 'readModels' | 'leases' | 'marks'>,
  log: Logger,
): Projector {
  const stopping = new AbortController();
  let becameReady = (): void => undefined;
  const ready = new Promise<void>((resolve) => {
    becameReady = resolve;
  });

  async function project(signal: AbortSignal, target: ReadModels): Promise<void> {
    const running = runProjections({ store, readModels: target, projections: READ_MODELS, signal, now: Date.now, log });
    // A failure rejects `done`.
    running.ready.then(becameReady, () => undefined);
    await Promise.all([running.done, followParkedRetries({ projections: running, store, marks, signal, sleep, log })]);
  }

  if (!leases) {
    const done = project(stopping.signal, readModels).catch((error: unknown) =>
      log.error({ err: error }, 'the read models are no longer updated'),
    );
    return {
      ready,
      state: () => (stopping.signal.aborted ? 'stopped' : 'leading'),
      stop: async () => {
        stopping.abort();
        await done;
      },
    };
  }
  const leadership: Leadership = whileLeading(
    { leases, name: PROJECTOR_LEASE, owner: randomUUID(), signal: stopping.signal, log },
    (signal, held) => project(signal, fencedReadModels(readModels, held)),
  );
  return {
    ready,
    state: leadership.state,
    stop: async () => {
      stopping.abort();
      await leadership.done;
    },
  };
}

/** Waiting until models have reached a position: polls the checkpoints while anyone waits, once for all waiters. */

import { createReachedWaits } from '../reached.ts';
import type { Readable } from '../readable.ts';
import type { Position, ReadModels } from '../readModels.ts';
import type { MongoBuilds } from './mongoBuilds.ts';
import { createPause } from './mongoPause.ts';

export type MongoReached = {
  wait(models: readonly string[], position: Position, timeoutMs: number): Promise<boolean>;
  readAsOf: ReadModels['readAsOf'];
  /** Checkpoints known to this process have advanced; `isOwn`: by a commit of its own. */
  settle(how?: { readonly isOwn: boolean }): void;
  /** Another process is about to advance a checkpoint. */
  hurry(): void;
  close(): Promise<void>;
};

const SLOWER = 1.3;

/**
 * `pollMs`: initial polling interval; it grows to `idleMs` when waiting takes long. The process that commits knows
 * without asking: it polls at `idleMs`, in case another takes over.
 */
export function createMongoReached(
  builds: MongoBuilds,
  readable: Readable,
  options: { readonly pollMs: number; readonly idleMs: number },
): MongoReached {
  const checkpointOf = (model: string): Position | null => {
    const build = builds.find(model);
    return build && readable.can(model, build.definition) ? build.checkpoint : null;
  };
  const waits = createReachedWaits(checkpointOf);
  const pause = createPause();
  let looking: Promise<void> | null = null;
  let closed = false;
  let delay = options.pollMs;
  /** Since the last change that another process made. */
  let hasCommitted = false;

  async function look(): Promise<void> {
    while (waits.models().length > 0 && !closed) {
      // Waiters get their answer in time even if the database is unavailable.
      await builds.refreshReached(waits.models()).catch(() => undefined);
      waits.settle();
      if (waits.models().length === 0 || closed) break;
      await pause.wait(delay);
      delay = Math.min(options.idleMs, delay * SLOWER);
    }
    looking = null;
  }

  async function wait(models: readonly string[], position: Position, timeoutMs: number): Promise<boolean> {
    // A checkpoint only advances, so cached values suffice for a yes.
    if (models.every((model) => (checkpointOf(model) ?? '') >= position)) return true;
    if (!(timeoutMs > 0)) {
      await builds.refreshReached(models);
      return waits.wait(models, position, 0);
    }
    const reached = waits.wait(models, position, timeoutMs);
    delay = hasCommitted ? options.idleMs : options.pollMs;
    looking ??= look();
    return reached;
  }

  return {
    wait,
    readAsOf: async (models, position, timeoutMs, read) => {
      if (!(await wait(models, position, timeoutMs))) return null;
      // A collection's name is never reused.
      const serving = () => models.map((model) => builds.find(model)?.collection).join(' ');
      const before = serving();
      const answer = await read();
      await builds.refreshModel(...models);
      return serving() === before ? { answer } : null;
    },
    settle: ({ isOwn } = { isOwn: false }) => {
      hasCommitted ||= isOwn;
      waits.settle();
    },
    hurry: () => {
      hasCommitted = false;
      delay = options.pollMs;
      pause.end();
    },
    close: async () => {
      closed = true;
      waits.close();
      pause.end();
      await looking;
    },
  };
}

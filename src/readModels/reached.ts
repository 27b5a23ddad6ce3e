/**
 * Waiting until models have reached a position: a process that sees a checkpoint advance releases the waiters it
 * satisfies.
 */
import type { Position } from './readModels.ts';

export type ReachedWaits = {
  wait(models: readonly string[], position: Position, timeoutMs: number): Promise<boolean>;
  /** Call when a serving build's checkpoint has advanced. */
  settle(): void;
  /** What the remaining waiters wait for, each model once. */
  models(): readonly string[];
  close(): void;
};

type Wait = {
  readonly models: readonly string[];
  readonly position: Position;
  readonly done: (reached: boolean) => void;
};

export function createReachedWaits(checkpointOf: (model: string) => Position | null): ReachedWaits {
  const waits = new Set<Wait>();

  function isReached(models: readonly string[], position: Position): boolean {
    return models.every((model) => (checkpointOf(model) ?? '') >= position);
  }

  return {
    wait: (models, position, timeoutMs) => {
      if (isReached(models, position)) return Promise.resolve(true);
      if (!(timeoutMs > 0)) return Promise.resolve(false);
      return new Promise((resolve) => {
        const timer = setTimeout(() => wait.done(false), timeoutMs);
        const wait: Wait = {
          models,
          position,
          done: (reached) => {
            clearTimeout(timer);
            waits.delete(wait);
            resolve(reached);
          },
        };
        waits.add(wait);
      });
    },
    settle: () => {
      for (const wait of waits) if (isReached(wait.models, wait.position)) wait.done(true);
    },
    models: () => [...new Set([...waits].flatMap(({ models }) => models))],
    close: () => {
      for (const wait of waits) wait.done(false);
    },
  };
}

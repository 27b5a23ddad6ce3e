/** The projection loop on real stores, stopped after the test. */
import type { EventStore } from '../../../src/eventStore/eventStore.ts';
import type { AnyProjection } from '../../../src/projections/projection.ts';
import { type RunningProjections, runProjections } from '../../../src/projector/project.ts';
import type { ProjectionsOptions } from '../../../src/projector/projectionLoop.ts';
import type { ReadModels } from '../../../src/readModels/readModels.ts';

export type Projecting = RunningProjections & {
  /** Ends the loop as the process would. */
  stop(): Promise<void>;
  readonly logged: readonly { readonly level: string; readonly details: object; readonly message: string }[];
};

/** `now` is stopped; store failures are retried at once. */
export function projecting(
  store: EventStore,
  readModels: ReadModels,
  projections: readonly AnyProjection[],
  options: Partial<ProjectionsOptions> = {},
): Projecting {
  const stopping = new AbortController();
  const logged: { level: string; details: object; message: string }[] = [];
  const logAt = (level: string) => (details: object, message: string) => void logged.push({ level, details, message });
  const running = runProjections({
    store,
    readModels,
    projections,
    signal: stopping.signal,
    now: () => Date.parse('2026-01-01T00:01:00.000Z'),
    log: { info: logAt('info'), warn: logAt('warn'), error: logAt('error') },
    backoffMs: () => 0,
    ...options,
  });
  return {
    ...running,
    logged,
    stop: async () => {
      stopping.abort();
      await running.done;
    },
  };
}

/** The real store, with a hook that runs once between reading the last page of the log and its use. */
export function withLatePage(
  store: EventStore,
  meanwhile: () => Promise<unknown>,
): EventStore & { readonly happened: () => boolean } {
  let done = false;
  return new Proxy(store as EventStore & { readonly happened: () => boolean }, {
    get(target, name) {
      if (name === 'happened') return () => done;
      const value: unknown = Reflect.get(target, name);
      if (name !== 'readAll') return typeof value === 'function' ? value.bind(target) : value;
      return async (options: Parameters<EventStore['readAll']>[0]) => {
        const page = await target.readAll(options);
        if (page.end && page.events.length > 0 && !done) {
          done = true;
          await meanwhile();
        }
        return page;
      };
    },
  });
}

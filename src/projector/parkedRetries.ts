/**
 * Handles operators' retry requests for parked documents: the process that runs the projector follows these events and
 * retries.
 */
import { type EventStore, type Position, START } from '../eventStore/eventStore.ts';
import type { Marks } from '../readModels/claims.ts';
import type { RunningProjections } from './project.ts';

export type ParkedRetriesOptions = {
  readonly projections: Pick<RunningProjections, 'ready' | 'retryParked'>;
  readonly store: EventStore;
  readonly marks: Pick<Marks, 'read' | 'write'>;
  readonly signal: AbortSignal;
  /** Resolves after `ms`, or sooner when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly log: Readonly<Record<'info' | 'warn', (details: object, message: string) => void>>;
};

export const PARKED_RETRIES_MARK = 'parkedRetries';

const AGAIN_MS = 1_000;

/**
 * Runs until the signal aborts. Requests made while no projector was running are handled by the next one; after a lost
 * mark, requests are handled again, which is harmless. Never rejects.
 */
export async function followParkedRetries(options: ParkedRetriesOptions): Promise<void> {
  const { projections, marks, store, signal, sleep, log } = options;
  if (
    !(await projections.ready.then(
      () => true,
      () => false,
    ))
  )
    return;
  let after: Position | null = null;
  while (!signal.aborted) {
    try {
      after ??= await begin(marks, store);
      for await (const message of store.subscribe({ after, filter: { types: ['ParkedRetryAsked'] }, signal })) {
        if (message.kind === 'events') {
          for (const event of message.events)
            await retry(options, event.data as { readonly model: string; readonly documentId: string });
          after = message.events.at(-1)?.position ?? after;
        } else after = message.position;
        if (message.kind !== 'checkpoint') await marks.write(PARKED_RETRIES_MARK, after);
        if (signal.aborted) return;
      }
    } catch (error) {
      if (!signal.aborted)
        log.warn({ err: error }, 'retries requested for parked events could not be followed; retrying');
    }
    if (!signal.aborted) await sleep(AGAIN_MS, signal);
  }
}

/** A mark beyond the end belongs to a different log, which an older copy has replaced. */
async function begin(marks: Pick<Marks, 'read'>, store: EventStore): Promise<Position> {
  const mark = await marks.read(PARKED_RETRIES_MARK);
  return mark !== null && mark <= (await store.head()) ? mark : START;
}

async function retry(
  { projections, log }: ParkedRetriesOptions,
  { model, documentId }: { readonly model: string; readonly documentId: string },
): Promise<void> {
  try {
    const { retried, stillParked } = await projections.retryParked(model, documentId);
    if (retried > 0)
      log.info(
        { model, documentId, done: stillParked.length === 0 },
        'A parked document was retried, as an operator asked',
      );
  } catch (error) {
    // For example, a model that this version no longer has. The others must not wait for it.
    log.warn({ err: error, model, documentId }, 'a parked document could not be retried');
  }
}

/**
 * Work that takes seconds is done by a worker: a request enqueues it, waits briefly, and otherwise answers that it is
 * pending.
 */
import type { CommandContext } from '../../commands/context.ts';
import { type RequestedRework, requestRework } from '../../commands/rework/requestRework.ts';
import { DomainError } from '../../domain/decider.ts';
import type { ReworkSubject } from '../../domain/rework/rework.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import { getReworks, pendingRework, type Rework, type ReworksDocument } from '../../projections/reworks.ts';
import type { StoredDocument } from '../../readModels/readModels.ts';
import type { HttpDeps } from '../deps/deps.ts';
import { jobNotFound } from '../request/errors.ts';

export type ReworkAnswer = { readonly done: Rework; readonly position: Position } | { readonly pending: Rework };

/** From a request. `signal`: aborted when the client is gone. */
type RequestDeps = { readonly deps: HttpDeps; readonly command: CommandContext; readonly signal?: AbortSignal };

type Subject = { readonly jobId: string; readonly userId: string; readonly subject: ReworkSubject };

/**
 * Requests the work and waits for it, but only as long as a user would. `position`: where its results were written.
 * @throws DomainError if the work was given up; JOB_NOT_FOUND, JOB_NOT_FINISHED
 */
export async function reworkAnswer(request: RequestDeps, requested: Subject): Promise<ReworkAnswer> {
  const { deps, command } = request;
  const work = await requestRework(command, requested);
  const ended = await awaitDocument<ReworksDocument>(
    request,
    { model: 'reworks', id: requested.jobId, after: work.position },
    (data) => hasEnded(data, work),
  );
  // The audit was deleted in the meantime.
  if (ended === 'gone') throw jobNotFound();
  if (ended === null) return { pending: await pendingView(deps, requested, work, command.now()) };
  const rework = ended.data.reworks[work.reworkId];
  if (!rework) throw jobNotFound();
  if (rework.code !== null) throw new DomainError(rework.code, rework.error ?? '');
  return { done: rework, position: ended.position };
}

function hasEnded({ reworks }: ReworksDocument, { reworkId, ask }: RequestedRework): boolean {
  const rework = reworks[reworkId];
  return rework !== undefined && rework.ask >= ask && rework.status !== 'pending';
}

/** Built from the request, as the read model may not have it yet. */
async function pendingView(
  { readModels }: HttpDeps,
  { jobId, subject }: Subject,
  { reworkId, ask }: RequestedRework,
  now: string,
): Promise<Rework> {
  const known = (await getReworks(readModels, jobId))?.data.reworks[reworkId];
  return known && known.ask >= ask ? known : pendingRework({ reworkId, jobId, ask, askedAt: now }, subject);
}

type Waiting = { readonly deps: Pick<HttpDeps, 'readModels' | 'config'>; readonly signal?: AbortSignal };

/** `after`: read from this position, where the request was recorded. */
type Awaited = { readonly model: string; readonly id: string; readonly after: Position };

/**
 * Waits, as long as a user would, until the document satisfies `isDone`; null if that takes longer. `gone`: it was
 * deleted in the meantime.
 */
export async function awaitDocument<T extends object>(
  { deps, signal }: Waiting,
  { model, id, after }: Awaited,
  isDone: (data: T) => boolean,
): Promise<StoredDocument<T> | 'gone' | null> {
  const waiting = new AbortController();
  const stop = (): void => waiting.abort();
  const timer = setTimeout(stop, deps.config.reworkWaitMs);
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  try {
    // Watching starts before the read, so that no change is missed.
    const changes = deps.readModels.watch({ models: [model], after, signal: waiting.signal });
    const known = await deps.readModels.get<T>(model, id);
    if (known && isDone(known.data)) return known;
    for await (const change of changes) {
      if (change.id !== id) continue;
      if (change.data === null) return 'gone';
      const data = change.data as T;
      if (isDone(data)) return { id, position: change.position, data };
    }
    return null;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    stop();
  }
}

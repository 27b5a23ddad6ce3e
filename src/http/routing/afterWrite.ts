/** From a command to its answer: whatever is read for it includes what the command wrote. */
import type { Position } from '../../eventStore/eventStore.ts';
import type { ReadModels } from '../../readModels/readModels.ts';
import type { HttpDeps } from '../deps/deps.ts';
import { HttpError } from '../request/errors.ts';

const TIMEOUT_MS = 2_000;
const AGAIN_AFTER_SECONDS = '2';

/** What a client is told about a write whose answer cannot be shown yet. */
export type Made = {
  /** By name, such as `sequenceId`. */
  readonly ids: Readonly<Record<string, string>>;
  /** Where it will be shown: a path below `/api/v1`. */
  readonly location: string;
};

/**
 * All of the answer comes from the command's own result. `read` is what the client looks at next: it is waited for, but
 * not needed.
 */
type Answered<T> = { readonly position: Position; readonly answer: T };

/** `otherwise` is answered in place of what `read` returns while the read models are behind. */
type Otherwise<T> = { readonly position: Position; readonly otherwise: () => T | Promise<T> };

/** Only `read` can answer it. Null: nothing was written for this request, an earlier write is looked up. */
type Shown = { readonly position: Position; readonly made: Made | null };

/** In place of an answer that would not be true yet. */
export class NotShownYet extends HttpError {
  /** What the request has written; null if nothing. */
  readonly made: Made | null;
  constructor(made: Made | null) {
    super('NOT_SHOWN_YET', 'This was accepted and will be shown in a moment. Please try again.', {
      headers: { 'Retry-After': AGAIN_AFTER_SECONDS },
    });
    this.made = made;
  }
}

/**
 * The only way from a command to an answer. `read` queries the read models as of the write: each model it asks for is
 * waited for, for two seconds in all.
 * @throws NotShownYet if one of them is still behind and only `read` can answer; what `read` throws
 */
export function afterWrite<T>(
  deps: Deps,
  written: Answered<T>,
  read: (shown: ReadModels) => Promise<unknown>,
): Promise<T>;
export function afterWrite<T>(
  deps: Deps,
  written: Otherwise<T> | Shown,
  read: (shown: ReadModels) => Promise<T>,
): Promise<T>;
export async function afterWrite<T>(
  deps: Deps,
  written: Answered<T> | Otherwise<T> | Shown,
  read: (shown: ReadModels) => Promise<T>,
): Promise<T> {
  const behind = new NotShownYet('made' in written ? written.made : null);
  try {
    const shown = await read(readModelsAsOf(deps.readModels, written.position, behind));
    return 'answer' in written ? written.answer : shown;
  } catch (error) {
    if (error !== behind) throw error;
    deps.log.warn({ position: written.position }, 'read models are behind a write that is being answered');
    if ('answer' in written) return written.answer;
    if ('otherwise' in written) return written.otherwise();
    throw behind;
  }
}

type Deps = Pick<HttpDeps, 'readModels' | 'log'>;

/** The first query of each model waits until that has the position. @throws `behind` if it takes too long */
function readModelsAsOf(readModels: ReadModels, position: Position, behind: NotShownYet): ReadModels {
  const until = performance.now() + TIMEOUT_MS;
  const waits = new Map<string, Promise<boolean>>();
  let next: { readonly models: string[]; readonly wait: Promise<boolean> } | null = null;
  /** Models that are asked for at the same moment are waited for with one call. */
  function waitFor(model: string): Promise<boolean> {
    if (!next) {
      const models: string[] = [];
      const wait = Promise.resolve().then(() => {
        next = null;
        return readModels.reached(models, position, Math.max(0, until - performance.now()));
      });
      next = { models, wait };
    }
    next.models.push(model);
    return next.wait;
  }
  async function reached(model: string): Promise<void> {
    const wait = waits.get(model) ?? waitFor(model);
    waits.set(model, wait);
    if (!(await wait)) throw behind;
  }
  const queries: Pick<ReadModels, 'get' | 'getMany' | 'find' | 'count'> = {
    get: async (model, ...asked) => {
      await reached(model);
      return readModels.get(model, ...asked);
    },
    getMany: async (model, ...asked) => {
      await reached(model);
      return readModels.getMany(model, ...asked);
    },
    find: async (model, ...asked) => {
      await reached(model);
      return readModels.find(model, ...asked);
    },
    count: async (model, ...asked) => {
      await reached(model);
      return readModels.count(model, ...asked);
    },
  };
  return Object.assign(Object.create(readModels), queries);
}

/**
 * Reading from a build that another process may replace or drop at any moment: the serving build is then looked up
 * again.
 */
import { MongoServerError } from 'mongodb';
import type { Readable } from '../readable.ts';
import { freeze } from '../readCache.ts';
import type { DocumentState, Page, Query, ReadModels, StoredDocument } from '../readModels.ts';
import type { CurrentState } from '../watchers.ts';
import type { MongoBuild } from './mongoBuild.ts';
import type { MongoBuilds } from './mongoBuilds.ts';
import type { ReadStates } from './mongoContext.ts';
import { rowsOf, toDocument, toState } from './mongoDocuments.ts';
import { countChanged, countDocuments, findPage } from './mongoQuery.ts';

/** `isEmpty`: the result would also look like that if the build were gone. */
type Read<T> = (build: MongoBuild) => Promise<{ readonly answer: T; readonly isEmpty?: boolean }>;

export type MongoReading = Pick<ReadModels, 'get' | 'getMany' | 'states' | 'find' | 'count' | 'countChanged'> & {
  /** A document of the serving build, or its tombstone. */
  readState(model: string, id: string): Promise<CurrentState | null>;
};

/**
 * A replaced build is detected immediately once it is gone, and after this long if its collection was somehow
 * recreated.
 */
const KNOWN_MS = 1_000;
const MAX_ATTEMPTS = 4;

export function createMongoReading(builds: MongoBuilds, readable: Readable, readStates: ReadStates): MongoReading {
  /** Reads from the named build, or the serving one; `none` if there is no such build. */
  async function reading<T>(model: string, name: string | undefined, none: T, read: Read<T>): Promise<T> {
    await builds.atMostOld(KNOWN_MS);
    const known = builds.find(model, name);
    if (!known || (name === undefined && !readable.can(model, known.definition))) await builds.refreshModel(model);
    for (let attempt = 1; ; attempt++) {
      const build = builds.find(model, name);
      if (name === undefined) readable.check(model, build?.definition ?? null);
      if (!build) return none;
      const outcome = await read(build).catch((error: unknown) => ({ error }));
      const failed = 'error' in outcome;
      if (!failed && (!outcome.isEmpty || attempt === MAX_ATTEMPTS)) return outcome.answer;
      if (failed && (!(outcome.error instanceof MongoServerError) || attempt === MAX_ATTEMPTS)) throw outcome.error;
      await builds.refreshModel(model);
      const now = builds.find(model, name);
      const isSame = now?.collection === build.collection && now.record.definition === build.record.definition;
      if (!isSame) continue;
      if (failed) throw outcome.error;
      return outcome.answer;
    }
  }

  return {
    get: <T extends object>(model: string, id: string, name?: string) =>
      reading<StoredDocument<T> | null>(model, name, null, async (build) => {
        const row = (await rowsOf(build.documents, [id])).get(id);
        return row?.deleted === 0 ? { answer: freeze(toDocument<T>(row)) } : { answer: null, isEmpty: !row };
      }),
    getMany: <T extends object>(model: string, ids: readonly string[], name?: string) =>
      reading<readonly StoredDocument<T>[]>(model, name, [], async (build) => {
        const rows = await rowsOf(build.documents, ids);
        const found = ids.flatMap((id) => rows.get(id) ?? []);
        return {
          answer: freeze(found.filter((row) => row.deleted === 0).map((row) => toDocument<T>(row))),
          isEmpty: found.length < ids.length,
        };
      }),
    states: (model, ids, name) =>
      reading<readonly DocumentState[]>(model, name, [], async (build) => {
        const rows = await rowsOf(build.documents, ids);
        readStates.keep(build.collection, new Map(ids.map((id) => [id, rows.get(id) ?? null])));
        const found = ids.flatMap((id) => rows.get(id) ?? []);
        return {
          answer: found.map((row) =>
            row.deleted === 0 ? toDocument<object>(row) : { id: row._id, position: row.position, data: null },
          ),
        };
      }),
    find: <T extends object>(model: string, query: Query, name?: string) =>
      reading<Page<T>>(model, name, { documents: [], cursor: null }, async (build) => {
        const { page, endedEmpty } = await findPage<T>(build, query);
        return { answer: page, isEmpty: endedEmpty };
      }),
    count: (model, where, name) =>
      reading(model, name, 0, async (build) => {
        const answer = await countDocuments(build, where);
        return { answer, isEmpty: answer === 0 };
      }),
    countChanged: (model, { after, where, limit }) =>
      reading(model, undefined, 0, async (build) => {
        const answer = await countChanged(build, after, where, limit);
        return { answer, isEmpty: answer === 0 };
      }),
    readState: (model, id) =>
      reading<CurrentState | null>(model, undefined, null, async (build) => {
        const row = (await rowsOf(build.documents, [id])).get(id);
        return { answer: row ? toState(row) : null, isEmpty: !row };
      }),
  };
}

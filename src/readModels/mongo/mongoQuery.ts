/**
 * A plan as MongoDB filters: index scans only, one for each range of the result that begins after the cursor, each with
 * its index named.
 */
import type { Filter } from 'mongodb';
import { fieldOf, type ParsedCondition } from '../conditions.ts';
import { type Place, readCursor, writeCursor } from '../queryCursor.ts';
import { coveringPlan, mayFitTombstones, type Plan, planQuery } from '../queryPlan.ts';
import { freeze } from '../readCache.ts';
import type { Page, Position, Query, Scalar } from '../readModels.ts';
import type { MongoBuild } from './mongoBuild.ts';
import { type DocumentRecord, type DocumentRow, type Key, keyOf, toDocument, WITHOUT_KEYS } from './mongoDocuments.ts';
import { fieldPath, indexName, POSITION_INDEX, TOMBSTONE_INDEX } from './mongoIndexes.ts';

type Part = Filter<DocumentRecord>;
/** `constant`: how many of the sort fields have the same value in all of its documents and need no ordering. */
type Stretch = { readonly parts: readonly Part[]; readonly constant: number };

export type FoundPage<T extends object> = {
  readonly page: Page<T>;
  /** The last query found nothing, which is also how a build dropped meanwhile would look. */
  readonly endedEmpty: boolean;
};

/** @throws ReadModelError INVALID_QUERY, UNINDEXED_QUERY, INVALID_CURSOR, before anything is sent */
export async function findPage<T extends object>(build: MongoBuild, query: Query): Promise<FoundPage<T>> {
  const plan = planQuery(build.model, build.definition.indexes, query);
  const place = readCursor(build.model, query, plan.sort.length);
  const rows: DocumentRow[] = [];
  let endedEmpty = false;
  for (const stretch of stretchesAfter(plan, place)) {
    const missing = plan.limit + 1 - rows.length;
    if (missing === 0) break;
    const found = await findStretch(build, plan, stretch, missing);
    endedEmpty = found.length === 0;
    rows.push(...found);
  }
  const documents = rows.slice(0, plan.limit).map((row) => toDocument<T>(row));
  const last = rows.length > plan.limit ? documents.at(-1) : undefined;
  const values = plan.sort.map((field) =>
    field === 'position' ? (last?.position ?? '') : keyOf(fieldOf(last?.data ?? {}, field)),
  );
  return {
    page: freeze({ documents, cursor: last ? writeCursor(build.model, query, { values, id: last.id }) : null }),
    endedEmpty,
  };
}

export async function countDocuments(build: MongoBuild, where: Query['where']): Promise<number> {
  const plan = planQuery(build.model, build.definition.indexes, where ? { where } : {});
  const hint = plan.index.length === 0 ? POSITION_INDEX : indexName(plan.index);
  return build.documents.countDocuments(allOf([{ deleted: 0 }, ...plan.conditions.map(conditionFilter)]), { hint });
}

export type ChangedDocument = { readonly id: string; readonly position: Position };

/** Changes after a position, tombstones included, ordered by position. Uses an index on `where` if there is one. */
export async function changedSince(
  build: MongoBuild,
  after: Position,
  where: Query['where'],
  upTo?: Position,
): Promise<readonly ChangedDocument[]> {
  const found = await Promise.all(
    changedFilters(build, after, where, upTo).map(({ filter, hint }) =>
      build.documents
        .find<{ _id: string; position: Position }>(filter, {
          projection: { _id: 1, position: 1 },
          hint,
          batchSize: 10_000,
        })
        .toArray(),
    ),
  );
  return found
    .flat()
    .map(({ _id, position: at }) => ({ id: _id, position: at }))
    .sort((a, b) => (a.position < b.position ? -1 : a.position > b.position ? 1 : 0));
}

/** How many `changedSince` would list, counted up to a limit. */
export async function countChanged(
  build: MongoBuild,
  after: Position,
  where: Query['where'],
  limit: number,
): Promise<number> {
  const counted = await Promise.all(
    changedFilters(build, after, where).map(({ filter, hint }) =>
      build.documents.countDocuments(filter, { hint, limit }),
    ),
  );
  return Math.min(
    counted.reduce((sum, count) => sum + count, 0),
    limit,
  );
}

/** Of documents, and of tombstones. */
function changedFilters(
  build: MongoBuild,
  after: Position,
  where: Query['where'],
  upTo?: Position,
): readonly { readonly filter: Part; readonly hint: string }[] {
  const { indexes, tombstoneFields } = build.definition;
  const live = coveringPlan(build.model, indexes, where);
  const dead = coveringPlan(build.model, tombstoneFields.length > 0 ? [tombstoneFields] : [], where);
  const position = upTo === undefined ? { $gt: after } : { $gt: after, $lte: upTo };
  const filterOf = (deleted: 0 | 1, plan: Plan | null): Part =>
    allOf([{ deleted }, ...(plan?.conditions ?? []).map(conditionFilter), { position }]);
  const documents = { filter: filterOf(0, live), hint: live ? indexName(live.index) : POSITION_INDEX };
  if (!mayFitTombstones(tombstoneFields, where)) return [documents];
  return [documents, { filter: filterOf(1, dead), hint: dead ? TOMBSTONE_INDEX : POSITION_INDEX }];
}

function findStretch(build: MongoBuild, plan: Plan, stretch: Stretch, limit: number): Promise<DocumentRow[]> {
  const filter = allOf([{ deleted: 0 }, ...plan.conditions.map(conditionFilter), ...stretch.parts]);
  const order = plan.direction === 'asc' ? 1 : -1;
  const sort = Object.fromEntries(
    [...plan.sort.slice(stretch.constant).map(fieldPath), '_id'].map((path) => [path, order] as const),
  );
  // Requested in one batch, so that the result is from a single moment.
  const options = { projection: WITHOUT_KEYS, sort, limit, batchSize: limit + 1, hint: indexName(plan.index) };
  return build.documents.find<DocumentRow>(filter, options).toArray();
}

function allOf(parts: readonly Part[]): Part {
  return { $and: [...parts] };
}

function conditionFilter(condition: ParsedCondition): Part {
  const path = fieldPath(condition.field);
  if (condition.kind === 'equals') return { [path]: { $eq: keyOf(condition.value) } };
  if (condition.kind === 'in') return { [path]: { $in: condition.values.map(keyOf) } };
  // A comparison here only matches values of its own type.
  return { [path]: Object.fromEntries(condition.bounds.map(({ op, value }) => [COMPARISONS[op], keyOf(value)])) };
}

const COMPARISONS = { '>': '$gt', '>=': '$gte', '<': '$lt', '<=': '$lte' } as const;

/**
 * The results after the cursor, as ranges that are each one index scan, in order: the documents that share all sort
 * values but have a later id, then those that share all but the last, and so on.
 */
function stretchesAfter(plan: Plan, place: Place | null): readonly Stretch[] {
  if (!place) return [{ parts: [], constant: 0 }];
  const paths = [...plan.sort.map(fieldPath), '_id'];
  const values: readonly Scalar[] = [...place.values, place.id];
  const stretches: Stretch[] = [];
  for (let at = paths.length - 1; at >= 0; at--) {
    const same = paths.slice(0, at).map((path, before): Part => ({ [path]: { $eq: keyOf(values[before]) } }));
    const beyond = beyondFilter(paths[at] ?? '_id', keyOf(values[at]), plan.direction);
    if (beyond) stretches.push({ parts: [...same, ...beyond], constant: at });
  }
  return stretches;
}

/** All values beyond this one, of any type: null, then numbers, then texts. Null if there are none. */
function beyondFilter(path: string, value: Key, direction: 'asc' | 'desc'): readonly Part[] | null {
  if (direction === 'asc') {
    if (value === null) return [{ [path]: { $ne: null } }];
    return typeof value === 'string'
      ? [{ [path]: { $gt: value } }]
      : [{ [path]: { $not: { $lte: value } } }, { [path]: { $ne: null } }];
  }
  if (value === null) return null;
  if (path === '_id' || path === 'position') return [{ [path]: { $lt: value } }];
  return typeof value === 'string'
    ? [{ [path]: { $not: { $gte: value } } }]
    : [{ [path]: { $not: { $gte: value } } }, { [path]: { $not: { $gte: '' } } }];
}

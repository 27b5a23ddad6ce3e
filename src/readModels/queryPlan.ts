/**
 * Which index covers a query, and in which order it is read. A query not covered by any index is refused, so that no
 * page view ever scans a collection.
 */
import { invalid, isField, type ParsedCondition, parseWhere } from './conditions.ts';
import { type Query, ReadModelError } from './readModels.ts';

type Direction = 'asc' | 'desc';

export type Plan = {
  /** Fields of the chosen index; empty: by id. */
  readonly index: readonly string[];
  readonly conditions: readonly ParsedCondition[];
  /** Excludes fields that an equality makes constant. Ties are broken by id in the same direction. */
  readonly sort: readonly string[];
  readonly direction: Direction;
  readonly limit: number;
};

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1000;
const MAX_SORT = 4;

/** @throws ReadModelError INVALID_QUERY, UNINDEXED_QUERY */
export function planQuery(model: string, indexes: readonly (readonly string[])[], query: Query): Plan {
  const conditions = parseWhere(query.where);
  const limit = query.limit ?? DEFAULT_LIMIT;
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    throw invalid(`limit is a whole number from 1 to ${MAX_LIMIT}`);
  const { fields, direction } = parseSort(query.sort);
  const constant = new Set(
    conditions.filter((condition) => condition.kind === 'equals').map((condition) => condition.field),
  );
  const sort = fields.filter((field) => !constant.has(field));
  const index = coveringIndex(indexes, conditions, sort);
  if (!index) throw unindexed(model, conditions, sort);
  return { index, conditions, sort, direction, limit };
}

/** The plan for the conditions alone, if an index other than the position index serves them. */
export function coveringPlan(
  model: string,
  indexes: readonly (readonly string[])[],
  where: Query['where'],
): Plan | null {
  if (!where || Object.keys(where).length === 0) return null;
  try {
    const plan = planQuery(model, indexes, { where });
    return plan.index.length > 0 && plan.index[0] !== 'position' ? plan : null;
  } catch {
    return null;
  }
}

/** Whether deleted documents may fulfill the conditions: only `fields` are left of them. */
export function mayFitTombstones(fields: readonly string[], where: Query['where']): boolean {
  return parseWhere(where).every(
    (condition) => fields.includes(condition.field) || condition.kind !== 'equals' || condition.value === null,
  );
}

function parseSort(sort: Query['sort'] = []): { fields: readonly string[]; direction: Direction } {
  if (!Array.isArray(sort) || sort.length > MAX_SORT) throw invalid(`sort takes at most ${MAX_SORT} fields`);
  for (const term of sort) {
    if (!Array.isArray(term) || !isField(term[0]) || (term[1] !== 'asc' && term[1] !== 'desc'))
      throw invalid('a sort term is a field and asc or desc');
  }
  const fields = sort.map(([field]) => field);
  if (new Set(fields).size !== fields.length) throw invalid('a field is sorted by once');
  if (new Set(sort.map(([, direction]) => direction)).size > 1) throw invalid('all sort fields go in one direction');
  return { fields, direction: sort[0]?.[1] ?? 'asc' };
}

function coveringIndex(
  indexes: readonly (readonly string[])[],
  conditions: readonly ParsedCondition[],
  sort: readonly string[],
): readonly string[] | null {
  const points = new Set(
    conditions.filter((condition) => condition.kind !== 'range').map((condition) => condition.field),
  );
  const ranges = conditions.filter((condition) => condition.kind === 'range').map((condition) => condition.field);
  if (ranges.length > 1 || (ranges.length === 1 && sort.length > 0 && sort[0] !== ranges[0])) return null;
  const tail = ranges.length === 1 && sort.length === 0 ? ranges : sort.filter((field) => !points.has(field));
  const covering = [[], ['position'], ...indexes].filter(
    (index) =>
      index.slice(0, points.size).every((field) => points.has(field)) &&
      index.length >= points.size + tail.length &&
      tail.every((field, at) => index[points.size + at] === field),
  );
  return covering.reduce<readonly string[] | null>(
    (best, index) => (best === null || index.length < best.length ? index : best),
    null,
  );
}

function unindexed(model: string, conditions: readonly ParsedCondition[], sort: readonly string[]): ReadModelError {
  const where = conditions.map((condition) => `${condition.field} (${condition.kind})`).join(', ') || 'nothing';
  return new ReadModelError(
    'UNINDEXED_QUERY',
    `No index of ${model} covers: where ${where}; sort by ${sort.join(', ') || 'id'}.`,
  );
}

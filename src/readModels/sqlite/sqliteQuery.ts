/** A plan as SQL: index seeks only, one for each range of the result that begins after the cursor. */
import type Database from 'better-sqlite3';
import type { ParsedCondition } from '../conditions.ts';
import { type Place, readCursor, writeCursor } from '../queryCursor.ts';
import { coveringPlan, mayFitTombstones, type Plan, planQuery } from '../queryPlan.ts';
import type { Page, Position, Query, Scalar, StoredDocument } from '../readModels.ts';
import { type Build, fieldSql, indexName, objectOf, readingFields, tombstoneIndexName } from './sqliteBuild.ts';

type Sql = { readonly text: string; readonly values: readonly unknown[] };
type Counted = { readonly n: number };
/** `constant`: how many of the sort fields have the same value in all of its rows and need no ordering. */
type Stretch = Sql & { readonly constant: number };

const MAX_CACHED_STATEMENTS = 200;

export function findPage<T extends object>(db: Database.Database, build: Build, query: Query): Page<T> {
  const plan = planQuery(build.model, build.definition.indexes, query);
  const place = readCursor(build.model, query, plan.sort.length);
  // JSON captures the full meaning only of a query that was validated.
  const key = `find ${JSON.stringify(query)}`;
  const known = build.answers.get(key) as Page<T> | undefined;
  if (known) return known;
  const rows: Record<string, unknown>[] = [];
  for (const stretch of stretchesAfter(plan, place)) {
    const missing = plan.limit + 1 - rows.length;
    if (missing === 0) break;
    rows.push(...(run(db, build, selectSql(build, plan, stretch, missing)) as Record<string, unknown>[]));
  }
  const shown = rows.slice(0, plan.limit);
  const last = rows.length > plan.limit ? shown.at(-1) : undefined;
  const page: Page<T> = {
    documents: shown.map(
      (row) =>
        ({
          id: row.id as string,
          position: row.position as Position,
          data: objectOf(build, row.id as string, row.data as string | null) as T,
        }) satisfies StoredDocument<T>,
    ),
    cursor: last
      ? writeCursor(build.model, query, {
          values: plan.sort.map((_, at) => last[`k${at}`] as Scalar),
          id: last.id as string,
        })
      : null,
  };
  const chars = shown.reduce((sum, row) => sum + ((row.data as string | null)?.length ?? 0), 0);
  return build.answers.keep(key, page, chars);
}

export function countDocuments(db: Database.Database, build: Build, where: Query['where']): number {
  const plan = planQuery(build.model, build.definition.indexes, where ? { where } : {});
  const key = `count ${JSON.stringify(where)}`;
  const known = build.answers.get(key) as Counted | undefined;
  if (known) return known.n;
  const index = plan.index.length === 0 ? ['position'] : plan.index;
  const conditions = conditionsSql(plan.conditions);
  const text = `SELECT count(*) AS n FROM ${build.table} INDEXED BY ${indexName(build, index)} WHERE ${joined(['deleted = 0', conditions.text])}`;
  const [row] = run(db, build, { text, values: conditions.values }) as Counted[];
  return build.answers.keep(key, { n: row?.n ?? 0 }, 0).n;
}

/**
 * Ids of documents changed after a position, tombstones included, ordered by position. Uses an index on `where` if
 * there is one.
 */
export function changedSince(
  db: Database.Database,
  build: Build,
  after: Position,
  where: Query['where'],
): readonly { id: string; position: Position }[] {
  const rows = changedSqls(build, after, where).flatMap(
    (sql) => run(db, build, sql) as { id: string; position: Position }[],
  );
  return rows.sort((a, b) => (a.position < b.position ? -1 : a.position > b.position ? 1 : 0));
}

/** How many `changedSince` would list, counted up to a limit. */
export function countChanged(
  db: Database.Database,
  build: Build,
  after: Position,
  where: Query['where'],
  limit: number,
): number {
  return changedSqls(build, after, where).reduce((counted, { text, values }) => {
    const [row] = run(db, build, {
      text: `SELECT count(*) AS n FROM (${text} LIMIT ?)`,
      values: [...values, limit - counted],
    }) as Counted[];
    return counted + (row?.n ?? 0);
  }, 0);
}

/** Of documents, and of tombstones. */
function changedSqls(build: Build, after: Position, where: Query['where']): readonly Sql[] {
  const { indexes, tombstoneFields } = build.definition;
  const live = changedSql(build, after, coveringPlan(build.model, indexes, where), indexName, 0);
  if (!mayFitTombstones(tombstoneFields, where)) return [live];
  const tombstonePlan = coveringPlan(build.model, tombstoneFields.length > 0 ? [tombstoneFields] : [], where);
  return [live, changedSql(build, after, tombstonePlan, tombstoneIndexName, 1)];
}

function changedSql(
  build: Build,
  after: Position,
  plan: Plan | null,
  nameOf: (build: Build, fields: readonly string[]) => string,
  deleted: 0 | 1,
): Sql {
  const conditions = plan ? conditionsSql(plan.conditions) : { text: '', values: [] };
  const index = plan ? nameOf(build, plan.index) : indexName(build, ['position']);
  const filter = joined([`deleted = ${deleted}`, conditions.text, 'position > ?']);
  return {
    text: `SELECT id, position FROM ${build.table} INDEXED BY ${index} WHERE ${filter}`,
    values: [...conditions.values, after],
  };
}

function selectSql(build: Build, plan: Plan, stretch: Stretch, limit: number): Sql {
  const keys = plan.sort.map((field, at) => `, ${fieldSql(field)} AS k${at}`).join('');
  const order = [...plan.sort.slice(stretch.constant).map(fieldSql), 'id']
    .map((term) => `${term} ${plan.direction}`)
    .join(', ');
  const indexed = plan.index.length === 0 ? '' : ` INDEXED BY ${indexName(build, plan.index)}`;
  const conditions = conditionsSql(plan.conditions);
  const filter = joined(['deleted = 0', conditions.text, stretch.text]);
  return {
    text: `SELECT id, position, data${keys} FROM ${build.table}${indexed} WHERE ${filter} ORDER BY ${order} LIMIT ?`,
    values: [...conditions.values, ...stretch.values, limit],
  };
}

function conditionsSql(conditions: readonly ParsedCondition[]): Sql {
  const parts = conditions.map(conditionSql);
  return { text: joined(parts.map((part) => part.text)), values: parts.flatMap((part) => part.values) };
}

function conditionSql(condition: ParsedCondition): Sql {
  const field = fieldSql(condition.field);
  if (condition.kind === 'equals')
    return condition.value === null
      ? { text: `${field} IS NULL`, values: [] }
      : { text: `${field} = ?`, values: [stored(condition.value)] };
  if (condition.kind === 'in')
    return {
      text: `${field} IN (SELECT value FROM json_each(?))`,
      values: [JSON.stringify(condition.values.map(stored))],
    };
  const bounds = condition.bounds.map((bound) => `${field} ${bound.op} ?`);
  // Every number sorts before every text: an open end must not reach into the other type.
  const kind = typeof condition.bounds[0]?.value === 'string' ? `${field} >= ''` : `${field} < ''`;
  return { text: joined([...bounds, kind]), values: condition.bounds.map((bound) => bound.value) };
}

/**
 * The results after the cursor, as ranges that are each one index seek, in order: the rows that share all sort values
 * but have a later id, then those that share all but the last, and so on. Null is the lowest value, as in the index.
 */
function stretchesAfter(plan: Plan, place: Place | null): readonly Stretch[] {
  if (!place) return [{ text: '', values: [], constant: 0 }];
  const fields = [...plan.sort.map(fieldSql), 'id'];
  const values = [...place.values, place.id];
  const stretches: Stretch[] = [];
  for (let at = fields.length - 1; at >= 0; at--) {
    const same = fields.slice(0, at).map((field, before) => sameSql(field, values[before] ?? null));
    const sameText = same.map((part) => part.text);
    const sameValues = same.flatMap((part) => part.values);
    for (const beyond of beyondSql(fields[at] ?? 'id', values[at] ?? null, plan.direction)) {
      const constant = beyond.values.length === 0 && plan.direction === 'desc' ? at + 1 : at;
      stretches.push({ text: joined([...sameText, beyond.text]), values: [...sameValues, ...beyond.values], constant });
    }
  }
  return stretches;
}

function sameSql(field: string, value: Scalar): Sql {
  return value === null ? { text: `${field} IS NULL`, values: [] } : { text: `${field} = ?`, values: [value] };
}

function beyondSql(field: string, value: Scalar, direction: 'asc' | 'desc'): readonly Sql[] {
  if (direction === 'asc')
    return [value === null ? { text: `${field} IS NOT NULL`, values: [] } : { text: `${field} > ?`, values: [value] }];
  if (value === null) return [];
  const below = { text: `${field} < ?`, values: [value] };
  return field === 'id' || field === 'position' ? [below] : [below, { text: `${field} IS NULL`, values: [] }];
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' AND ');
}

function stored(value: Scalar): Exclude<Scalar, boolean> {
  return typeof value === 'boolean' ? Number(value) : value;
}

function run(db: Database.Database, build: Build, sql: Sql): unknown[] {
  let statement = build.queries.get(sql.text);
  if (!statement) {
    if (build.queries.size >= MAX_CACHED_STATEMENTS) build.queries.clear();
    statement = db.prepare<unknown[]>(sql.text);
    build.queries.set(sql.text, statement);
  }
  const prepared = statement;
  return readingFields(build, () => prepared.all(...sql.values));
}

/** The meaning of `where`: parsed and checked once, then matched against a document in memory (the filtered watch). */
import { type Condition, type Query, ReadModelError, type Scalar } from './readModels.ts';

type Bound = { readonly op: '>' | '>=' | '<' | '<='; readonly value: string | number };

export type ParsedCondition =
  | { readonly field: string; readonly kind: 'equals'; readonly value: Scalar }
  | { readonly field: string; readonly kind: 'in'; readonly values: readonly Exclude<Scalar, null>[] }
  | { readonly field: string; readonly kind: 'range'; readonly bounds: readonly Bound[] };

const FIELD = /^[A-Za-z_][A-Za-z0-9_]{0,63}(\.[A-Za-z_][A-Za-z0-9_]{0,63}){0,4}$/;
const OPERATORS: ReadonlyMap<string, Bound['op']> = new Map([
  ['gt', '>'],
  ['gte', '>='],
  ['lt', '<'],
  ['lte', '<='],
]);
const MAX_IN = 1000;

export function isField(name: unknown): name is string {
  return typeof name === 'string' && FIELD.test(name);
}

/** @throws ReadModelError INVALID_QUERY */
export function parseWhere(where: Query['where'] = {}): readonly ParsedCondition[] {
  return Object.entries(where).map(([field, condition]) => {
    if (!isField(field)) throw invalid(`"${field}" is no field name`);
    return parseCondition(field, condition);
  });
}

function parseCondition(field: string, condition: Condition): ParsedCondition {
  if (isScalar(condition)) {
    if (field === 'position' && typeof condition !== 'string') throw invalid('a position is compared with a position');
    return { field, kind: 'equals', value: condition };
  }
  if (typeof condition !== 'object' || Array.isArray(condition)) throw invalid(`${field}: no condition`);
  const entries = Object.entries(condition).filter(([, value]) => value !== undefined);
  const [first] = entries;
  if (first?.[0] === 'in' && entries.length === 1) return { field, kind: 'in', values: parseIn(field, first[1]) };
  const bounds = entries.map(([name, value]): Bound => {
    const op = OPERATORS.get(name);
    if (!op) throw invalid(`${field}: "${name}" cannot be asked here`);
    if (typeof value !== 'string' && !(typeof value === 'number' && Number.isFinite(value)))
      throw invalid(`${field}: a bound is text or a number`);
    return { op, value };
  });
  const kinds = new Set(bounds.map((bound) => typeof bound.value));
  if (kinds.size !== 1) throw invalid(`${field}: a range needs bounds of one kind`);
  if (field === 'position' && !kinds.has('string')) throw invalid('a position is compared with a position');
  return { field, kind: 'range', bounds };
}

function parseIn(field: string, values: unknown): readonly Exclude<Scalar, null>[] {
  if (!Array.isArray(values) || values.length > MAX_IN)
    throw invalid(`${field}: "in" takes a list of at most ${MAX_IN} values`);
  for (const value of values)
    if (!isScalar(value) || value === null) throw invalid(`${field}: "in" takes texts, numbers and truth values`);
  return values;
}

function isScalar(value: unknown): value is Scalar {
  return (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    (typeof value === 'number' && Number.isFinite(value))
  );
}

export function invalid(why: string): ReadModelError {
  return new ReadModelError('INVALID_QUERY', `The query is not valid: ${why}.`);
}

/**
 * Whether a document matches. As in the store: true equals 1, a missing field equals null, a range matches only values
 * of its own type.
 */
export function matches(conditions: readonly ParsedCondition[], data: object, position: string): boolean {
  return conditions.every((condition) => {
    const value = condition.field === 'position' ? position : plain(fieldOf(data, condition.field));
    if (condition.kind === 'equals') return value === plain(condition.value);
    if (condition.kind === 'in') return condition.values.some((wanted) => plain(wanted) === value);
    return condition.bounds.every(
      (bound) => typeof value === typeof bound.value && holds(compare(value as string | number, bound.value), bound.op),
    );
  });
}

/** The value at a path; null if absent. */
export function fieldOf(data: object, path: string): unknown {
  let value: unknown = data;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name)) return null;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

function plain(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value ?? null;
}

/** Compares texts by code point, as the store does. */
function compare(a: string | number, b: string | number): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return Number(a) - Number(b);
}

function holds(order: number, op: Bound['op']): boolean {
  if (op === '>') return order > 0;
  if (op === '>=') return order >= 0;
  return op === '<' ? order < 0 : order <= 0;
}

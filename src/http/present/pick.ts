/** What may leave the server: only what the contract names. */
import type * as z from 'zod';
import type { DeepReadonly } from '../../model/deepReadonly.ts';

type Pick = (value: unknown) => unknown;

const picks = new WeakMap<z.ZodType, Pick>();

/**
 * Copies what the contract's schema names, in its order, at any depth; nothing else of a document can leave. Values are
 * not validated. The schema is compiled once.
 * @throws TypeError if an object is where the schema has a plain value, or if a value fits no member of a union
 */
export function picked<Schema extends z.ZodType>(
  schema: Schema,
  value: DeepReadonly<z.output<Schema>>,
): z.output<Schema> {
  let pick = picks.get(schema);
  if (!pick) {
    pick = pickOf(schema);
    picks.set(schema, pick);
  }
  return pick(value) as z.output<Schema>;
}

function pickOf(schema: z.core.$ZodType): Pick {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return ofObject(Object.entries(def.shape).map(([name, field]) => [name, pickOf(field)]));
    case 'array': {
      const pick = pickOf(def.element);
      return (values) => (values as readonly unknown[]).map(pick);
    }
    case 'record': {
      const pick = pickOf(def.valueType);
      return (value) => Object.fromEntries(Object.entries(value as object).map(([name, entry]) => [name, pick(entry)]));
    }
    case 'nullable': {
      const pick = pickOf(def.innerType);
      return (value) => (value === null ? null : pick(value));
    }
    case 'optional':
    case 'readonly':
      return pickOf(def.innerType);
    case 'union':
      return ofUnion(def.options);
    case 'unknown':
      return (value) => value;
    default:
      return plain;
  }
}

function plain(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) throw new TypeError('The contract has no object here');
  return value;
}

function ofObject(fields: readonly (readonly [name: string, pick: Pick])[]): Pick {
  return (value) => {
    const given = value as Readonly<Record<string, unknown>>;
    const copy: Record<string, unknown> = {};
    for (const [name, pick] of fields) {
      const field = given[name];
      if (field !== undefined) copy[name] = pick(field);
    }
    return copy;
  };
}

/** Members that are objects are told apart by their literals and required fields. */
function ofUnion(options: readonly z.core.$ZodType[]): Pick {
  const members = options.map((option) => ({ fits: fitsOf(option), pick: pickOf(option) }));
  return (value) => {
    const member = members.find(({ fits }) => fits(value));
    if (!member) throw new TypeError('The contract has no such value here');
    return member.pick(value);
  };
}

function fitsOf(schema: z.core.$ZodType): (value: unknown) => boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
    typeof value === 'object' && value !== null;
  if (def.type !== 'object') return (value) => !isObject(value);
  const fields = Object.entries(def.shape).map(([name, field]) => {
    const { def: own } = (field as z.core.$ZodTypes)._zod;
    const literals: readonly unknown[] | null = own.type === 'literal' ? own.values : null;
    return { name, literals, required: own.type !== 'optional' };
  });
  return (value) =>
    isObject(value) &&
    fields.every(({ name, literals, required }) =>
      literals ? literals.includes(value[name]) : !required || value[name] !== undefined,
    );
}

/** The fields of a stored event at any depth, derived from its schema. */
import type * as z from 'zod';

/** `choice`: one of `choices`. `anything`: any JSON value. */
export type FieldKind = 'text' | 'time' | 'date' | 'number' | 'yesNo' | 'choice' | 'anything';

export type StoredField = {
  /** `items.evidence.url`: lists are traversed without a mark. */
  readonly path: string;
  /** The path with lists marked: `items[].evidence[].url`. */
  readonly label: string;
  readonly kind: FieldKind;
  readonly choices: readonly string[];
  readonly isList: boolean;
  /** A map with string keys. */
  readonly isRecord: boolean;
  readonly isOptional: boolean;
  readonly isNullable: boolean;
};

type Around = Omit<StoredField, 'kind' | 'choices'>;

const BARE: Omit<Around, 'path' | 'label'> = { isList: false, isRecord: false, isOptional: false, isNullable: false };

/** In schema order; a field that several union members have appears once. */
export function storedFields(schema: z.ZodType): readonly StoredField[] {
  const byPath = new Map<string, StoredField>();
  for (const field of fieldsIn(schema, { path: '', label: '', ...BARE })) {
    const former = byPath.get(field.path);
    byPath.set(field.path, former ? { ...field, choices: [...new Set([...former.choices, ...field.choices])] } : field);
  }
  return [...byPath.values()];
}

function fieldsIn(schema: z.core.$ZodType, around: Around): readonly StoredField[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).flatMap(([name, field]) =>
        fieldsIn(field, { ...BARE, ...inside(around, name) }),
      );
    case 'array':
      return fieldsIn(def.element, { ...around, isList: true });
    case 'record':
      return fieldsIn(def.valueType, { ...around, isRecord: true });
    case 'union':
      return def.options.flatMap((option) => fieldsIn(option, around));
    case 'optional':
      return fieldsIn(def.innerType, { ...around, isOptional: true });
    case 'nullable':
      return fieldsIn(def.innerType, { ...around, isNullable: true });
    case 'readonly':
      return fieldsIn(def.innerType, around);
    case 'enum':
      return [{ ...around, kind: 'choice', choices: Object.values(def.entries).map(String) }];
    case 'literal':
      return [{ ...around, kind: 'choice', choices: def.values.map(String) }];
    default:
      return [{ ...around, kind: plainKind(def), choices: [] }];
  }
}

function inside({ path, label, isList }: Around, name: string): Pick<Around, 'path' | 'label'> {
  return path === ''
    ? { path: name, label: name }
    : { path: `${path}.${name}`, label: `${label}${isList ? '[]' : ''}.${name}` };
}

function plainKind(def: z.core.$ZodTypes['_zod']['def']): FieldKind {
  if (def.type === 'number') return 'number';
  if (def.type === 'boolean') return 'yesNo';
  if (def.type !== 'string') return 'anything';
  if (!('format' in def)) return 'text';
  return def.format === 'datetime' ? 'time' : def.format === 'date' ? 'date' : 'text';
}

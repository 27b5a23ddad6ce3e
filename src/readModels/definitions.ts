/**
 * The part of a model's definition that a store keeps, validated: needed after a restart, before the projections are
 * loaded.
 */
import { isField } from './conditions.ts';
import { type ModelDefinition, ReadModelError } from './readModels.ts';

export type StoredDefinition = {
  readonly indexes: readonly (readonly string[])[];
  readonly tombstoneFields: readonly string[];
  readonly isBulky?: true;
  /** Absent: 1. */
  readonly shape?: number;
};

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

function isName(name: unknown): name is string {
  return typeof name === 'string' && NAME.test(name);
}

/** @throws ReadModelError INVALID_DEFINITION */
export function storedDefinition(definition: ModelDefinition, build: string): StoredDefinition {
  const refuse = (why: string) => new ReadModelError('INVALID_DEFINITION', `Model ${definition.name}: ${why}.`);
  if (!isName(definition.name)) throw refuse('its name is letters, digits, _ and -');
  for (const index of definition.indexes) {
    if (index.length === 0 || index.length > 8 || !index.every(isField))
      throw refuse(`no index: ${JSON.stringify(index)}`);
    if (new Set(index).size !== index.length) throw refuse(`an index names a field twice: ${JSON.stringify(index)}`);
  }
  const tombstoneFields = definition.tombstoneFields ?? [];
  if (!tombstoneFields.every((field) => isField(field) && field !== 'position'))
    throw refuse('tombstoneFields are names of fields');
  if (!isName(build)) throw refuse("its build's name is letters, digits, _ and -");
  const { indexes, isBulky, shape = 1 } = definition;
  return { indexes, tombstoneFields, ...(isBulky ? { isBulky } : {}), ...(shape === 1 ? {} : { shape }) };
}

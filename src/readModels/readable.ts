/**
 * Whether this process can read what serves: another version of the program may have built a model, or not have it.
 * Then a read is refused, because an empty list or a document of another shape would be a wrong answer.
 */
import type { StoredDefinition } from './definitions.ts';
import { type ModelDefinition, ReadModelError } from './readModels.ts';

export type Readable = {
  /** `definition`: of the serving build; null: none serves. */
  can(model: string, definition: StoredDefinition | null): boolean;
  /** @throws ReadModelError READ_MODELS_UNAVAILABLE */
  check(model: string, definition: StoredDefinition | null): void;
};

/** Models that are not listed can always be read. */
export function createReadable(models: readonly ModelDefinition[]): Readable {
  const shapes = new Map(models.map(({ name, shape }) => [name, shape ?? 1]));

  function can(model: string, definition: StoredDefinition | null): boolean {
    const shape = shapes.get(model);
    return shape === undefined || (definition !== null && (definition.shape ?? 1) === shape);
  }

  return {
    can,
    check: (model, definition) => {
      if (can(model, definition)) return;
      throw new ReadModelError(
        'READ_MODELS_UNAVAILABLE',
        definition === null
          ? `The read model ${model} has not been built yet.`
          : `The read model ${model} was built by another version of the program. Upgrade the projector and this process to the same version.`,
      );
    },
  };
}

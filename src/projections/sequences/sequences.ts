/** Email sequences, for the list and for finding those that an event triggers. */
import type { SequenceTrigger } from '../../model/sequences.ts';
import type { Page, ReadModels, StoredDocument } from '../../readModels/readModels.ts';
import { projection } from '../projection.ts';

export type SequenceDocument = {
  readonly sequenceId: string;
  readonly name: string;
  readonly description: string;
  readonly trigger: SequenceTrigger;
  readonly isActive: boolean;
  readonly activatedAt: string | null;
  readonly createdAt: string;
  readonly templates: number;
};

export const sequences = projection<SequenceDocument>()({
  name: 'sequences',
  version: 1,
  indexes: [['createdAt'], ['trigger', 'isActive']],
  keys: ({ data }) => [data.sequenceId],
  on: {
    SequenceCreated: (_, { data }) => ({ ...data, isActive: false, activatedAt: null, templates: 0 }),
    SequenceEdited: (sequence, { data: { name, description, trigger } }) =>
      sequence && { ...sequence, name, description, trigger },
    SequenceActivated: (sequence, { data }) =>
      sequence && { ...sequence, isActive: true, activatedAt: data.activatedAt },
    SequenceDeactivated: (sequence) => sequence && { ...sequence, isActive: false, activatedAt: null },
    SequenceTemplateAdded: (sequence) => sequence && { ...sequence, templates: sequence.templates + 1 },
    SequenceTemplateRemoved: (sequence) => sequence && { ...sequence, templates: sequence.templates - 1 },
    SequenceDeleted: () => null,
  },
});

export function getSequence(
  readModels: ReadModels,
  sequenceId: string,
): Promise<StoredDocument<SequenceDocument> | null> {
  return readModels.get('sequences', sequenceId);
}

/** Oldest first. */
export function listSequences(
  readModels: ReadModels,
  page: { readonly limit: number; readonly cursor?: string },
): Promise<Page<SequenceDocument>> {
  return readModels.find<SequenceDocument>('sequences', { sort: [['createdAt', 'asc']], ...page });
}

/** More than anyone creates for one trigger. */
const MOST_ACTIVE = 500;

/** Ids of the active sequences with this trigger. */
export async function listActiveSequences(
  readModels: ReadModels,
  trigger: SequenceTrigger,
): Promise<readonly string[]> {
  const { documents } = await readModels.find<SequenceDocument>('sequences', {
    where: { trigger, isActive: true },
    limit: MOST_ACTIVE,
  });
  return documents.map(({ data }) => data.sequenceId);
}

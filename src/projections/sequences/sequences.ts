/** Email sequences, for the list and for finding those that an event triggers. */
import type { SequenceEvent } from '../../domain/sequence/events.ts';
import type { SequenceTrigger } from '../../model/sequences.ts';
import type { Page, ReadModels, StoredDocument } from '../../readModels/readModels.ts';
import type { Projection } from '../projection.ts';

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

type Taken = Exclude<SequenceEvent, { readonly type: 'SequenceTemplateChanged' | 'SequenceTestAsked' }>;

export const sequences: Projection<SequenceDocument, Taken> = {
  name: 'sequences',
  version: 1,
  indexes: [['createdAt'], ['trigger', 'isActive']],
  handles: [
    'SequenceCreated',
    'SequenceEdited',
    'SequenceActivated',
    'SequenceDeactivated',
    'SequenceTemplateAdded',
    'SequenceTemplateRemoved',
    'SequenceDeleted',
  ],
  keys: (event) => [event.data.sequenceId],
  evolve(document, event) {
    switch (event.type) {
      case 'SequenceCreated':
        return { ...event.data, isActive: false, activatedAt: null, templates: 0 };
      case 'SequenceEdited': {
        const { name, description, trigger } = event.data;
        return document && { ...document, name, description, trigger };
      }
      case 'SequenceActivated':
        return document && { ...document, isActive: true, activatedAt: event.data.activatedAt };
      case 'SequenceDeactivated':
        return document && { ...document, isActive: false, activatedAt: null };
      case 'SequenceTemplateAdded':
        return document && { ...document, templates: document.templates + 1 };
      case 'SequenceTemplateRemoved':
        return document && { ...document, templates: document.templates - 1 };
      case 'SequenceDeleted':
        return null;
      default:
        event satisfies never;
        return document;
    }
  },
};

export function getSequence(readModels: ReadModels, sequenceId: string): Promise<StoredDocument<SequenceDocument> | null> {
  return readModels.get('sequences', sequenceId);
}

/** Oldest first. */
export function listSequences(readModels: ReadModels, page: { readonly limit: number; readonly cursor?: string }): Promise<Page<SequenceDocument>> {
  return readModels.find<SequenceDocument>('sequences', { sort: [['createdAt', 'asc']], ...page });
}

/** More than anyone creates for one trigger. */
const MOST_ACTIVE = 500;

/** Ids of the active sequences with this trigger. */
export async function listActiveSequences(readModels: ReadModels, trigger: SequenceTrigger): Promise<readonly string[]> {
  const { documents } = await readModels.find<SequenceDocument>('sequences', { where: { trigger, isActive: true }, limit: MOST_ACTIVE });
  return documents.map(({ data }) => data.sequenceId);
}

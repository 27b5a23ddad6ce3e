/** The templates of sequences, each under its own id. */
import type { SequenceEvent, SequenceTemplate } from '../../domain/sequence/events.ts';
import type { ReadModels, StoredDocument } from '../../readModels/readModels.ts';
import type { Projection } from '../projection.ts';

export type SequenceTemplateDocument = SequenceTemplate & { readonly sequenceId: string };

type Taken = Extract<SequenceEvent, { readonly type: 'SequenceTemplateAdded' | 'SequenceTemplateChanged' | 'SequenceTemplateRemoved' | 'SequenceDeleted' }>;

export const sequenceTemplates: Projection<SequenceTemplateDocument, Taken> = {
  name: 'sequenceTemplates',
  version: 1,
  indexes: [['sequenceId', 'stepNumber']],
  handles: ['SequenceTemplateAdded', 'SequenceTemplateChanged', 'SequenceTemplateRemoved', 'SequenceDeleted'],
  keys: (event) => (event.type === 'SequenceDeleted' ? event.data.templateIds : [event.data.templateId]),
  evolve(document, event) {
    switch (event.type) {
      case 'SequenceTemplateAdded': {
        const { addedAt: _, ...template } = event.data;
        return template;
      }
      case 'SequenceTemplateChanged': {
        const { changedAt: _, ...template } = event.data;
        return template;
      }
      case 'SequenceTemplateRemoved':
      case 'SequenceDeleted':
        return null;
      default:
        event satisfies never;
        return document;
    }
  },
};

export function getSequenceTemplate(readModels: ReadModels, templateId: string): Promise<StoredDocument<SequenceTemplateDocument> | null> {
  return readModels.get('sequenceTemplates', templateId);
}

/** Exceeds the limit per sequence. */
const ALL = 100;

/** In step order. */
export async function listSequenceTemplates(readModels: ReadModels, sequenceId: string): Promise<readonly SequenceTemplateDocument[]> {
  const { documents } = await readModels.find<SequenceTemplateDocument>('sequenceTemplates', {
    where: { sequenceId },
    sort: [['stepNumber', 'asc']],
    limit: ALL,
  });
  return documents.map(({ data }) => data);
}

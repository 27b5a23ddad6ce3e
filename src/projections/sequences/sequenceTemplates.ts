/** The templates of sequences, each under its own id. Deleted ones stay as long as their sequence, so that the figures can name them. */
import type { SequenceEvent, SequenceTemplate } from '../../domain/sequence/events.ts';
import type { ReadModels, StoredDocument } from '../../readModels/readModels.ts';
import type { Projection } from '../projection.ts';

/** `version`: 1 as it was added; each change is the next. */
export type SequenceTemplateDocument = SequenceTemplate & { readonly sequenceId: string; readonly version: number; readonly isDeleted: boolean };

type Taken = Extract<SequenceEvent, { readonly type: 'SequenceTemplateAdded' | 'SequenceTemplateChanged' | 'SequenceTemplateRemoved' | 'SequenceDeleted' }>;

export const sequenceTemplates: Projection<SequenceTemplateDocument, Taken> = {
  name: 'sequenceTemplates',
  version: 3,
  indexes: [['sequenceId', 'isDeleted', 'stepNumber']],
  handles: ['SequenceTemplateAdded', 'SequenceTemplateChanged', 'SequenceTemplateRemoved', 'SequenceDeleted'],
  keys: (event) => (event.type === 'SequenceDeleted' ? [] : [event.data.templateId]),
  evolve(document, event) {
    switch (event.type) {
      case 'SequenceTemplateAdded': {
        const { addedAt: _, ...template } = event.data;
        return { ...template, version: 1, isDeleted: false };
      }
      case 'SequenceTemplateChanged': {
        const { changedAt: _, ...template } = event.data;
        return { ...template, version: (document?.version ?? 1) + 1, isDeleted: false };
      }
      case 'SequenceTemplateRemoved':
        return document && { ...document, isDeleted: true };
      case 'SequenceDeleted':
        return null;
      default:
        event satisfies never;
        return document;
    }
  },
  // It does not name the templates that were deleted before it.
  deletes: (event) => (event.type === 'SequenceDeleted' ? { field: 'sequenceId', values: [event.data.sequenceId] } : null),
};

/** Null if there is none, or if it was deleted. */
export async function getSequenceTemplate(readModels: ReadModels, templateId: string): Promise<StoredDocument<SequenceTemplateDocument> | null> {
  const template = await readModels.get<SequenceTemplateDocument>('sequenceTemplates', templateId);
  return template?.data.isDeleted ? null : template;
}

/** Exceeds the limit per sequence, and what anyone deletes from one. */
const ALL = 500;

/** In step order: those that the sequence has, or those deleted from it. */
export async function listSequenceTemplates(
  readModels: ReadModels,
  sequenceId: string,
  { isDeleted = false }: { readonly isDeleted?: boolean } = {},
): Promise<readonly SequenceTemplateDocument[]> {
  const { documents } = await readModels.find<SequenceTemplateDocument>('sequenceTemplates', {
    where: { sequenceId, isDeleted },
    sort: [['stepNumber', 'asc']],
    limit: ALL,
  });
  return documents.map(({ data }) => data);
}

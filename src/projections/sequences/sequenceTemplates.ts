/**
 * The templates of sequences, each under its own id. Deleted ones stay as long as their sequence, so that the figures
 * can name them.
 */
import type { SequenceTemplate } from '../../domain/sequence/events.ts';
import type { ReadModels, StoredDocument } from '../../readModels/readModels.ts';
import { projection } from '../projection.ts';

/** `version`: 1 as it was added; each change is the next. */
export type SequenceTemplateDocument = SequenceTemplate & {
  readonly sequenceId: string;
  readonly version: number;
  readonly isDeleted: boolean;
};

export const sequenceTemplates = projection<SequenceTemplateDocument>()({
  name: 'sequenceTemplates',
  version: 3,
  indexes: [['sequenceId', 'isDeleted', 'stepNumber']],
  keys: (event) => (event.type === 'SequenceDeleted' ? [] : [event.data.templateId]),
  on: {
    SequenceTemplateAdded: (_document, { data }) => {
      const { addedAt: _, ...template } = data;
      return { ...template, version: 1, isDeleted: false };
    },
    SequenceTemplateChanged: (document, { data }) => {
      const { changedAt: _, ...template } = data;
      return { ...template, version: (document?.version ?? 1) + 1, isDeleted: false };
    },
    SequenceTemplateRemoved: (document) => document && { ...document, isDeleted: true },
    SequenceDeleted: () => null,
  },
  // It does not name the templates that were deleted before it.
  deletes: (event) =>
    event.type === 'SequenceDeleted' ? { field: 'sequenceId', values: [event.data.sequenceId] } : null,
});

/** Null if there is none, or if it was deleted. */
export async function getSequenceTemplate(
  readModels: ReadModels,
  templateId: string,
): Promise<StoredDocument<SequenceTemplateDocument> | null> {
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

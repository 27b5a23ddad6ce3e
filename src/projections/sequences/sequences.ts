/**
 * What admins edit: email sequences, for the list and for finding those that an event triggers. Each document holds its
 * templates, as there are few of them and no page shows one without its sequence.
 */
import type { SequenceTemplate } from '../../domain/sequence/events.ts';
import { sequenceIdOf } from '../../domain/sequence/sequence.ts';
import { ascending } from '../../model/order.ts';
import type { SequenceTrigger } from '../../model/sequences.ts';
import type { Page, ReadModels, StoredDocument } from '../../readModels/readModels.ts';
import { projection } from '../projection.ts';

/** `version`: 1 as it was added; each change is the next. */
export type SequenceTemplateDocument = SequenceTemplate & {
  readonly sequenceId: string;
  readonly version: number;
  readonly isDeleted: boolean;
};

export type SequenceDocument = {
  readonly sequenceId: string;
  readonly name: string;
  readonly description: string;
  readonly trigger: SequenceTrigger;
  readonly isActive: boolean;
  readonly activatedAt: string | null;
  readonly createdAt: string;
  /** In the order they were added. Deleted ones stay, so that the figures can name them. */
  readonly templates: readonly SequenceTemplateDocument[];
};

export const sequences = projection<SequenceDocument>()({
  name: 'sequences',
  version: 2,
  shape: 2,
  indexes: [['createdAt'], ['trigger', 'isActive']],
  keys: ({ data }) => [data.sequenceId],
  on: {
    SequenceCreated: (_, { data }) => ({ ...data, isActive: false, activatedAt: null, templates: [] }),
    SequenceEdited: (sequence, { data: { name, description, trigger } }) =>
      sequence && { ...sequence, name, description, trigger },
    SequenceActivated: (sequence, { data }) =>
      sequence && { ...sequence, isActive: true, activatedAt: data.activatedAt },
    SequenceDeactivated: (sequence) => sequence && { ...sequence, isActive: false, activatedAt: null },
    SequenceTemplateAdded: (sequence, { data: { addedAt: _, ...template } }) =>
      sequence && {
        ...sequence,
        templates: [...sequence.templates, { ...template, version: 1, isDeleted: false }],
      },
    SequenceTemplateChanged: (sequence, { data: { changedAt: _, ...template } }) =>
      sequence &&
      withTemplate(sequence, template.templateId, ({ version }) => ({
        ...template,
        version: version + 1,
        isDeleted: false,
      })),
    SequenceTemplateRemoved: (sequence, { data }) =>
      sequence && withTemplate(sequence, data.templateId, (template) => ({ ...template, isDeleted: true })),
    SequenceDeleted: () => null,
  },
});

function withTemplate(
  sequence: SequenceDocument,
  templateId: string,
  changed: (template: SequenceTemplateDocument) => SequenceTemplateDocument,
): SequenceDocument {
  const templates = sequence.templates.map((each) => (each.templateId === templateId ? changed(each) : each));
  return { ...sequence, templates };
}

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

/** A sequence's templates in step order, without the deleted ones. */
export const templatesOf = (sequence: SequenceDocument): readonly SequenceTemplateDocument[] =>
  inStepOrder(sequence).filter(({ isDeleted }) => !isDeleted);

/** Those deleted from a sequence, in the order of the steps that they were. */
export const deletedTemplatesOf = (sequence: SequenceDocument): readonly SequenceTemplateDocument[] =>
  inStepOrder(sequence).filter(({ isDeleted }) => isDeleted);

const inStepOrder = ({ templates }: SequenceDocument): readonly SequenceTemplateDocument[] =>
  templates.toSorted((a, b) => a.stepNumber - b.stepNumber || ascending(a.templateId, b.templateId));

/** Null if there is none, or if it was deleted. */
export async function getSequenceTemplate(
  readModels: ReadModels,
  templateId: string,
): Promise<SequenceTemplateDocument | null> {
  const sequenceId = sequenceIdOf(templateId);
  if (sequenceId === null) return findTemplate(readModels, templateId);
  const sequence = await getSequence(readModels, sequenceId);
  return sequence ? templateIn(sequence.data, templateId) : null;
}

const templateIn = (sequence: SequenceDocument, templateId: string): SequenceTemplateDocument | null =>
  templatesOf(sequence).find((template) => template.templateId === templateId) ?? null;

const PAGE = 100;

/** One that was made before ids of templates named their sequence. */
async function findTemplate(readModels: ReadModels, templateId: string): Promise<SequenceTemplateDocument | null> {
  for (let cursor: string | null = null; ; ) {
    const page: Page<SequenceDocument> = await listSequences(readModels, {
      limit: PAGE,
      ...(cursor === null ? {} : { cursor }),
    });
    for (const { data } of page.documents) {
      const found = templateIn(data, templateId);
      if (found) return found;
    }
    if (page.cursor === null) return null;
    cursor = page.cursor;
  }
}

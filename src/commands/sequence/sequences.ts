/** Editing of email sequences by admins. Template contents are validated by the callers. */
import { type SequenceTemplate, sequenceStream } from '../../domain/sequence/events.ts';
import { type SequenceCommand, sequenceDecider, templateIdIn } from '../../domain/sequence/sequence.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { SequenceTrigger } from '../../model/sequences.ts';
import type { CommandContext } from '../context.ts';
import { derivedId, derivedSuffix } from '../derivedId.ts';
import { handle } from '../handle.ts';

type Described = { readonly name: string; readonly description: string; readonly trigger: SequenceTrigger };
type Written = { readonly position: Position };
type InSequence = { readonly sequenceId: string };
type TemplateFields = Omit<SequenceTemplate, 'templateId'>;

/** The command without the fields added here. */
type Given<Type extends SequenceCommand['type']> = Omit<
  Extract<SequenceCommand, { readonly type: Type }>,
  'type' | 'at'
>;

const on = (ctx: CommandContext, sequenceId: string, command: SequenceCommand): Promise<Written> =>
  handle(ctx, sequenceDecider, sequenceStream(sequenceId), command);

export async function createSequence(ctx: CommandContext, input: Described): Promise<Written & InSequence> {
  const sequenceId = derivedId(ctx.commandId, 'sequence');
  const { position } = await on(ctx, sequenceId, {
    type: 'CreateSequence',
    sequenceId,
    ...input,
    templates: [],
    at: ctx.now(),
  });
  return { sequenceId, position };
}

/** @throws DomainError SEQUENCE_NOT_FOUND, SEQUENCE_ACTIVE, SEQUENCE_EMPTY */
export function editSequence(
  ctx: CommandContext,
  { sequenceId, ...changes }: InSequence & Given<'EditSequence'>,
): Promise<Written> {
  return on(ctx, sequenceId, { type: 'EditSequence', ...changes, at: ctx.now() });
}

/** Stops all of its emails. @throws DomainError SEQUENCE_NOT_FOUND */
export function deleteSequence(ctx: CommandContext, { sequenceId }: InSequence): Promise<Written> {
  return on(ctx, sequenceId, { type: 'DeleteSequence', at: ctx.now() });
}

type NewTemplate = Omit<TemplateFields, 'stepNumber'> & { readonly stepNumber?: number };

/** @throws DomainError SEQUENCE_NOT_FOUND, STEP_TAKEN, TOO_MANY_TEMPLATES */
export async function addTemplate(
  ctx: CommandContext,
  { sequenceId, ...template }: InSequence & NewTemplate,
): Promise<Written & { readonly templateId: string }> {
  const templateId = templateIdIn(sequenceId, derivedSuffix(ctx.commandId, sequenceId, 'template'));
  const { position } = await on(ctx, sequenceId, { type: 'AddTemplate', templateId, ...template, at: ctx.now() });
  return { templateId, position };
}

type InTemplate = InSequence & { readonly templateId: string };

/** @throws DomainError SEQUENCE_NOT_FOUND, TEMPLATE_NOT_FOUND, TEMPLATE_CHANGED, STEP_TAKEN */
export function changeTemplate(
  ctx: CommandContext,
  { sequenceId, ...changes }: InSequence & Given<'ChangeTemplate'>,
): Promise<Written> {
  return on(ctx, sequenceId, { type: 'ChangeTemplate', ...changes, at: ctx.now() });
}

/** Enrollments waiting for it continue with the next step. @throws DomainError SEQUENCE_NOT_FOUND */
export function removeTemplate(ctx: CommandContext, { sequenceId, templateId }: InTemplate): Promise<Written> {
  return on(ctx, sequenceId, { type: 'RemoveTemplate', templateId, at: ctx.now() });
}

/** An email to the requesting admin follows. @throws DomainError SEQUENCE_NOT_FOUND, TEMPLATE_NOT_FOUND */
export function requestTestMail(
  ctx: CommandContext,
  { sequenceId, templateId, userId }: InTemplate & { readonly userId: string },
): Promise<Written> {
  return on(ctx, sequenceId, { type: 'AskTest', templateId, userId, at: ctx.now() });
}

/** Creates it with its templates, unless one with this key exists or existed. Returns whether it was created. */
export async function seedSequence(
  ctx: CommandContext,
  {
    key,
    templates,
    ...sequence
  }: Described & { readonly key: string; readonly templates: readonly Omit<TemplateFields, 'isActive'>[] },
): Promise<boolean> {
  const sequenceId = derivedId('seeded sequence', key);
  const own = templates.map((template) => ({
    ...template,
    isActive: true,
    templateId: derivedId(sequenceId, 'template', String(template.stepNumber)),
  }));
  const { events } = await handle(ctx, sequenceDecider, sequenceStream(sequenceId), {
    type: 'CreateSequence',
    sequenceId,
    ...sequence,
    templates: own,
    at: ctx.now(),
  });
  return events.length > 0;
}

/** A series of emails as written by admins: its content, and whether it is sent. */
import { SEQUENCE_LIMITS, type SequenceTrigger } from '../../model/sequences.ts';
import { type Decider, DomainError, unreachable } from '../decider.ts';
import type { SequenceEvent, SequenceTemplate } from './events.ts';

/** Version 1 is the template as it was added; each change is the next. */
type WrittenTemplate = SequenceTemplate & { readonly version: number };

export type ThereSequence = {
  readonly status: 'there';
  readonly sequenceId: string;
  readonly name: string;
  readonly description: string;
  readonly trigger: SequenceTrigger;
  readonly isActive: boolean;
  /** In step order. */
  readonly templates: readonly WrittenTemplate[];
};
export type SequenceState = { readonly status: 'none' } | ThereSequence | { readonly status: 'deleted' };

type Description = { readonly name: string; readonly description: string; readonly trigger: SequenceTrigger };
type TemplateFields = Omit<SequenceTemplate, 'templateId'>;

/** `at` is the time of the command, UTC ISO. */
export type SequenceCommand =
  /** Created with its initial templates; only once, never again after a deletion. */
  | ({
      readonly type: 'CreateSequence';
      readonly sequenceId: string;
      readonly templates: readonly SequenceTemplate[];
      readonly at: string;
    } & Description)
  /** Absent fields stay unchanged. */
  | ({ readonly type: 'EditSequence'; readonly isActive?: boolean; readonly at: string } & Partial<Description>)
  /** Without a `stepNumber`, it becomes the last step. */
  | ({
      readonly type: 'AddTemplate';
      readonly templateId: string;
      readonly stepNumber?: number;
      readonly at: string;
    } & Omit<TemplateFields, 'stepNumber'>)
  /** `basedOn`: the version that was edited; without it: whichever is the newest. */
  | ({
      readonly type: 'ChangeTemplate';
      readonly templateId: string;
      readonly basedOn?: number;
      readonly at: string;
    } & Partial<TemplateFields>)
  | { readonly type: 'RemoveTemplate'; readonly templateId: string; readonly at: string }
  | { readonly type: 'AskTest'; readonly templateId: string; readonly userId: string; readonly at: string }
  | { readonly type: 'DeleteSequence'; readonly at: string };

type Command<Type extends SequenceCommand['type']> = Extract<SequenceCommand, { readonly type: Type }>;

/**
 * `random`: hex. A template's id begins with its sequence's, so that it says which stream the template is in. Ids of
 * templates made before do not.
 */
export const templateIdIn = (sequenceId: string, random: string): string => `${sequenceId}.${random}`;

/** Null for an id that does not say it. */
export const sequenceIdOf = (templateId: string): string | null => /^([^.]+)\.[0-9a-f]+$/.exec(templateId)?.[1] ?? null;

function evolve(state: SequenceState, event: SequenceEvent): SequenceState {
  if (event.type === 'SequenceCreated') {
    const { createdAt: _, ...sequence } = event.data;
    return { status: 'there', ...sequence, isActive: false, templates: [] };
  }
  return state.status === 'there' ? evolveThere(state, event) : state;
}

function evolveThere(
  state: ThereSequence,
  event: Exclude<SequenceEvent, { readonly type: 'SequenceCreated' }>,
): SequenceState {
  switch (event.type) {
    case 'SequenceEdited': {
      const { name, description, trigger } = event.data;
      return { ...state, name, description, trigger };
    }
    case 'SequenceActivated':
      return { ...state, isActive: true };
    case 'SequenceDeactivated':
      return { ...state, isActive: false };
    case 'SequenceTemplateAdded': {
      const { sequenceId: _, addedAt: __, ...template } = event.data;
      return withTemplates(state, [...state.templates, { ...template, version: 1 }]);
    }
    case 'SequenceTemplateChanged': {
      const { sequenceId: _, changedAt: __, ...template } = event.data;
      return withTemplates(
        state,
        state.templates.map((each) =>
          each.templateId === template.templateId ? { ...template, version: each.version + 1 } : each,
        ),
      );
    }
    case 'SequenceTemplateRemoved':
      return withTemplates(
        state,
        state.templates.filter(({ templateId }) => templateId !== event.data.templateId),
      );
    case 'SequenceTestAsked':
      return state;
    case 'SequenceDeleted':
      return { status: 'deleted' };
    default:
      event satisfies never;
      return state;
  }
}

const withTemplates = (state: ThereSequence, templates: readonly WrittenTemplate[]): ThereSequence => ({
  ...state,
  templates: templates.toSorted((a, b) => a.stepNumber - b.stepNumber),
});

function decide(command: SequenceCommand, state: SequenceState): readonly SequenceEvent[] {
  switch (command.type) {
    case 'CreateSequence':
      return state.status === 'none' ? create(command) : [];
    case 'EditSequence':
      return edit(command, there(state));
    case 'AddTemplate':
      return addTemplate(command, there(state));
    case 'ChangeTemplate':
      return changeTemplate(command, there(state));
    case 'RemoveTemplate': {
      const { sequenceId, templates } = there(state);
      const { templateId, at } = command;
      const known = templates.some((template) => template.templateId === templateId);
      return known ? [{ type: 'SequenceTemplateRemoved', data: { sequenceId, templateId, removedAt: at } }] : [];
    }
    case 'AskTest': {
      const { sequenceId, templates } = there(state);
      const { templateId, userId, at } = command;
      return [
        {
          type: 'SequenceTestAsked',
          data: { sequenceId, templateId: templateOf(templates, templateId).templateId, userId, askedAt: at },
        },
      ];
    }
    case 'DeleteSequence': {
      if (state.status === 'deleted') return [];
      const { sequenceId, templates } = there(state);
      return [
        {
          type: 'SequenceDeleted',
          data: { sequenceId, templateIds: templates.map(({ templateId }) => templateId), deletedAt: command.at },
        },
      ];
    }
    default:
      return unreachable(command);
  }
}

export const sequenceDecider: Decider<SequenceState, SequenceCommand, SequenceEvent> = {
  initialState: () => ({ status: 'none' }),
  evolve,
  decide,
};

function create({
  sequenceId,
  name,
  description,
  trigger,
  templates,
  at,
}: Command<'CreateSequence'>): readonly SequenceEvent[] {
  return [
    { type: 'SequenceCreated', data: { sequenceId, name, description, trigger, createdAt: at } },
    ...templates.map(
      (template) => ({ type: 'SequenceTemplateAdded', data: { sequenceId, ...template, addedAt: at } }) as const,
    ),
  ];
}

function edit({ isActive, at, ...command }: Command<'EditSequence'>, state: ThereSequence): readonly SequenceEvent[] {
  const { sequenceId } = state;
  const { name = state.name, description = state.description, trigger = state.trigger } = command;
  const events: SequenceEvent[] = [];
  // Users already enrolled were enrolled under the old trigger, and the admin was not asked about enrolling users under
  // the new one.
  if (trigger !== state.trigger && state.isActive && isActive !== false) {
    throw new DomainError('SEQUENCE_ACTIVE', 'Turn the sequence off before you change when it starts.');
  }
  if (isActive === false && state.isActive)
    events.push({ type: 'SequenceDeactivated', data: { sequenceId, deactivatedAt: at } });
  if (name !== state.name || description !== state.description || trigger !== state.trigger) {
    events.push({ type: 'SequenceEdited', data: { sequenceId, name, description, trigger, editedAt: at } });
  }
  if (isActive === true && !state.isActive) {
    if (!state.templates.some((template) => template.isActive))
      throw new DomainError('SEQUENCE_EMPTY', 'Add an active template before you turn the sequence on.');
    events.push({ type: 'SequenceActivated', data: { sequenceId, activatedAt: at } });
  }
  return events;
}

function addTemplate(
  { type: _, at, ...fields }: Command<'AddTemplate'>,
  { sequenceId, templates }: ThereSequence,
): readonly SequenceEvent[] {
  if (templates.some(({ templateId }) => templateId === fields.templateId)) return [];
  if (templates.length >= SEQUENCE_LIMITS.templates) {
    throw new DomainError('TOO_MANY_TEMPLATES', `A sequence has at most ${SEQUENCE_LIMITS.templates} templates.`);
  }
  const stepNumber = fields.stepNumber ?? (templates.at(-1)?.stepNumber ?? 0) + 1;
  requireFree(templates, stepNumber, null);
  return [{ type: 'SequenceTemplateAdded', data: { sequenceId, ...fields, stepNumber, addedAt: at } }];
}

function changeTemplate(
  { type: _, at, basedOn, ...fields }: Command<'ChangeTemplate'>,
  { sequenceId, templates }: ThereSequence,
): readonly SequenceEvent[] {
  const { version, ...before } = templateOf(templates, fields.templateId);
  const template: SequenceTemplate = { ...before, ...fields };
  const isSame = (Object.keys(template) as (keyof SequenceTemplate)[]).every(
    (field) => template[field] === before[field],
  );
  // Also when the answer to the same change was lost, whatever version that was based on.
  if (isSame) return [];
  if (basedOn !== undefined && basedOn !== version)
    throw new DomainError(
      'TEMPLATE_CHANGED',
      `Version ${version} was saved while you were editing version ${basedOn}. Compare the two before you save yours.`,
    );
  requireFree(templates, template.stepNumber, template.templateId);
  return [{ type: 'SequenceTemplateChanged', data: { sequenceId, ...template, changedAt: at } }];
}

function requireFree(templates: readonly SequenceTemplate[], stepNumber: number, ownId: string | null): void {
  if (!templates.some((template) => template.stepNumber === stepNumber && template.templateId !== ownId)) return;
  throw new DomainError('STEP_TAKEN', `Another template of this sequence is step ${stepNumber} already.`);
}

function there(state: SequenceState): ThereSequence {
  if (state.status !== 'there') throw sequenceNotFound();
  return state;
}

function templateOf(templates: readonly WrittenTemplate[], templateId: string): WrittenTemplate {
  const template = templates.find((each) => each.templateId === templateId);
  if (!template) throw templateNotFound();
  return template;
}

export const sequenceNotFound = (): DomainError => new DomainError('SEQUENCE_NOT_FOUND', 'There is no such sequence.');
export const templateNotFound = (): DomainError => new DomainError('TEMPLATE_NOT_FOUND', 'There is no such template.');

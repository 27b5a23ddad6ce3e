import { describe, expect, it } from 'vitest';
import type { SequenceEvent } from '../../../src/domain/sequence/events.ts';
import { sequenceDecider } from '../../../src/domain/sequence/sequence.ts';
import { SEQUENCE_LIMITS } from '../../../src/model/sequences.ts';
import { specOf } from '../../given/decider.ts';
import { template } from '../../given/sequences.ts';

const at = '2026-03-10T12:00:00.000Z';
const given = specOf(sequenceDecider);
const sequenceId = 's';
const created: SequenceEvent = {
  type: 'SequenceCreated',
  data: { sequenceId, name: 'Welcome', description: '', trigger: 'sign_up', createdAt: at },
};
const added = (stepNumber: number, more: object = {}): SequenceEvent => ({
  type: 'SequenceTemplateAdded',
  data: { sequenceId, ...template(stepNumber, more), addedAt: at },
});
const activated: SequenceEvent = { type: 'SequenceActivated', data: { sequenceId, activatedAt: at } };
const deactivated: SequenceEvent = { type: 'SequenceDeactivated', data: { sequenceId, deactivatedAt: at } };
const deleted: SequenceEvent = { type: 'SequenceDeleted', data: { sequenceId, templateIds: [], deletedAt: at } };
const { stepNumber: _, ...withoutStep } = template(1);

describe('a sequence', () => {
  const create = {
    type: 'CreateSequence',
    sequenceId,
    name: 'Welcome',
    description: '',
    trigger: 'sign_up',
    templates: [template(1)],
    at,
  } as const;

  it('is created once, with its trigger, and never again after its deletion', () => {
    given().when(create).then(created, added(1));
    given(created).when(create).thenNothing();
    given(created, deleted).when(create).thenNothing();
  });

  it('records an edit only if something changes', () => {
    given(created)
      .when({ type: 'EditSequence', description: 'For new users', at })
      .then({
        type: 'SequenceEdited',
        data: { sequenceId, name: 'Welcome', description: 'For new users', trigger: 'sign_up', editedAt: at },
      });
    given(created).when({ type: 'EditSequence', name: 'Welcome', at }).thenNothing();
    given().when({ type: 'EditSequence', name: 'X', at }).thenRefused('SEQUENCE_NOT_FOUND');
    given(created, deleted).when({ type: 'EditSequence', name: 'X', at }).thenRefused('SEQUENCE_NOT_FOUND');
  });

  it('can be enabled only with an active template, and disabled at any time', () => {
    const on = { type: 'EditSequence', isActive: true, at } as const;
    given(created).when(on).thenRefused('SEQUENCE_EMPTY');
    given(created, added(1, { isActive: false }))
      .when(on)
      .thenRefused('SEQUENCE_EMPTY');
    given(created, added(1)).when(on).then(activated);
    given(created, added(1), activated).when(on).thenNothing();
    given(created, added(1), activated).when({ type: 'EditSequence', isActive: false, at }).then(deactivated);
    given(created).when({ type: 'EditSequence', isActive: false, at }).thenNothing();
  });

  it('changes its trigger only while it is disabled', () => {
    const change = { type: 'EditSequence', trigger: 'first_analysis', at } as const;
    given(created, added(1), activated).when(change).thenRefused('SEQUENCE_ACTIVE');
    const edited: SequenceEvent = {
      type: 'SequenceEdited',
      data: { sequenceId, name: 'Welcome', description: '', trigger: 'first_analysis', editedAt: at },
    };
    given(created, added(1), activated, deactivated).when(change).then(edited);
    given(created, added(1), activated)
      .when({ ...change, isActive: false })
      .then(deactivated, edited);
  });

  it('is deleted once', () => {
    given(created, added(1))
      .when({ type: 'DeleteSequence', at })
      .then({ type: 'SequenceDeleted', data: { sequenceId, templateIds: ['template-1'], deletedAt: at } });
    given(created, deleted).when({ type: 'DeleteSequence', at }).thenNothing();
  });
});

describe('a template', () => {
  it('becomes the last step, unless it names a free one', () => {
    const add = { type: 'AddTemplate', ...withoutStep, templateId: 'new', at } as const;
    given(created)
      .when(add)
      .then(added(1, { ...withoutStep, templateId: 'new' }));
    given(created, added(4))
      .when(add)
      .then(added(5, { ...withoutStep, templateId: 'new' }));
    given(created, added(4))
      .when({ ...add, stepNumber: 4 })
      .thenRefused('STEP_TAKEN');
    given(created, added(1))
      .when({ ...add, templateId: 'template-1' })
      .thenNothing();
    const full = Array.from({ length: SEQUENCE_LIMITS.templates }, (_each, nth) => added(nth + 1));
    given(created, ...full)
      .when(add)
      .thenRefused('TOO_MANY_TEMPLATES');
  });

  it('is changed only if something changes, and only to a free step', () => {
    given(created, added(1))
      .when({ type: 'ChangeTemplate', templateId: 'template-1', subject: 'Hello', at })
      .then({
        type: 'SequenceTemplateChanged',
        data: { sequenceId, ...template(1, { subject: 'Hello' }), changedAt: at },
      });
    given(created, added(1))
      .when({ type: 'ChangeTemplate', templateId: 'template-1', stepNumber: 1, at })
      .thenNothing();
    given(created, added(1), added(2))
      .when({ type: 'ChangeTemplate', templateId: 'template-1', stepNumber: 2, at })
      .thenRefused('STEP_TAKEN');
    given(created)
      .when({ type: 'ChangeTemplate', templateId: 'template-1', name: 'X', at })
      .thenRefused('TEMPLATE_NOT_FOUND');
  });

  it('is not changed over a version that was saved meanwhile', () => {
    const theirs: SequenceEvent = {
      type: 'SequenceTemplateChanged',
      data: { sequenceId, ...template(1, { subject: 'Theirs' }), changedAt: at },
    };
    const mine = { type: 'ChangeTemplate', templateId: 'template-1', subject: 'Mine', at } as const;
    given(created, added(1), theirs)
      .when({ ...mine, basedOn: 1 })
      .thenRefused('TEMPLATE_CHANGED');
    const saved: SequenceEvent = {
      type: 'SequenceTemplateChanged',
      data: { sequenceId, ...template(1, { subject: 'Mine' }), changedAt: at },
    };
    given(created, added(1), theirs)
      .when({ ...mine, basedOn: 2 })
      .then(saved);
    given(created, added(1), theirs).when(mine).then(saved);
    // Sent again because the first answer was lost.
    given(created, added(1), theirs, saved)
      .when({ ...mine, basedOn: 2 })
      .thenNothing();
    // Each template has versions of its own.
    given(created, added(1), added(2), theirs)
      .when({ ...mine, templateId: 'template-2', basedOn: 1 })
      .then({
        type: 'SequenceTemplateChanged',
        data: { sequenceId, ...template(2, { subject: 'Mine' }), changedAt: at },
      });
  });

  it('is removed once', () => {
    const removed: SequenceEvent = {
      type: 'SequenceTemplateRemoved',
      data: { sequenceId, templateId: 'template-1', removedAt: at },
    };
    given(created, added(1)).when({ type: 'RemoveTemplate', templateId: 'template-1', at }).then(removed);
    given(created, added(1), removed).when({ type: 'RemoveTemplate', templateId: 'template-1', at }).thenNothing();
  });

  it('is tested by the admin who requests it', () => {
    given(created, added(1))
      .when({ type: 'AskTest', templateId: 'template-1', userId: 'ann', at })
      .then({ type: 'SequenceTestAsked', data: { sequenceId, templateId: 'template-1', userId: 'ann', askedAt: at } });
    given(created)
      .when({ type: 'AskTest', templateId: 'template-1', userId: 'ann', at })
      .thenRefused('TEMPLATE_NOT_FOUND');
  });

  it('is ordered by its step, wherever it was added', () => {
    const state = [created, added(3), added(1), added(2)].reduce(
      sequenceDecider.evolve,
      sequenceDecider.initialState(),
    );
    expect(state.status === 'there' && state.templates.map(({ stepNumber }) => stepNumber)).toEqual([1, 2, 3]);
  });
});

/** Ready-made sequences of mails. */
import { randomUUID } from 'node:crypto';
import type { SequenceTemplate } from '../../src/domain/sequence/events.ts';
import type { TestApp } from './product/http.ts';

export const template = (stepNumber: number, more: Partial<SequenceTemplate> = {}): SequenceTemplate => ({
  templateId: `template-${stepNumber}`,
  name: `Step ${stepNumber}`,
  subject: `Mail ${stepNumber} for {{user_name}}`,
  content: 'Hi {{user_name}}',
  stepNumber,
  delayDays: 1,
  isActive: true,
  ...more,
});

/** One with one template, switched off. */
export async function givenSequence(
  app: Pick<TestApp, 'given'>,
): Promise<{ readonly sequenceId: string; readonly templateId: string }> {
  const [sequenceId, templateId] = [randomUUID(), randomUUID()];
  const createdAt = '2026-03-10T12:00:00.000Z';
  await app.given(
    `sequence-${sequenceId}`,
    { type: 'SequenceCreated', data: { sequenceId, name: 'Welcome', description: '', trigger: 'sign_up', createdAt } },
    { type: 'SequenceTemplateAdded', data: { sequenceId, ...template(1, { templateId }), addedAt: createdAt } },
  );
  return { sequenceId, templateId };
}

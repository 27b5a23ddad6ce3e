import type { SequenceDocument } from '../../../projections/sequences/sequences.ts';
import type { SequenceTemplateDocument } from '../../../projections/sequences/sequenceTemplates.ts';
import type { SequenceRow, SequenceTemplateView, SequenceView } from '../../contract/admin/emailSequences.ts';

const described = ({ sequenceId, name, description, trigger, isActive, activatedAt, createdAt }: SequenceDocument) => ({
  id: sequenceId,
  name,
  description,
  trigger,
  is_active: isActive,
  activated_at: activatedAt,
  created_at: createdAt,
});

export const presentSequenceRow = (sequence: SequenceDocument): SequenceRow => ({ ...described(sequence), template_count: sequence.templates });

export function presentSequence(sequence: SequenceDocument, templates: readonly SequenceTemplateDocument[]): SequenceView {
  return { ...described(sequence), templates: templates.map(presentSequenceTemplate) };
}

export function presentSequenceTemplate(template: SequenceTemplateDocument): SequenceTemplateView {
  return {
    id: template.templateId,
    sequence_id: template.sequenceId,
    name: template.name,
    subject: template.subject,
    content: template.content,
    step_number: template.stepNumber,
    delay_days: template.delayDays,
    is_active: template.isActive,
  };
}

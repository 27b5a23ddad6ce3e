import type { SequenceFigures, StepCounts } from '../../../projections/sequences/sequenceFigures.ts';
import {
  type SequenceDocument,
  type SequenceTemplateDocument,
  templatesOf,
} from '../../../projections/sequences/sequences.ts';
import type {
  SequenceFiguresResponse,
  SequenceRow,
  SequenceTemplateView,
  SequenceView,
} from '../../contract/admin/emailSequences.ts';

const described = ({ sequenceId, name, description, trigger, isActive, activatedAt, createdAt }: SequenceDocument) => ({
  id: sequenceId,
  name,
  description,
  trigger,
  is_active: isActive,
  activated_at: activatedAt,
  created_at: createdAt,
});

/** The count is for lists that show no more. */
export function presentSequenceRow(sequence: SequenceDocument): SequenceRow {
  const view = presentSequence(sequence);
  return { ...view, template_count: view.templates.length };
}

export function presentSequence(sequence: SequenceDocument, templates = templatesOf(sequence)): SequenceView {
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
    version: template.version,
  };
}

export function presentSequenceFigures({
  underWay,
  finished,
  stopped,
  turnedOff,
  steps,
  total,
}: SequenceFigures): Omit<SequenceFiguresResponse, 'success'> {
  return {
    enrolled: underWay + finished + stopped,
    under_way: underWay,
    finished,
    stopped,
    turned_off: turnedOff,
    steps: steps.map(({ templateId, name, stepNumber, isDeleted, ...counts }) => ({
      template_id: templateId,
      step_number: isDeleted ? null : stepNumber,
      name,
      ...presentCounts(counts),
    })),
    total: presentCounts(total),
  };
}

const presentCounts = ({ waiting, sent, failed, skipped, stopped, turnedOff }: StepCounts) => ({
  waiting,
  sent,
  failed,
  skipped,
  stopped,
  turned_off: turnedOff,
});

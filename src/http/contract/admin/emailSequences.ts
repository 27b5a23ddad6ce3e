/** Email sequences, for admins to edit and monitor. */
import * as z from 'zod';
import { SEQUENCE_LIMITS, SEQUENCE_TRIGGERS } from '../../../model/sequences.ts';

const LIMITS = SEQUENCE_LIMITS;
const SequenceTrigger = z.enum(SEQUENCE_TRIGGERS);

/** Must not contain line breaks or control characters. */
const oneLine = (what: string, max: number) =>
  z
    .string()
    .trim()
    .min(1, `Please enter ${what}`)
    .max(max, `At most ${max} characters`)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
    .regex(/^[^\u0000-\u001f\u007f\u2028\u2029]*$/, 'One line only');

export const SequenceTemplateView = z.object({
  id: z.string(),
  sequence_id: z.string(),
  name: z.string(),
  subject: z.string(),
  content: z.string(),
  step_number: z.number().int(),
  delay_days: z.number().int(),
  is_active: z.boolean(),
  /** 1 as it was added; each change is the next. */
  version: z.number().int(),
});
export type SequenceTemplateView = z.infer<typeof SequenceTemplateView>;

const described = {
  id: z.string(),
  name: z.string(),
  description: z.string(),
  trigger: SequenceTrigger,
  is_active: z.boolean(),
  activated_at: z.string().nullable(),
  created_at: z.string(),
};

export const SequenceView = z.object({ ...described, templates: z.array(SequenceTemplateView) });
export type SequenceView = z.infer<typeof SequenceView>;
export const SequenceRow = SequenceView.extend({ template_count: z.number().int() });
export type SequenceRow = z.infer<typeof SequenceRow>;
export const SequencesQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).optional(),
  cursor: z.string().max(500).optional(),
});
export const SequencesResponse = z.object({
  success: z.literal(true),
  sequences: z.array(SequenceRow),
  cursor: z.string().nullable(),
});
export type SequencesResponse = z.infer<typeof SequencesResponse>;

/** Returned twice: at the top level, and in `sequence`. */
export const SequenceResponse = z.object({ success: z.literal(true), sequence: SequenceView, ...SequenceView.shape });
export type SequenceResponse = z.infer<typeof SequenceResponse>;

const sequenceFields = {
  name: oneLine('a name', LIMITS.name),
  description: z.string().trim().max(LIMITS.description, `At most ${LIMITS.description} characters`),
  trigger: SequenceTrigger,
};
export const CreateSequenceRequest = z.object({
  ...sequenceFields,
  description: sequenceFields.description.default(''),
});
export type CreateSequenceRequest = z.input<typeof CreateSequenceRequest>;
/** Absent fields stay as they are. */
export const EditSequenceRequest = z.object({
  name: sequenceFields.name.exactOptional(),
  description: sequenceFields.description.exactOptional(),
  trigger: SequenceTrigger.exactOptional(),
  is_active: z.boolean().exactOptional(),
});
export type EditSequenceRequest = z.infer<typeof EditSequenceRequest>;

const subject = oneLine('a subject', LIMITS.subject);
const content = z
  .string()
  .min(1, 'Please enter the content')
  .max(LIMITS.content, `At most ${LIMITS.content} characters`);
const stepNumber = z
  .int('A step is a whole number')
  .min(1, 'The first step is 1')
  .max(LIMITS.stepNumber, `At most ${LIMITS.stepNumber}`);
const delayDays = z
  .int('A delay is a whole number of days')
  .min(0, 'A delay cannot be negative')
  .max(LIMITS.delayDays, `At most ${LIMITS.delayDays} days`);

/** Without `step_number` it becomes the last step. */
export const CreateSequenceTemplateRequest = z.object({
  name: oneLine('a name', LIMITS.name),
  subject,
  content,
  step_number: stepNumber.exactOptional(),
  delay_days: delayDays.default(0),
  is_active: z.boolean().default(true),
});
export type CreateSequenceTemplateRequest = z.input<typeof CreateSequenceTemplateRequest>;
/** Absent fields stay as they are. */
export const EditSequenceTemplateRequest = z.object({
  name: oneLine('a name', LIMITS.name).exactOptional(),
  subject: subject.exactOptional(),
  content: content.exactOptional(),
  step_number: stepNumber.exactOptional(),
  delay_days: delayDays.exactOptional(),
  is_active: z.boolean().exactOptional(),
  /** The version that was edited: if another one has been saved since, nothing is written (409). */
  version: z.number().int().positive().exactOptional(),
});
export const SequenceTemplateResponse = z.object({ success: z.literal(true), template: SequenceTemplateView });
export type SequenceTemplateResponse = z.infer<typeof SequenceTemplateResponse>;
export const RemovedResponse = z.object({ success: z.literal(true), message: z.string() });

/** `line`: from 1. */
export const TemplateFault = z.object({
  field: z.enum(['subject', 'content']),
  line: z.number().int(),
  message: z.string(),
});
export type TemplateFault = z.infer<typeof TemplateFault>;

export const PreviewTemplateRequest = z.object({
  subject: z.string().max(LIMITS.subject),
  content: z.string().max(LIMITS.content),
});
export type PreviewTemplateRequest = z.infer<typeof PreviewTemplateRequest>;
/** Rendered for a sample user. `preview`: null if there are faults. */
export const PreviewTemplateResponse = z.object({
  success: z.literal(true),
  faults: z.array(TemplateFault),
  preview: z.object({ subject: z.string(), text: z.string(), html: z.string() }).nullable(),
});
export type PreviewTemplateResponse = z.infer<typeof PreviewTemplateResponse>;

export const TestTemplateResponse = z.object({ success: z.literal(true), sent_to: z.string() });
export type TestTemplateResponse = z.infer<typeof TestTemplateResponse>;

const count = z.number().int();
/** `turned_off`: by the recipient, after this step and before the next. */
const SequenceStepCounts = z.object({
  waiting: count,
  sent: count,
  failed: count,
  skipped: count,
  stopped: count,
  turned_off: count,
});
export const SequenceStepFigures = SequenceStepCounts.extend({
  template_id: z.string(),
  /** Null: the template was deleted. */
  step_number: count.nullable(),
  /** Of a deleted template, the last one. */
  name: z.string(),
});
export type SequenceStepFigures = z.infer<typeof SequenceStepFigures>;
/** For accounts that still exist. */
export const SequenceFiguresResponse = z.object({
  success: z.literal(true),
  enrolled: count,
  under_way: count,
  finished: count,
  stopped: count,
  turned_off: count,
  /** In order; then the deleted templates that have figures. */
  steps: z.array(SequenceStepFigures),
  /** Of all steps. */
  total: SequenceStepCounts,
});
export type SequenceFiguresResponse = z.infer<typeof SequenceFiguresResponse>;

import type { SequenceTemplateView } from '../../../../src/http/contract/admin/emailSequences.ts';
import { SEQUENCE_LIMITS } from '../../../../src/model/sequences.ts';

/** What admins write. */
export type TemplateTexts = Omit<SequenceTemplateView, 'id' | 'sequence_id' | 'version'>;

/** Numbers are kept as text until saved, so that a field can be empty while typing. */
export interface TemplateFields {
  readonly name: string;
  readonly subject: string;
  readonly content: string;
  readonly step_number: string;
  readonly delay_days: string;
  readonly is_active: boolean;
  /** The version being edited; 0 for a new template. */
  readonly version: number;
}

export function fieldsOf(
  { name, subject, content, step_number, delay_days, is_active }: TemplateTexts,
  version: number,
): TemplateFields {
  return {
    name,
    subject,
    content,
    step_number: String(step_number),
    delay_days: String(delay_days),
    is_active,
    version,
  };
}

/** @param fields without faults */
export function textsOf({ version: _, step_number, delay_days, ...texts }: TemplateFields): TemplateTexts {
  return { ...texts, step_number: Number(step_number), delay_days: Number(delay_days) };
}

/** All fields as one text, to compare two versions. */
export function textOf({ name, subject, content, step_number, delay_days, is_active }: TemplateFields): string {
  return [
    `Name: ${name}`,
    `Subject: ${subject}`,
    `Step number: ${step_number}`,
    `Delay in days: ${delay_days}`,
    `Active: ${is_active ? 'yes' : 'no'}`,
    '',
    content,
  ].join('\n');
}

/** Null for each field that can be saved. */
export function faultsOfFields({ name, subject, content, step_number: step, delay_days: delay }: TemplateFields) {
  const { stepNumber, delayDays } = SEQUENCE_LIMITS;
  return {
    name: name.trim() === '' ? 'Please enter a name' : null,
    subject: subject.trim() === '' ? 'Please enter a subject' : tooLong(subject, SEQUENCE_LIMITS.subject),
    content: content.trim() === '' ? 'Please enter the content' : tooLong(content, SEQUENCE_LIMITS.content),
    step_number: isWhole(step, 1, stepNumber) ? null : `A whole number from 1 to ${stepNumber}`,
    delay_days: isWhole(delay, 0, delayDays) ? null : `A whole number from 0 to ${delayDays}`,
  };
}

const tooLong = (text: string, most: number): string | null =>
  text.length > most ? `At most ${most} characters` : null;

const isWhole = (text: string, least: number, most: number): boolean =>
  /^\d{1,6}$/.test(text.trim()) && Number(text) >= least && Number(text) <= most;

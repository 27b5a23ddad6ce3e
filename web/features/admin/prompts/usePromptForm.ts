import type { PromptView } from '../../../../src/http/contract/admin/prompts.ts';
import { useVersionedForm, type VersionedForm } from '../editing/useVersionedForm.ts';

export interface PromptFields {
  readonly content: string;
  readonly name: string;
  readonly description: string;
  readonly is_active: boolean;
  readonly change_note: string;
  /** The version being edited. */
  readonly version: number;
}

export type PromptForm = VersionedForm<PromptFields>;

export const usePromptForm = (prompt: PromptView): PromptForm =>
  useVersionedForm(`prompt:${prompt.key}`, fieldsOf(prompt));

/** A prompt as its form begins. */
export function fieldsOf({ content, name, description, is_active, version }: PromptView): PromptFields {
  return { content, name, description, is_active, change_note: '', version };
}

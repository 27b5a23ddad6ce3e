/** Prompts and their versions, for admins. */
import type { DeepReadonly } from '../../../model/deepReadonly.ts';
import { BUILT_IN_PROMPTS } from '../../../model/prompts/builtIn.ts';
import { type PromptKey, promptName } from '../../../model/prompts/prompt.ts';
import type { PromptDocument } from '../../../projections/prompts.ts';
import type { PromptVersionView, PromptView } from '../../contract/admin/prompts.ts';

/** Null if only the delivered version exists. */
export function presentPrompt(key: PromptKey, newest: PromptDocument | null): DeepReadonly<PromptView> {
  return { ...BUILT_IN_PROMPTS[key], is_active: true, ...newest, updated_at: newest?.created_at ?? null };
}

/** `emailOf`: emails of accounts that still exist. */
export function presentVersion(
  document: PromptDocument,
  emailOf: (userId: string) => string | undefined,
): PromptVersionView {
  return { ...document, change_note: noteOf(document, emailOf(document.adminId)) };
}

function noteOf({ note, revertedTo }: PromptDocument, email: string | undefined): string {
  if (revertedTo !== null) return `Reverted to version ${revertedTo}`;
  return note ?? `Edited by ${email ?? 'an admin whose account is deleted'}`;
}

/** Version 1, which was delivered with the product. */
export function presentDelivered(key: PromptKey): PromptVersionView {
  const { version, content } = BUILT_IN_PROMPTS[key];
  return { id: promptName({ key, version }), version, created_at: null, change_note: 'Default', content };
}

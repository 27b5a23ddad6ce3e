/** Prompts and their versions, for admins. */
import { BUILT_IN_PROMPTS } from '../../../model/prompts/builtIn.ts';
import { type PromptKey, promptName } from '../../../model/prompts/prompt.ts';
import type { PromptDocument } from '../../../projections/prompts.ts';
import type { PromptVersionView, PromptView } from '../../contract/admin/prompts.ts';

/** Null if only the delivered version exists. */
export function presentPrompt(key: PromptKey, newest: PromptDocument | null): PromptView {
  const delivered = BUILT_IN_PROMPTS[key];
  const { version, name, description, content } = newest ?? delivered;
  return {
    key,
    name,
    description,
    content,
    is_active: newest?.active ?? true,
    version,
    variables: [...delivered.variables],
    category: delivered.category,
    updated_at: newest?.savedAt ?? null,
  };
}

/** `emailOf`: emails of accounts that still exist. */
export function presentVersion(
  document: PromptDocument,
  emailOf: (userId: string) => string | undefined,
): PromptVersionView {
  const { version, savedAt, content } = document;
  return {
    id: promptName(document),
    version,
    created_at: savedAt,
    change_note: noteOf(document, emailOf(document.adminId)),
    content,
  };
}

function noteOf({ note, revertedTo }: PromptDocument, email: string | undefined): string {
  if (revertedTo !== null) return `Reverted to version ${revertedTo}`;
  return note ?? `Edited by ${email ?? 'an admin whose account is deleted'}`;
}

/** Version 1, which was delivered with the product. */
export function presentDelivered(key: PromptKey): PromptVersionView {
  const { version, content } = BUILT_IN_PROMPTS[key];
  return { id: promptName({ key, version }), version, created_at: null, change_note: 'As delivered', content };
}

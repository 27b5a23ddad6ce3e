import { useEffect } from 'react';
import type { PromptView } from '../../../../src/http/contract/admin/prompts.ts';
import { useDraft } from '../../../ui/form/draft.ts';

export interface PromptFields {
  readonly content: string;
  readonly name: string;
  readonly description: string;
  readonly is_active: boolean;
  readonly change_note: string;
  /** The one that is being edited. */
  readonly version: number;
}

export interface PromptForm {
  readonly fields: PromptFields;
  readonly changed: boolean;
  readonly change: (some: Partial<PromptFields>) => void;
  readonly discard: () => void;
}

/** What somebody has typed and not saved stays while they look at other pages; before the window closes, the browser asks. */
export function usePromptForm(prompt: PromptView): PromptForm {
  const [draft, setDraft] = useDraft(`prompt:${prompt.key}`, '');
  const saved = fieldsOf(prompt);
  const fields = draft === '' ? saved : (JSON.parse(draft) as PromptFields);
  const changed = draft !== '';
  useEffect(() => {
    if (!changed) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [changed]);
  return {
    fields,
    changed,
    change: (some) => {
      const next: PromptFields = { ...fields, ...some };
      setDraft(JSON.stringify(next) === JSON.stringify(saved) ? '' : JSON.stringify(next));
    },
    discard: () => setDraft(''),
  };
}

function fieldsOf({ content, name, description, is_active, version }: PromptView): PromptFields {
  return { content, name, description, is_active, change_note: '', version };
}

import { useEffect } from 'react';
import type { PromptView } from '../../../../src/http/contract/admin/prompts.ts';
import { useDraft } from '../../../ui/form/draft.ts';

export interface PromptFields {
  readonly content: string;
  readonly name: string;
  readonly description: string;
  readonly is_active: boolean;
  readonly change_note: string;
  /** The version being edited. */
  readonly version: number;
}

/** The edited text, and the text it started from. */
interface Draft {
  readonly fields: PromptFields;
  readonly begun: PromptFields;
}

export interface PromptForm {
  readonly fields: PromptFields;
  readonly changed: boolean;
  readonly change: (some: Partial<PromptFields>) => void;
  readonly discard: () => void;
  /** `sent` was saved as `now`; text typed meanwhile is kept as a change to that. */
  readonly saved: (sent: PromptFields, now: PromptView) => void;
  /** Rebases onto the newest version: fields not edited here take the values saved by someone else. */
  readonly goOn: () => void;
}

/** Unsaved text is kept while the user visits other pages; the browser warns before the window closes. */
export function usePromptForm(prompt: PromptView): PromptForm {
  const [kept, keep] = useDraft(`prompt:${prompt.key}`, '');
  const shown = fieldsOf(prompt);
  const { fields, begun }: Draft = kept === '' ? { fields: shown, begun: shown } : JSON.parse(kept);
  const changed = kept !== '';
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
      keep(draftOf(next, begun, shown));
    },
    discard: () => keep(''),
    saved: (sent, now) =>
      keep((latest) => {
        if (latest === '') return '';
        const { fields: typed }: Draft = JSON.parse(latest);
        const next = fieldsOf(now);
        return draftOf({ ...next, ...changesIn(typed, sent) }, next, next);
      }),
    goOn: () => keep(JSON.stringify({ fields: { ...shown, ...changesIn(fields, begun), version: shown.version }, begun: shown })),
  };
}

/** Empty when nothing differs from the saved text. */
function draftOf(fields: PromptFields, begun: PromptFields, saved: PromptFields): string {
  return JSON.stringify(fields) === JSON.stringify(saved) ? '' : JSON.stringify({ fields, begun });
}

function fieldsOf({ content, name, description, is_active, version }: PromptView): PromptFields {
  return { content, name, description, is_active, change_note: '', version };
}

function changesIn(fields: PromptFields, begun: PromptFields): Partial<PromptFields> {
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => value !== begun[name as keyof PromptFields]));
}

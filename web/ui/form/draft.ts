import { createContext, useContext, useEffect, useState } from 'react';

export interface DraftTexts {
  get(form: string): string | undefined;
  set(form: string, text: string): unknown;
  delete(form: string): unknown;
}

/** Unsent input of a signed-in user, by form. Null where nothing is kept. */
export const Drafts = createContext<DraftTexts | null>(null);

/** A form's text that survives leaving the page, e.g. when a session ended while the user was typing. */
export function useDraft(form: string, initial: string) {
  const drafts = useContext(Drafts);
  const [text, setText] = useState(() => drafts?.get(form) ?? initial);
  useEffect(() => {
    if (text === initial) drafts?.delete(form);
    else drafts?.set(form, text);
  }, [drafts, form, initial, text]);
  return [text, setText] as const;
}

import { createContext, useContext, useEffect, useState } from 'react';

/** What a signed-in user has typed and not sent, by form. Null where nothing is kept. */
export const Drafts = createContext<Map<string, string> | null>(null);

/** A form's text that is still there when its page comes back, as after a session that ended while it was being typed. */
export function useDraft(form: string, initial: string) {
  const drafts = useContext(Drafts);
  const [text, setText] = useState(() => drafts?.get(form) ?? initial);
  useEffect(() => {
    if (text === initial) drafts?.delete(form);
    else drafts?.set(form, text);
  }, [drafts, form, initial, text]);
  return [text, setText] as const;
}

import { useEffect } from 'react';
import { useDraft } from '../../../ui/form/draft.ts';

/** `version`: the one being edited. */
export interface Versioned {
  readonly version: number;
}

/** The edited fields, and the fields they started from. */
interface Draft<Fields> {
  readonly fields: Fields;
  readonly begun: Fields;
}

export interface VersionedForm<Fields extends Versioned> {
  readonly fields: Fields;
  readonly changed: boolean;
  readonly change: (some: Partial<Fields>) => void;
  readonly discard: () => void;
  /** `sent` was saved as `now`; text typed meanwhile is kept as a change to that. */
  readonly saved: (sent: Fields, now: Fields) => void;
  /** Rebases onto the newest version: fields not edited here take the values saved by someone else. */
  readonly goOn: () => void;
}

/**
 * Unsaved text is kept under `name` while its author visits other pages; the browser warns before the window closes.
 */
export function useVersionedForm<Fields extends Versioned>(name: string, shown: Fields): VersionedForm<Fields> {
  const [kept, keep] = useDraft(name, '');
  const { fields, begun } = draftIn(kept, shown);
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
    change: (some) =>
      keep((latest) => {
        const now = draftIn(latest, shown);
        return draftOf({ ...now.fields, ...some }, now.begun, shown);
      }),
    discard: () => keep(''),
    saved: (sent, now) =>
      keep((latest) =>
        latest === '' ? '' : draftOf({ ...now, ...changesIn(draftIn(latest, now).fields, sent) }, now, now),
      ),
    goOn: () =>
      keep(JSON.stringify({ fields: { ...shown, ...changesIn(fields, begun), version: shown.version }, begun: shown })),
  };
}

/** Without a draft, the saved fields. One kept by an earlier version of the app may lack fields. */
function draftIn<Fields>(kept: string, shown: Fields): Draft<Fields> {
  if (kept === '') return { fields: shown, begun: shown };
  const { fields, begun }: Draft<Partial<Fields>> = JSON.parse(kept);
  return { fields: { ...shown, ...fields }, begun: { ...shown, ...begun } };
}

/** Empty when nothing differs from the saved fields. */
function draftOf<Fields>(fields: Fields, begun: Fields, saved: Fields): string {
  return JSON.stringify(fields) === JSON.stringify(saved) ? '' : JSON.stringify({ fields, begun });
}

function changesIn<Fields extends Versioned>(fields: Fields, begun: Fields): Partial<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value !== begun[name as keyof Fields]),
  ) as Partial<Fields>;
}

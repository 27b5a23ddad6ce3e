import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { MAX_NOTES } from '../../../../src/model/limits.ts';
import { Button } from '../../../ui/Button.tsx';
import { useDraft } from '../../../ui/form/draft.ts';
import { INPUT_CLASSES } from '../../../ui/form/Field.tsx';
import { Status } from '../../../ui/text/Status.tsx';
import type { ActionWork } from '../work.ts';
import type { ActionItem } from './actionItem.ts';

/** The user's notes on a task. Unsaved text is never replaced by an update from another browser. */
export function NotesForm({ item, work }: { item: ActionItem; work: ActionWork }) {
  const id = useId();
  const [base, setBase] = useState(item.notes);
  const [draft, setDraft] = useDraft(`notes of ${work.jobId} ${item.id}`, base);
  const [saving, setSaving] = useState(false);
  const [done, setDone] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const touched = draft !== base;
  useEffect(() => {
    if (touched || saving) return;
    setBase(item.notes);
    setDraft(item.notes);
  }, [item.notes, touched, saving, setDraft]);
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!touched || saving) return;
    setSaving(true);
    const saved = draft.trim();
    if (await work.saveNotes(item, saved)) {
      setBase(saved);
      setDone(true);
      // Text typed during the save is still unsaved.
      setDraft((now) => (now === draft ? saved : now));
    }
    setSaving(false);
  };
  const discard = (): void => {
    setDraft(base);
    field.current?.focus();
  };
  return (
    <form onSubmit={(event) => void save(event)} className="panel p-4 sm:p-6">
      <label htmlFor={id} className="block text-lg font-semibold text-strong">
        Notes
      </label>
      <textarea
        ref={field}
        id={id}
        rows={4}
        maxLength={MAX_NOTES}
        value={draft}
        placeholder="What was done, by whom, what to watch for"
        onChange={(event) => {
          setDone(false);
          setDraft(event.target.value);
        }}
        className={`${INPUT_CLASSES} mt-2 py-2 print:hidden`}
      />
      {draft && <p className="mt-2 hidden whitespace-pre-line print:block">{draft}</p>}
      {touched && item.notes !== base && (
        <p className="mt-1 text-sm text-attention">
          These notes were changed elsewhere. Saving will overwrite that version.
        </p>
      )}
      <Status>{done && 'Notes saved.'}</Status>
      <div className="mt-2 flex justify-end gap-2 print:hidden">
        {touched && (
          <Button variant="quiet" onClick={discard}>
            Discard
          </Button>
        )}
        <Button type="submit" busy={saving} inactive={!touched}>
          Save notes
        </Button>
      </div>
    </form>
  );
}

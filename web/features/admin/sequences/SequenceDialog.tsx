import { type FormEvent, useId, useState } from 'react';
import type { SequenceView } from '../../../../src/http/contract/admin/emailSequences.ts';
import { SEQUENCE_LIMITS, SEQUENCE_TRIGGERS } from '../../../../src/model/sequences.ts';
import { useOnceKey } from '../../../api/onceKey.ts';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/form/Field.tsx';
import { SelectField } from '../../../ui/form/SelectField.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Dialog } from '../../../ui/overlay/Dialog.tsx';
import { useCreateSequenceMutation, useEditSequenceMutation } from './sequencesApi.ts';
import { failureText, TRIGGER_CHOICES } from './sequenceWording.ts';

/** Creates a sequence, or edits `sequence`. */
export function SequenceDialog({ sequence, onClose, onSaved }: { sequence?: SequenceView; onClose: () => void; onSaved?: (saved: SequenceView) => void }) {
  const form = useId();
  const [name, setName] = useState(sequence?.name ?? '');
  const [description, setDescription] = useState(sequence?.description ?? '');
  const [trigger, setTrigger] = useState(sequence?.trigger ?? SEQUENCE_TRIGGERS[0]);
  const [create, creating] = useCreateSequenceMutation();
  const [edit, editing] = useEditSequenceMutation();
  const { isLoading, error } = sequence ? editing : creating;
  const onceKey = useOnceKey(error);
  const [tried, setTried] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setTried(true);
    if (name.trim() === '' || isLoading) return;
    const fields = { name, description, trigger };
    const { data, error: refusal } = await (sequence ? edit({ id: sequence.id, ...fields }) : create({ ...fields, once: onceKey(fields) }));
    if (refusal) return;
    if (data) onSaved?.(data);
    onClose();
  };
  return (
    <Dialog
      fills
      title={sequence ? 'Edit sequence' : 'New sequence'}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={form} busy={isLoading}>
            {sequence ? 'Save' : 'Create'}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={(event) => void submit(event)} className="space-y-3">
        <Field
          label="Name"
          value={name}
          maxLength={SEQUENCE_LIMITS.name}
          error={tried && name.trim() === '' ? 'Please enter a name' : null}
          onChange={(event) => setName(event.target.value)}
        />
        <Field label="Description" value={description} maxLength={SEQUENCE_LIMITS.description} onChange={(event) => setDescription(event.target.value)} />
        <SelectField
          label="Starts with"
          value={trigger}
          choices={TRIGGER_CHOICES}
          onChange={(value) => setTrigger(SEQUENCE_TRIGGERS.find((each) => each === value) ?? trigger)}
        />
        {error && (
          <Notice tone="bad">
            <p>{failureText(error)}</p>
          </Notice>
        )}
      </form>
    </Dialog>
  );
}

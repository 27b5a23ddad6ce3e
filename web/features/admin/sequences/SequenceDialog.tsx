import { useState } from 'react';
import type { SequenceView } from '../../../../src/http/contract/admin/emailSequences.ts';
import { SEQUENCE_LIMITS, SEQUENCE_TRIGGERS } from '../../../../src/model/sequences.ts';
import { useOnceKey } from '../../../api/onceKey.ts';
import { Field } from '../../../ui/form/Field.tsx';
import { SelectField } from '../../../ui/form/SelectField.tsx';
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx';
import { useCreateSequenceMutation, useEditSequenceMutation } from './sequencesApi.ts';
import { failureText, TRIGGER_CHOICES } from './sequenceWording.ts';

/** Creates a sequence, or edits `sequence`. */
export function SequenceDialog({
  sequence,
  onClose,
  onSaved,
}: {
  sequence?: SequenceView;
  onClose: () => void;
  onSaved?: (saved: SequenceView) => void;
}) {
  const [name, setName] = useState(sequence?.name ?? '');
  const [description, setDescription] = useState(sequence?.description ?? '');
  const [trigger, setTrigger] = useState(sequence?.trigger ?? SEQUENCE_TRIGGERS[0]);
  const [create, creating] = useCreateSequenceMutation();
  const [edit, editing] = useEditSequenceMutation();
  const { isLoading, error } = sequence ? editing : creating;
  const onceKey = useOnceKey(error);
  const [tried, setTried] = useState(false);
  const submit = async (): Promise<void> => {
    setTried(true);
    if (name.trim() === '') return;
    const fields = { name, description, trigger };
    const { data, error: refusal } = await (sequence
      ? edit({ id: sequence.id, ...fields })
      : create({ ...fields, once: onceKey(fields) }));
    if (refusal) return;
    if (data) onSaved?.(data);
    onClose();
  };
  return (
    <FormDialog
      title={sequence ? 'Edit sequence' : 'New sequence'}
      submit={sequence ? 'Save' : 'Create'}
      busy={isLoading}
      problem={error && failureText(error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label="Name"
        value={name}
        maxLength={SEQUENCE_LIMITS.name}
        error={tried && name.trim() === '' ? 'Please enter a name' : null}
        onChange={(event) => setName(event.target.value)}
      />
      <Field
        label="Description"
        value={description}
        maxLength={SEQUENCE_LIMITS.description}
        onChange={(event) => setDescription(event.target.value)}
      />
      <SelectField
        label="Starts with"
        value={trigger}
        choices={TRIGGER_CHOICES}
        onChange={(value) => setTrigger(SEQUENCE_TRIGGERS.find((each) => each === value) ?? trigger)}
      />
    </FormDialog>
  );
}

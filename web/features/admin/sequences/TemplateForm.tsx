import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { SEQUENCE_LIMITS } from '../../../../src/model/sequences.ts';
import { asFailure } from '../../../api/failure.ts';
import { adminSequencePath } from '../../../ui/adminPaths.ts';
import { Button } from '../../../ui/Button.tsx';
import type { EditorHandle } from '../../../ui/form/editorProps.ts';
import { Field } from '../../../ui/form/Field.tsx';
import { TextEditor } from '../../../ui/form/TextEditor.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { ConflictNotice } from '../editing/ConflictNotice.tsx';
import { useVersionedForm, type VersionedForm } from '../editing/useVersionedForm.ts';
import { MailPreview } from './MailPreview.tsx';
import { faultsInContent, faultsInSubject } from './placeholderFaults.ts';
import { failureText, PLACEHOLDERS } from './sequenceWording.ts';
import {
  faultsOfFields,
  fieldsOf,
  type TemplateFields,
  type TemplateTexts,
  textOf,
  textsOf,
} from './templateFields.ts';

interface TemplateFormProps {
  sequenceId: string;
  /** Unsaved changes are kept under this name. */
  draft: string;
  /** What is saved, or what a new template begins with. */
  initial: TemplateTexts;
  /** Of what is saved; 0 for a new template. */
  version: number;
  saveLabel: string;
  busy: boolean;
  error: unknown;
  /** Shown above the server's message. */
  failure: string;
  /** Resolves to whether it was saved. */
  onSave: (texts: TemplateTexts, version: number) => Promise<boolean>;
}

/**
 * Leads back to the sequence once saved or canceled; changes that are left unsaved in any other way are there again on
 * the next visit.
 */
export function TemplateForm({
  sequenceId,
  draft,
  initial,
  version,
  saveLabel,
  busy,
  error,
  failure,
  onSave,
}: TemplateFormProps) {
  const saved = fieldsOf(initial, version);
  const form = useVersionedForm(draft, saved);
  const { fields, changed } = form;
  const [isFromEarlier, setFromEarlier] = useState(changed);
  if (isFromEarlier && !changed) setFromEarlier(false);
  const [tried, setTried] = useState(false);
  const [done, setDone] = useState(false);
  const navigate = useNavigate();
  useEffect(() => {
    // Only now the draft is gone.
    if (done) void navigate(adminSequencePath(sequenceId));
  }, [done, navigate, sequenceId]);
  const leave = (): void => {
    form.discard();
    setDone(true);
  };
  const faults = faultsOfFields(fields);
  const inputs = useRef<Inputs>({});
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setTried(true);
    const faulty = FIELD_ORDER.find((name) => faults[name] !== null);
    if (faulty) inputs.current[faulty]?.focus();
    if (busy || faulty) return;
    if (await onSave(textsOf(fields), fields.version)) leave();
  };
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      <form noValidate onSubmit={(event) => void submit(event)} className="min-w-0 space-y-3">
        {!busy && changed && fields.version !== version && (
          <ConflictNotice form={form} newest={version} theirs={textOf(saved)} mine={textOf(fields)}>
            Your changes are still here, unsaved. If you save them, they become version {version + 1}; the fields that
            you did not change stay as they are in version {version}.
          </ConflictNotice>
        )}
        {isFromEarlier && (
          <Notice tone="info" title="Your changes from earlier are still here">
            <p>They are not saved yet. Save or discard them below.</p>
          </Notice>
        )}
        <TemplateInputs form={form} faults={tried ? faults : null} inputs={inputs.current} />
        {error !== undefined && asFailure(error).code !== 'TEMPLATE_CHANGED' && (
          <Notice tone="bad" title={failure}>
            <p>{failureText(error)}</p>
          </Notice>
        )}
        <div className="flex flex-wrap items-center gap-2">
          <Button variant="primary" type="submit" busy={busy}>
            {saveLabel}
          </Button>
          <Button onClick={leave}>Cancel</Button>
          {changed && (
            <>
              <Button
                variant="quiet"
                onClick={() => {
                  form.discard();
                  inputs.current.name?.focus();
                }}
              >
                Discard changes
              </Button>
              <span className="text-sm text-muted">Not saved yet</span>
            </>
          )}
        </div>
      </form>
      <MailPreview subject={fields.subject} content={fields.content} />
    </div>
  );
}

type Faults = ReturnType<typeof faultsOfFields>;

/** As they stand on the page. */
const FIELD_ORDER = [
  'name',
  'subject',
  'content',
  'step_number',
  'delay_days',
] as const satisfies readonly (keyof Faults)[];

/** What can be focused, by field. */
type Inputs = Partial<Record<keyof Faults, EditorHandle | null>>;

interface TemplateInputsProps {
  form: VersionedForm<TemplateFields>;
  /** Null before the first attempt to save. */
  faults: Faults | null;
  /** Filled here. */
  inputs: Inputs;
}

function TemplateInputs({ form: { fields, change }, faults, inputs }: TemplateInputsProps) {
  const activeId = useId();
  const as = (name: keyof Faults) => (input: EditorHandle | null) => {
    inputs[name] = input;
  };
  return (
    <>
      <Field
        ref={as('name')}
        label="Name"
        value={fields.name}
        maxLength={SEQUENCE_LIMITS.name}
        error={faults?.name}
        hint="For admins; users don’t see it."
        onChange={(event) => change({ name: event.target.value })}
      />
      <TextEditor
        oneLine
        ref={as('subject')}
        label="Subject"
        value={fields.subject}
        onChange={(subject) => change({ subject })}
        variables={PLACEHOLDERS}
        faultsOf={faultsInSubject}
        error={faults?.subject}
      />
      <TextEditor
        ref={as('content')}
        label="Content"
        value={fields.content}
        onChange={(content) => change({ content })}
        variables={PLACEHOLDERS}
        faultsOf={faultsInContent}
        error={faults?.content}
        hint="Markdown or plain text. Type two braces to insert a placeholder. A link alone in its paragraph becomes a button."
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <Field
          ref={as('step_number')}
          label="Step number"
          type="number"
          min={1}
          max={SEQUENCE_LIMITS.stepNumber}
          inputMode="numeric"
          value={fields.step_number}
          error={faults?.step_number}
          onChange={(event) => change({ step_number: event.target.value })}
        />
        <Field
          ref={as('delay_days')}
          label="Delay in days"
          type="number"
          min={0}
          max={SEQUENCE_LIMITS.delayDays}
          inputMode="numeric"
          value={fields.delay_days}
          error={faults?.delay_days}
          hint="Counted from the previous step; for the first step, from the start."
          onChange={(event) => change({ delay_days: event.target.value })}
        />
      </div>
      <p className="flex items-center gap-2">
        <input
          id={activeId}
          type="checkbox"
          className="size-4 accent-(--color-accent)"
          checked={fields.is_active}
          onChange={(event) => change({ is_active: event.target.checked })}
        />
        <label htmlFor={activeId} className="font-medium text-strong">
          Active
        </label>
      </p>
    </>
  );
}

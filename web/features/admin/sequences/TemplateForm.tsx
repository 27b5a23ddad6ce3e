import { type FormEvent, useId, useState } from 'react';
import { Link } from 'react-router-dom';
import type { SequenceTemplateView } from '../../../../src/http/contract/admin/emailSequences.ts';
import { SEQUENCE_LIMITS } from '../../../../src/model/sequences.ts';
import { adminSequencePath } from '../../../ui/adminPaths.ts';
import { Button, buttonLook } from '../../../ui/Button.tsx';
import type { EditorFault } from '../../../ui/form/editorProps.ts';
import { Field } from '../../../ui/form/Field.tsx';
import { TextEditor } from '../../../ui/form/TextEditor.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { MailPreview } from './MailPreview.tsx';
import { failureText, PLACEHOLDERS } from './sequenceWording.ts';

export interface TemplateFields {
  readonly name: string;
  readonly subject: string;
  readonly content: string;
  readonly step_number: number;
  readonly delay_days: number;
  readonly is_active: boolean;
}

interface TemplateFormProps {
  sequenceId: string;
  /** Initial values. */
  initial: Omit<SequenceTemplateView, 'id' | 'sequence_id'>;
  saveLabel: string;
  busy: boolean;
  error: unknown;
  /** Shown above the server's message. */
  failure: string;
  onSave: (fields: TemplateFields) => void;
}

/** Numbers are kept as text until saved, so that a field can be empty while typing. */
export function TemplateForm({ sequenceId, initial, saveLabel, busy, error, failure, onSave }: TemplateFormProps) {
  const activeId = useId();
  const [fields, setFields] = useState({ ...initial, step_number: String(initial.step_number), delay_days: String(initial.delay_days) });
  const [tried, setTried] = useState(false);
  const set = (more: Partial<typeof fields>) => setFields((before) => ({ ...before, ...more }));
  const faults = faultsOfFields(fields);
  const shown = (field: keyof typeof faults) => (tried ? faults[field] : null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (busy || Object.values(faults).some((fault) => fault !== null)) return;
    onSave({ ...fields, step_number: Number(fields.step_number), delay_days: Number(fields.delay_days) });
  };
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      <form noValidate onSubmit={submit} className="min-w-0 space-y-3">
        <Field
          label="Name"
          value={fields.name}
          maxLength={SEQUENCE_LIMITS.name}
          error={shown('name')}
          hint="For admins; users don’t see it."
          onChange={(event) => set({ name: event.target.value })}
        />
        <Field
          label="Subject"
          value={fields.subject}
          maxLength={SEQUENCE_LIMITS.subject}
          error={shown('subject')}
          onChange={(event) => set({ subject: event.target.value })}
        />
        <TextEditor
          label="Content"
          value={fields.content}
          onChange={(content) => set({ content })}
          variables={PLACEHOLDERS}
          faultsOf={unknownPlaceholders}
          error={shown('content')}
          hint="Markdown or plain text. Type two braces to insert a placeholder. A link alone in its paragraph becomes a button."
        />
        <div className="grid gap-3 sm:grid-cols-2">
          <Field
            label="Step number"
            type="number"
            min={1}
            max={SEQUENCE_LIMITS.stepNumber}
            inputMode="numeric"
            value={fields.step_number}
            error={shown('step_number')}
            onChange={(event) => set({ step_number: event.target.value })}
          />
          <Field
            label="Delay in days"
            type="number"
            min={0}
            max={SEQUENCE_LIMITS.delayDays}
            inputMode="numeric"
            value={fields.delay_days}
            error={shown('delay_days')}
            hint="Counted from the previous step; for the first step, from the start."
            onChange={(event) => set({ delay_days: event.target.value })}
          />
        </div>
        <p className="flex items-center gap-2">
          <input
            id={activeId}
            type="checkbox"
            className="size-4 accent-(--color-accent)"
            checked={fields.is_active}
            onChange={(event) => set({ is_active: event.target.checked })}
          />
          <label htmlFor={activeId} className="font-medium text-strong">
            Active
          </label>
        </p>
        {error !== undefined && (
          <Notice tone="bad" title={failure}>
            <p>{failureText(error)}</p>
          </Notice>
        )}
        <div className="flex flex-wrap gap-2">
          <Button look="primary" type="submit" busy={busy}>
            {saveLabel}
          </Button>
          <Link to={adminSequencePath(sequenceId)} className={buttonLook('secondary')}>
            Cancel
          </Link>
        </div>
      </form>
      <MailPreview subject={fields.subject} content={fields.content} />
    </div>
  );
}

type Texts = Readonly<Record<'name' | 'subject' | 'content' | 'step_number' | 'delay_days', string>>;

function faultsOfFields({ name, subject, content, step_number: step, delay_days: delay }: Texts) {
  const { stepNumber, delayDays, content: longest } = SEQUENCE_LIMITS;
  return {
    name: name.trim() === '' ? 'Please enter a name' : null,
    subject: subject.trim() === '' ? 'Please enter a subject' : null,
    content: content.trim() === '' ? 'Please enter the content' : content.length > longest ? `At most ${longest} characters` : null,
    step_number: isWhole(step, 1, stepNumber) ? null : `A whole number from 1 to ${stepNumber}`,
    delay_days: isWhole(delay, 0, delayDays) ? null : `A whole number from 0 to ${delayDays}`,
  };
}

const isWhole = (text: string, least: number, most: number): boolean => /^\d{1,6}$/.test(text.trim()) && Number(text) >= least && Number(text) <= most;

const KNOWN: ReadonlySet<string> = new Set(PLACEHOLDERS.map(({ name }) => name));

/** Checked while typing; the preview reports other errors. */
function unknownPlaceholders(text: string): readonly EditorFault[] {
  return [...text.matchAll(/\{\{-?\s*([A-Za-z_]\w*)/g)].flatMap((match) => {
    const [whole, name = ''] = match;
    return KNOWN.has(name) ? [] : [{ from: match.index, to: match.index + whole.length, message: `There is no placeholder {{${name}}}.` }];
  });
}

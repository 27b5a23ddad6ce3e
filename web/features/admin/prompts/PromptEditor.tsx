import { type FormEvent, useId, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { PromptView } from '../../../../src/http/contract/admin/prompts.ts';
import {
  PROMPT_DESCRIPTION_MAX,
  PROMPT_NAME_MAX,
  PROMPT_NOTE_MAX,
  promptFaults,
  variableFaults,
} from '../../../../src/model/prompts/prompt.ts';
import { type ApiFailure, asFailure } from '../../../api/failure.ts';
import { useOnceKey } from '../../../api/onceKey.ts';
import { adminHistoryPath } from '../../../ui/adminPaths.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import type { EditorHandle } from '../../../ui/form/editorProps.ts';
import { Field } from '../../../ui/form/Field.tsx';
import { TextEditor } from '../../../ui/form/TextEditor.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { useToasts } from '../../../ui/overlay/Toasts.tsx';
import { RelativeTime } from '../../../ui/text/RelativeTime.tsx';
import { ConflictNotice } from '../editing/ConflictNotice.tsx';
import { HistoryDialog } from './HistoryDialog.tsx';
import { PromptPreview } from './PromptPreview.tsx';
import { useSavePromptMutation } from './promptsApi.ts';
import { fieldsOf, type PromptForm, usePromptForm } from './usePromptForm.ts';

/** `onStale`: called when the server has a different version. */
export function PromptEditor({ prompt, onStale }: { prompt: PromptView; onStale: () => void }) {
  const form = usePromptForm(prompt);
  const { fields, changed, change, discard } = form;
  const { busy, failure, save } = useSaving(prompt, form, onStale);
  const [history, setHistory] = useState(false);
  const faults = promptFaults({ content: fields.content, variables: prompt.variables });
  const editor = useRef<EditorHandle>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void save();
  };
  return (
    <div className="min-w-0 space-y-4">
      <form onSubmit={submit} aria-label={prompt.name} className="space-y-4">
        <PromptHead prompt={prompt} onHistory={() => setHistory(true)} />
        {!busy && changed && fields.version !== prompt.version && (
          <ConflictNotice form={form} newest={prompt.version} theirs={prompt.content} mine={fields.content}>
            Your changes are still here, unsaved. If you save them, they become version {prompt.version + 1}; version{' '}
            {prompt.version} stays in the history.
          </ConflictNotice>
        )}
        {!prompt.is_active && (
          <Notice tone="attention" title="This prompt is off">
            <p>Audits use the default prompt until you turn this on and save.</p>
          </Notice>
        )}
        <TextEditor
          ref={editor}
          label="Prompt"
          value={fields.content}
          onChange={(content) => change({ content })}
          variables={prompt.variables}
          faultsOf={(content) => variableFaults({ content, variables: prompt.variables })}
          error={
            failure?.code === 'PROMPT_INVALID'
              ? failure.message
              : fields.content.trim() === ''
                ? 'The text is empty.'
                : null
          }
          hint="Type {{ to choose a variable. Rules that protect the audit from what pages say stand before it and cannot be edited."
        />
        <Variables prompt={prompt} />
        <Card title="About this prompt">
          <div className="grid gap-4 sm:grid-cols-2">
            <Field
              label="Name"
              required
              maxLength={PROMPT_NAME_MAX}
              value={fields.name}
              onChange={(event) => change({ name: event.target.value })}
            />
            <Field
              label="Description"
              maxLength={PROMPT_DESCRIPTION_MAX}
              value={fields.description}
              onChange={(event) => change({ description: event.target.value })}
            />
            <Field
              label="Change note (optional)"
              maxLength={PROMPT_NOTE_MAX}
              value={fields.change_note}
              hint="Shown in the history. If empty, your email is shown."
              onChange={(event) => change({ change_note: event.target.value })}
            />
            <ActiveSwitch active={fields.is_active} onChange={(is_active) => change({ is_active })} />
          </div>
        </Card>
        {failure && failure.code !== 'PROMPT_INVALID' && failure.code !== 'PROMPT_CHANGED' && (
          <p role="alert" className="text-sm text-bad">
            {failure.message || 'Failed to save prompt'}
          </p>
        )}
        <div className="flex flex-wrap items-center gap-2">
          <Button
            type="submit"
            variant="primary"
            busy={busy}
            inactive={!changed || faults.length > 0 || fields.name.trim() === ''}
          >
            Save
          </Button>
          {changed && (
            <>
              <Button
                variant="quiet"
                onClick={() => {
                  discard();
                  editor.current?.focus();
                }}
              >
                Discard changes
              </Button>
              <span className="text-sm text-muted">Not saved yet</span>
            </>
          )}
        </div>
      </form>
      <PromptPreview prompt={prompt} content={fields.content} usable={faults.length === 0} />
      {history && (
        <HistoryDialog prompt={prompt} unsaved={changed} onStale={onStale} onClose={() => setHistory(false)} />
      )}
    </div>
  );
}

function useSaving(prompt: PromptView, { fields, saved }: PromptForm, onStale: () => void) {
  const [send] = useSavePromptMutation();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const onceKey = useOnceKey(failure);
  const say = useToasts();
  const save = async (): Promise<void> => {
    setBusy(true);
    const { change_note: note, ...texts } = fields;
    const body = note.trim() === '' ? texts : { ...texts, change_note: note };
    const { data, error } = await send({ key: prompt.key, body, once: onceKey(body) });
    const refusal = error ? asFailure(error) : null;
    if (data) saved(fields, fieldsOf(data));
    if (refusal?.status === 409) onStale();
    setFailure(refusal);
    setBusy(false);
    say('prompt', refusal ? { text: 'Failed to save prompt', bad: true } : { text: 'Prompt saved successfully!' });
  };
  return { busy, failure, save };
}

function PromptHead({ prompt, onHistory }: { prompt: PromptView; onHistory: () => void }) {
  return (
    <header className="flex flex-wrap items-center justify-between gap-2">
      <div>
        <h2 className="flex flex-wrap items-center gap-2 text-lg">
          {prompt.name}
          <Badge tone="plain">Version {prompt.version}</Badge>
        </h2>
        <p className="mt-1 max-w-[70ch] text-sm text-muted">
          {prompt.description}
          <span className="block">
            {prompt.updated_at ? (
              <>
                Saved <RelativeTime iso={prompt.updated_at} />
              </>
            ) : (
              'Default'
            )}
          </span>
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-3">
        {prompt.updated_at !== null && (
          <Link to={adminHistoryPath(`prompt-${prompt.key}`)} className="text-sm link">
            Event history
          </Link>
        )}
        <Button onClick={onHistory}>History</Button>
      </div>
    </header>
  );
}

function Variables({ prompt }: { prompt: PromptView }) {
  return (
    <Card title="Variables">
      <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[auto_minmax(0,1fr)]">
        {prompt.variables.map(({ name, description }) => (
          <div key={name} className="contents">
            <dt className="font-mono text-sm text-accent">{`{{${name}}}`}</dt>
            <dd className="mb-1 text-sm text-normal sm:mb-0">{description}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function ActiveSwitch({ active, onChange }: { active: boolean; onChange: (active: boolean) => void }) {
  const id = useId();
  return (
    <div className="flex items-start gap-2 self-center">
      <input
        id={id}
        type="checkbox"
        className="mt-1 size-4 accent-accent"
        checked={active}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.target.checked)}
      />
      <div>
        <label htmlFor={id} className="font-medium text-strong">
          Active
        </label>
        <p id={`${id}-hint`} className="text-sm text-muted">
          Off: audits use the default prompt.
        </p>
      </div>
    </div>
  );
}

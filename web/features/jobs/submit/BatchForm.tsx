import { clsx } from 'clsx';
import { type FormEvent, useId, useRef, useState } from 'react';
import { type ApiFailure, asFailure } from '../../../api/failure.ts';
import { useOnceKey } from '../../../api/onceKey.ts';
import { Button } from '../../../ui/Button.tsx';
import { useDraft } from '../../../ui/form/draft.ts';
import { FieldError, INPUT_CLASSES } from '../../../ui/form/Field.tsx';
import { RefusalHelp } from '../../../ui/form/RefusalHelp.tsx';
import { count } from '../../../ui/text/wording.ts';
import { useSubmitBatchMutation } from '../jobsApi.ts';
import { CrawlSettingsSection } from './CrawlSettingsSection.tsx';
import type { CrawlSettingsForm } from './enteredSettings.ts';
import { readBatch } from './submission.ts';

interface BatchFormProps {
  settings: CrawlSettingsForm;
  limit: number;
  onRefused: (failure: ApiFailure) => boolean;
  /** What was started; '' while there is nothing to say. */
  onMessage: (message: string) => void;
}

interface Problem {
  readonly text: string;
  readonly lines: readonly string[];
  /** Of the server's refusal. */
  readonly code?: string;
}

/** Pasting ten thousand lines must not render ten thousand paragraphs. */
const LINES_SHOWN = 20;

export function BatchForm({ settings, limit, onRefused, onMessage }: BatchFormProps) {
  const [text, setText] = useDraft('batch', '');
  const [problem, setProblem] = useState<Problem | null>(null);
  const [submitBatch, { isLoading, error }] = useSubmitBatchMutation();
  const onceKey = useOnceKey(error);
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isLoading) return;
    onMessage('');
    const batch = readBatch(text, limit);
    setProblem(batch.problem ? { text: batch.problem, lines: batch.invalidLines } : null);
    const set = await settings.read();
    if (batch.problem) return field.current?.focus();
    if (!set) return;
    const asked = { urls: [...batch.urls], ...set };
    try {
      const jobs = await submitBatch({ ...asked, once: onceKey(asked) }).unwrap();
      // Keep text typed meanwhile.
      setText((now) => (now === text ? '' : now));
      settings.clear();
      onMessage(`${count(jobs.length, 'audit')} started.`);
    } catch (refusal) {
      const failure = asFailure(refusal);
      if (await settings.refused(failure)) return;
      const lines = failure.code === 'INVALID_URL' ? (failure.issues ?? []).map((issue) => issue.message) : [];
      if (!onRefused(failure))
        setProblem({ text: failure.message || 'Batch processing failed', lines, code: failure.code });
    }
    field.current?.focus();
  };

  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <label htmlFor={id} className="mb-1 block text-sm font-medium text-strong">
        Website addresses, one per line
      </label>
      <textarea
        ref={field}
        id={id}
        name="urls"
        rows={6}
        spellCheck={false}
        placeholder={'https://example.com\nhttps://shop.example.org'}
        value={text}
        aria-invalid={problem ? true : undefined}
        aria-describedby={`${id}-hint${problem ? ` ${id}-error` : ''}`}
        onChange={(event) => setText(event.target.value)}
        className={clsx(INPUT_CLASSES, 'block py-2 font-mono text-sm')}
      />
      {problem && <BatchProblem id={`${id}-error`} problem={problem} />}
      <RefusalHelp code={problem?.code ?? null} />
      <CrawlSettingsSection form={settings} />
      <div className="mt-2 flex flex-wrap items-center justify-between gap-2">
        <p id={`${id}-hint`} className="text-sm text-muted">
          Up to {limit} at once. If you don’t have enough audits left, none will be submitted.
        </p>
        <Button
          variant="primary"
          type="submit"
          busy={isLoading}
          className="h-10 flex-auto sm:flex-none pointer-coarse:h-11"
        >
          Generate SEO Reports
        </Button>
      </div>
    </form>
  );
}

function BatchProblem({ id, problem }: { id: string; problem: Problem }) {
  if (problem.lines.length === 0) return <FieldError id={id}>{problem.text}</FieldError>;
  const more = problem.lines.length - LINES_SHOWN;
  return (
    <div id={id} role="alert" className="mt-1 text-sm text-bad">
      <p className="font-medium">{problem.text}</p>
      <ul className="mt-1 font-mono wrap-anywhere">
        {problem.lines.slice(0, LINES_SHOWN).map((line) => (
          <li key={line}>{line.length > 120 ? `${line.slice(0, 120)}…` : line}</li>
        ))}
      </ul>
      {more > 0 && <p className="mt-1">and {count(more, 'more line')}</p>}
    </div>
  );
}

import { clsx } from 'clsx';
import { type FormEvent, useId, useRef, useState } from 'react';
import { URL_MAX_LENGTH } from '../../../../src/model/limits.ts';
import { type ApiFailure, asFailure } from '../../../api/failure.ts';
import { useOnceKey } from '../../../api/onceKey.ts';
import { Button } from '../../../ui/Button.tsx';
import { useDraft } from '../../../ui/form/draft.ts';
import { FieldError, INPUT_CLASSES } from '../../../ui/form/Field.tsx';
import { RefusalHelp } from '../../../ui/form/RefusalHelp.tsx';
import { hostWithoutWww } from '../../../ui/text/wording.ts';
import { useSubmitJobMutation } from '../jobsApi.ts';
import { CrawlSettingsSection } from './CrawlSettingsSection.tsx';
import type { CrawlSettingsForm } from './enteredSettings.ts';
import { EXAMPLE_HOST, problemOfUrl } from './submission.ts';

interface SingleFormProps {
  settings: CrawlSettingsForm;
  demoSite: string | null;
  onRefused: (failure: ApiFailure) => boolean;
  /** What was started; '' while there is nothing to say. */
  onMessage: (message: string) => void;
}

export function SingleForm({ settings, demoSite, onRefused, onMessage }: SingleFormProps) {
  const [url, setUrl] = useDraft('site', '');
  const [problem, setProblem] = useState<string | null>(null);
  const [refusedFor, setRefusedFor] = useState<string | null>(null);
  const [submitJob, { isLoading, error }] = useSubmitJobMutation();
  const onceKey = useOnceKey(error);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();

  const submit = async (address: string): Promise<void> => {
    if (isLoading) return;
    onMessage('');
    const found = problemOfUrl(address);
    setProblem(found);
    setRefusedFor(null);
    const set = await settings.read();
    if (found) return field.current?.focus();
    if (!set) return;
    const asked = { url: address.trim(), ...set };
    try {
      const job = await submitJob({ ...asked, once: onceKey(asked) }).unwrap();
      // Keep text typed meanwhile.
      setUrl((now) => (now === address ? '' : now));
      settings.clear();
      onMessage(`Audit of ${hostWithoutWww(job.host)} started.`);
    } catch (refusal) {
      const failure = asFailure(refusal);
      if (await settings.refused(failure)) return;
      setRefusedFor(failure.code);
      if (!onRefused(failure)) setProblem(failure.message || 'Processing failed');
    }
    field.current?.focus();
  };
  const send = (event: FormEvent): void => {
    event.preventDefault();
    void submit(url);
  };
  const tryDemo = (): void => {
    setUrl(demoSite ?? '');
    void submit(demoSite ?? '');
  };

  return (
    <form noValidate onSubmit={send}>
      <label htmlFor={id} className="mb-1 block text-sm font-medium text-strong">
        Website address
      </label>
      <div className="flex flex-wrap gap-2">
        <input
          ref={field}
          id={id}
          type="url"
          inputMode="url"
          name="url"
          autoComplete="url"
          spellCheck={false}
          maxLength={URL_MAX_LENGTH}
          placeholder={`https://${EXAMPLE_HOST}`}
          value={url}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? `${id}-error` : undefined}
          onChange={(event) => setUrl(event.target.value)}
          className={clsx(INPUT_CLASSES, 'h-10 min-w-0 flex-1 basis-64 pointer-coarse:h-11')}
        />
        <Button
          variant="primary"
          type="submit"
          busy={isLoading}
          className="h-10 flex-auto sm:flex-none pointer-coarse:h-11"
        >
          Generate SEO Reports
        </Button>
      </div>
      {problem && <FieldError id={`${id}-error`}>{problem}</FieldError>}
      <RefusalHelp code={refusedFor} />
      <CrawlSettingsSection form={settings} />
      {demoSite && (
        <p className="mt-2 flex flex-wrap items-center gap-x-2 text-sm text-muted">
          No site to hand? Our demo shop has deliberate problems.
          <button type="button" onClick={tryDemo} className="min-h-8 link pointer-coarse:min-h-11">
            Try the demo site
          </button>
        </p>
      )}
    </form>
  );
}

import { type FormEvent, useState } from 'react';
import type { PromptView } from '../../../../src/http/contract/admin/prompts.ts';
import { textOf } from '../../../api/failure.ts';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { Field } from '../../../ui/form/Field.tsx';
import { hostWithoutWww } from '../../../ui/text/wording.ts';
import { PromptTrial } from './PromptTrial.tsx';
import { usePreviewPromptMutation } from './promptsApi.ts';
import { ScrollRegion } from './ScrollRegion.tsx';

/** In the URL of a job's page, or on its own. */
const JOB_ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** The full model input for a finished job, with the text in the editor. */
export function PromptPreview({ prompt, content, usable }: { prompt: PromptView; content: string; usable: boolean }) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [fill, { data, error, isLoading, originalArgs }] = usePreviewPromptMutation();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const jobId = JOB_ID.exec(typed)?.[0];
    setProblem(jobId ? null : 'Please paste the URL of a job’s page, or its ID');
    if (jobId) void fill({ key: prompt.key, body: { jobId, content } });
  };
  return (
    <Card title="Try it on a finished job">
      <form onSubmit={submit} className="flex flex-wrap items-start gap-2">
        <Field
          className="min-w-0 flex-1 basis-64"
          label="Job"
          value={typed}
          placeholder="https://…/dashboard/jobs/…"
          hint="The URL of its page, or its ID. Opening another user’s job is logged."
          error={problem ?? (error ? textOf(error, 'Failed to fill in the prompt') : null)}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit" className="mt-6" busy={isLoading} disabled={!usable}>
          Show what is sent
        </Button>
      </form>
      {!usable && <p className="mt-2 text-sm text-muted">Fix the text first.</p>}
      {data && (
        <div className="mt-4 space-y-3">
          <p className="text-sm text-muted">
            About {hostWithoutWww(data.host)}, roughly {data.tokens.toLocaleString('en-US')} tokens.
            {originalArgs?.body.content !== content && ' The text has changed since.'}
          </p>
          <PromptPart title="Instructions" text={data.system} />
          {data.data === null ? (
            <p>
              This job has nothing that this prompt covers, so no model would be asked: the built-in analyst writes the
              text.
            </p>
          ) : (
            <>
              <PromptPart title="Data" text={data.data} />
              <PromptTrial
                key={data.job_id}
                promptKey={prompt.key}
                jobId={data.job_id}
                content={content}
                model={data.model}
                usable={usable}
              />
            </>
          )}
        </div>
      )}
    </Card>
  );
}

function PromptPart({ title, text }: { title: string; text: string }) {
  return (
    <div>
      <h3 className="mb-1 text-sm">{title}</h3>
      <ScrollRegion label={title}>{text}</ScrollRegion>
    </div>
  );
}

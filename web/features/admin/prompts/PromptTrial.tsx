import type { PromptTrialView } from '../../../../src/http/contract/admin/prompts.ts';
import { dollarsText } from '../../../../src/model/modelUse.ts';
import type { PromptKey } from '../../../../src/model/prompts/prompt.ts';
import { textOf } from '../../../api/failure.ts';
import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { count, grouped } from '../../../ui/text/wording.ts';
import { useTryPromptMutation } from './promptsApi.ts';
import { ScrollRegion } from './ScrollRegion.tsx';

type Props = { promptKey: PromptKey; jobId: string; content: string; model: string | null; usable: boolean };

/** Runs the text in the editor through the model: its answer, the cost, and whether a report would accept it. */
export function PromptTrial({ promptKey, jobId, content, model, usable }: Props) {
  const [ask, { data: trial, error, isLoading, isSuccess, originalArgs }] = useTryPromptMutation();
  if (model === null) return <p>No language model is configured: the built-in analyst writes all texts.</p>;
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button
          busy={isLoading}
          disabled={!usable}
          onClick={() => void ask({ key: promptKey, body: { jobId, content } })}
        >
          Ask the model
        </Button>
        <p className="min-w-0 flex-1 basis-64 text-sm text-muted">
          Asks {model} once, at its usual cost. No report changes. The answer is deleted after an hour.
        </p>
      </div>
      <div aria-live="polite" className="space-y-3">
        {isLoading && <p className="text-sm text-muted">Waiting for the answer…</p>}
        {error && !isLoading && <Notice tone="bad">{textOf(error, 'Failed to ask the model')}</Notice>}
        {isSuccess && !trial && <p>The answer has been deleted. Please ask again.</p>}
        {trial && !isLoading && <Answered trial={trial} outdated={originalArgs?.body.content !== content} />}
      </div>
    </div>
  );
}

function Answered({ trial: { answer, failure }, outdated }: { trial: PromptTrialView; outdated: boolean }) {
  if (!answer) return <Notice tone="bad">{failure?.reason ?? 'The model was not asked.'}</Notice>;
  const { refused, dropped, text } = answer;
  return (
    <>
      <p className="text-sm text-muted">
        {costText(answer)}
        {outdated && ' The text has changed since.'}
      </p>
      {refused !== null ? (
        <Notice tone="bad" title="A report would not use this answer">
          {refused} The built-in analyst would write instead.
        </Notice>
      ) : dropped > 0 ? (
        <Notice tone="attention" title="A report would use this answer in part">
          {count(dropped, 'part')} would be left out, because nothing found backs {dropped === 1 ? 'it' : 'them'}.
        </Notice>
      ) : (
        <Notice tone="good" title="A report would use this answer" />
      )}
      {text !== null && (
        <div>
          <h3 className="mb-1 text-sm">Answer</h3>
          <ScrollRegion label="Answer">{readable(text)}</ScrollRegion>
        </div>
      )}
    </>
  );
}

function costText({
  model,
  ms,
  input_tokens: input,
  output_tokens: output,
  cost_micros: cost,
}: NonNullable<PromptTrialView['answer']>): string {
  const tokens =
    input === null || output === null ? 'tokens unknown' : `${grouped(input)} tokens in, ${grouped(output)} out`;
  const money = cost === null ? 'price not configured' : dollarsText(cost);
  return `${model} answered in ${(ms / 1_000).toFixed(1)} s: ${tokens}, ${money}.`;
}

/** Models return JSON, mostly on one line. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

import { useState } from 'react';
import type { PromptView } from '../../../../src/http/contract/admin/prompts.ts';
import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { TextDiff } from './TextDiff.tsx';
import type { PromptForm } from './usePromptForm.ts';

/** Someone else saved meanwhile: shows both texts and lets the user decide. */
export function ConflictNotice({ prompt, form }: { prompt: PromptView; form: PromptForm }) {
  const [compared, setCompared] = useState(false);
  const { fields, discard, goOn } = form;
  const theirs = prompt.version;
  return (
    <Notice tone="attention" title={`Version ${theirs} was saved while you were editing version ${fields.version}`}>
      <p>
        What you changed is still here and not saved. If you keep it and save, it becomes version {theirs + 1}; version {theirs} stays in the history.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button aria-expanded={compared} onClick={() => setCompared(!compared)}>
          {compared ? 'Hide the comparison' : `Compare with version ${theirs}`}
        </Button>
        <Button onClick={() => goOn()}>Keep my changes</Button>
        <Button look="danger" onClick={() => discard()}>
          Discard my changes
        </Button>
      </div>
      {compared && <TextDiff before={prompt.content} after={fields.content} beforeName={`version ${theirs}`} afterName="your text" />}
    </Notice>
  );
}

import { type ReactNode, useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { TextDiff } from '../prompts/TextDiff.tsx';
import type { Versioned, VersionedForm } from './useVersionedForm.ts';

interface ConflictNoticeProps {
  form: Pick<VersionedForm<Versioned>, 'fields' | 'discard' | 'goOn'>;
  /** The version saved by someone else. */
  newest: number;
  /** The text of that version, and the one of the form. */
  theirs: string;
  mine: string;
  /** What happens to the changes. */
  children: ReactNode;
}

/** Someone else saved meanwhile: shows both texts and lets the user decide. */
export function ConflictNotice({ form, newest, theirs, mine, children }: ConflictNoticeProps) {
  const [compared, setCompared] = useState(false);
  return (
    <Notice
      tone="attention"
      title={`Version ${newest} was saved while you were editing version ${form.fields.version}`}
    >
      <p>{children}</p>
      <div className="flex flex-wrap gap-2">
        <Button aria-expanded={compared} onClick={() => setCompared(!compared)}>
          {compared ? 'Hide the comparison' : `Compare with version ${newest}`}
        </Button>
        <Button onClick={() => form.goOn()}>Keep my changes</Button>
        <Button variant="danger" onClick={() => form.discard()}>
          Discard my changes
        </Button>
      </div>
      {compared && <TextDiff before={theirs} after={mine} beforeName={`version ${newest}`} afterName="your text" />}
    </Notice>
  );
}

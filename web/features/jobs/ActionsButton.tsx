import { Suspense, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { lazily } from '../../ui/lazily.ts';
import { type ActionsButtonProps, ViewActions } from './ViewActions.tsx';

const GenerateActions = lazily(() => import('./GenerateActions.tsx'), 'GenerateActions');

/** 'View Actions' when the list has a count; otherwise asks the server, and offers to generate them, if there can be any. */
export function ActionsButton({ job, variant = 'quiet' }: ActionsButtonProps) {
  // A generation started here is shown to the end, even if the live row already has the new items.
  const [working, setWorking] = useState(false);
  if (job.action_count > 0 && !working) return <ViewActions job={job} variant={variant} number={job.action_count} />;
  // Nothing was read that could be acted on.
  if (job.not_judged && !working) return null;
  return (
    <Suspense fallback={<Button variant="quiet">Checking…</Button>}>
      <GenerateActions job={job} variant={variant} onWorking={setWorking} />
    </Suspense>
  );
}

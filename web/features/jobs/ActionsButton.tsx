import { Suspense, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { lazily } from '../../ui/lazily.ts';
import { type ActionsButtonProps, ViewActions } from './ViewActions.tsx';

const GenerateActions = lazily(() => import('./GenerateActions.tsx'), 'GenerateActions');

/** 'View Actions' when the list has a count; otherwise asks the server, and offers to generate them. */
export function ActionsButton({ job, look = 'quiet' }: ActionsButtonProps) {
  // A generation started here is shown to the end, even if the live row already has the new items.
  const [working, setWorking] = useState(false);
  if (job.action_count > 0 && !working) return <ViewActions job={job} look={look} number={job.action_count} />;
  return (
    <Suspense fallback={<Button look="quiet">Checking…</Button>}>
      <GenerateActions job={job} look={look} onWorking={setWorking} />
    </Suspense>
  );
}

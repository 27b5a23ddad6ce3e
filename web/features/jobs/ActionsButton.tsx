import { Suspense, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { lazily } from '../../ui/lazily.ts';
import { type ActionsButtonProps, ViewActions } from './ViewActions.tsx';

const GenerateActions = lazily(() => import('./GenerateActions.tsx'), 'GenerateActions');

/** 'View Actions' where the list tells that there are some; otherwise the server is asked, and they can be generated. */
export function ActionsButton({ job, look = 'quiet' }: ActionsButtonProps) {
  // What was begun here is seen through, although the live row may already have the new items.
  const [working, setWorking] = useState(false);
  if (job.action_count > 0 && !working) return <ViewActions job={job} look={look} number={job.action_count} />;
  return (
    <Suspense fallback={<Button look="quiet">Checking…</Button>}>
      <GenerateActions job={job} look={look} onWorking={setWorking} />
    </Suspense>
  );
}

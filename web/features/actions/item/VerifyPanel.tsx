import { CircleCheck, CircleHelp, CircleX, RotateCcw, ScanSearch } from 'lucide-react';
import { useState } from 'react';
import type { VerificationView } from '../../../../src/http/contract/actions.ts';
import { readableAddress } from '../../../../src/model/readableAddress.ts';
import { textOf } from '../../../api/failure.ts';
import { Button } from '../../../ui/Button.tsx';
import { FieldError } from '../../../ui/form/Field.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { RelativeTime } from '../../../ui/text/RelativeTime.tsx';
import { useEarlierRework } from '../earlierRework.ts';
import { type ActionWork, NOT_VERIFIED, nextMove } from '../work.ts';
import type { ActionItem } from './actionItem.ts';
import { EvidenceLink } from './EvidenceLink.tsx';

/** Rechecks on the site whether the task is fixed, and shows the result. */
export function VerifyPanel({ item, work }: { item: ActionItem; work: ActionWork }) {
  const [own, setOwn] = useState<'none' | 'running' | { readonly failure: string | null }>('none');
  const earlier = useEarlierRework(work.jobId, 'verification', item.id);
  const running = own === 'running' || earlier.isRunning;
  const failure = typeof own === 'object' ? own.failure : earlier.error ? textOf(earlier.error, NOT_VERIFIED) : null;
  const verify = async (): Promise<void> => {
    setOwn('running');
    setOwn({ failure: await work.verify(item) });
  };
  return (
    <section aria-labelledby="verify" className="space-y-3 panel p-4 sm:p-6">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 id="verify" className="text-lg">
          Verify the fix
        </h3>
        <Button busy={running} className="print:hidden" onClick={() => void verify()}>
          {!running && <ScanSearch aria-hidden="true" size={14} />}
          {running ? 'Checking the site' : 'Verify'}
        </Button>
      </div>
      <p role="status" className="sr-only">
        {running ? 'Checking the site' : ''}
      </p>
      {failure !== null && !running && <FieldError>{failure}</FieldError>}
      {item.verification ? (
        <>
          {isCompletedButFailing(item) && <ReopenOffer item={item} work={work} />}
          <Outcome verification={item.verification} />
        </>
      ) : (
        <p className="text-muted">
          Runs this task’s checks again on its pages. If all of them pass, the task is completed.
        </p>
      )}
    </section>
  );
}

/** It is completed, but the recheck still finds it. */
const isCompletedButFailing = ({ status, verification }: ActionItem): boolean =>
  status === 'completed' && verification?.outcome === 'still_failing';

function ReopenOffer({ item, work }: { item: ActionItem; work: ActionWork }) {
  return (
    <Notice tone="attention" title="Completed, but not fixed">
      <p>The task counts as completed, although the problem is still on the site.</p>
      <Button className="mt-2 print:hidden" onClick={() => work.changeStatus(item, 'todo')}>
        <RotateCcw aria-hidden="true" size={14} />
        {nextMove(item.status).label}
      </Button>
    </Notice>
  );
}

const OUTCOMES = {
  fixed: { tone: 'good', title: 'Fixed', Icon: CircleCheck },
  still_failing: { tone: 'bad', title: 'Still failing', Icon: CircleX },
  not_checked: { tone: 'attention', title: 'Not all could be checked', Icon: CircleHelp },
} as const;

const TONE_TEXT = { good: 'text-good', bad: 'text-bad', attention: 'text-attention' } as const;

/** What a recheck found. */
export function Outcome({ verification }: { verification: VerificationView }) {
  const { tone, title, Icon } = OUTCOMES[verification.outcome];
  return (
    <div className="space-y-3">
      <p className="flex flex-wrap items-center gap-x-2">
        <span className={`inline-flex items-center gap-1.5 font-medium ${TONE_TEXT[tone]}`}>
          <Icon aria-hidden="true" size={16} />
          {title}
        </span>
        <span className="text-sm text-muted">
          checked <RelativeTime iso={verification.at} />
        </span>
      </p>
      <p>{verification.text}</p>
      {verification.still_there_at.length > 0 && (
        <ul aria-label="Still there" className="divide-y divide-line border-y border-line">
          {verification.still_there_at.map(({ url, place, message }) => (
            <li key={`${url} ${place} ${message}`} className="py-2">
              <EvidenceLink url={url} />
              {place && <span className="ml-2 text-sm text-muted">{place}</span>}
              <p className="mt-0.5 wrap-anywhere">{message}</p>
            </li>
          ))}
        </ul>
      )}
      {verification.not_checked_at.length > 0 && (
        <Notice tone="info" title="Not checked">
          <ul>
            {verification.not_checked_at.map(({ url, because }) => (
              <li key={`${url} ${because}`} className="wrap-anywhere">
                {readableAddress(url)}: {because}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  );
}

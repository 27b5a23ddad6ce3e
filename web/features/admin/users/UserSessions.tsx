import { useRef, useState } from 'react';
import type { AdminUserView } from '../../../../src/http/contract/admin/users.ts';
import { textOf } from '../../../api/failure.ts';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { useKeptFocus } from '../../../ui/focus/keptFocus.ts';
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx';
import { RelativeTime } from '../../../ui/text/RelativeTime.tsx';
import { Status } from '../../../ui/text/Status.tsx';
import { exactTime } from '../../../ui/text/time.ts';
import { count } from '../../../ui/text/wording.ts';
import { useEndUserSessionsMutation } from './usersApi.ts';

type Session = AdminUserView['sessions'][number];

const nameOf = ({ agent }: Session): string => agent ?? 'Unknown device';

export function UserSessions({ userId, sessions }: { userId: string; sessions: readonly Session[] }) {
  const [confirming, setConfirming] = useState<Session | 'all' | null>(null);
  const [said, setSaid] = useState('');
  const card = useRef<HTMLElement>(null);
  useKeptFocus(card);
  return (
    <Card
      ref={card}
      title="Sessions"
      aside={
        sessions.length > 0 && (
          <Button variant="danger" onClick={() => setConfirming('all')}>
            {' '}
            Log out everywhere{' '}
          </Button>
        )
      }
    >
      {sessions.length === 0 && <p className="text-muted">Not logged in anywhere.</p>}
      <ul aria-label="Sessions" className="divide-y divide-line">
        {sessions.map((session) => (
          <li
            key={session.id}
            data-row={session.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2"
          >
            <div className="min-w-0 flex-1 basis-64">
              <p className="text-strong">{nameOf(session)}</p>
              <p className="text-sm text-muted">
                Logged in {exactTime(session.created_at)} · last used <RelativeTime iso={session.last_used_at} />
                {session.network !== null && <span className="font-mono"> · {session.network}</span>}
              </p>
            </div>
            <Button
              onClick={() => setConfirming(session)}
              aria-label={`Log out: ${nameOf(session)}, logged in ${exactTime(session.created_at)}`}
            >
              {' '}
              Log out{' '}
            </Button>
          </li>
        ))}
      </ul>
      <Status>{said}</Status>
      {confirming && (
        <EndDialog
          userId={userId}
          ending={confirming}
          open={sessions.length}
          onEnded={setSaid}
          onClose={() => setConfirming(null)}
        />
      )}
    </Card>
  );
}

interface EndDialogProps {
  userId: string;
  ending: Session | 'all';
  open: number;
  /** With what happened. */
  onEnded: (text: string) => void;
  onClose: () => void;
}

function EndDialog({ userId, ending, open, onEnded, onClose }: EndDialogProps) {
  const [end, { isLoading, error }] = useEndUserSessionsMutation();
  const all = ending === 'all';
  const go = async (): Promise<void> => {
    if ('error' in (await end({ userId, ...(all ? {} : { sessionId: ending.id }) }))) return;
    onEnded(all ? 'All sessions ended.' : `Session of ${nameOf(ending)} ended.`);
    onClose();
  };
  return (
    <FormDialog
      asks
      danger
      title={all ? 'Log out everywhere?' : 'Log out this session?'}
      submit={all ? 'Log out everywhere' : 'Log out'}
      busy={isLoading}
      problem={error && textOf(error)}
      onSubmit={go}
      onClose={onClose}
    >
      <p>
        {all ? `This ends ${count(open, 'session')}` : `This ends the session of ${nameOf(ending)}`}. The user can log
        in again with their password.
      </p>
    </FormDialog>
  );
}

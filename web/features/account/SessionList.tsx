import { clsx } from 'clsx';
import { useRef, useState } from 'react';
import type { SessionView } from '../../../src/http/contract/security.ts';
import { textOf } from '../../api/failure.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { useKeptFocus } from '../../ui/focus/keptFocus.ts';
import { Notice } from '../../ui/Notice.tsx';
import { FormDialog } from '../../ui/overlay/FormDialog.tsx';
import { QueryState } from '../../ui/QueryState.tsx';
import { RowsSkeleton } from '../../ui/Skeleton.tsx';
import { RelativeTime } from '../../ui/text/RelativeTime.tsx';
import { Status } from '../../ui/text/Status.tsx';
import { exactTime } from '../../ui/text/time.ts';
import { useEndSessionMutation, useGetSessionsQuery, useLogOutEverywhereMutation } from './securityApi.ts';

/** Sessions shown until all are requested. */
const FIRST = 5;
const NOTED_EVERY_MS = 3_600_000;

/** The user's sessions, and how to end them. */
export function SessionList({ onLoggedOut }: { onLoggedOut: () => void }) {
  const query = useGetSessionsQuery(undefined, { refetchOnMountOrArgChange: true });
  return (
    <QueryState
      query={query}
      title="Failed to load your sessions"
      loading={<RowsSkeleton label="Loading your sessions" rows={2} />}
    >
      {(sessions) => <Sessions sessions={sessions} onLoggedOut={onLoggedOut} />}
    </QueryState>
  );
}

function Sessions({ sessions, onLoggedOut }: { sessions: readonly SessionView[]; onLoggedOut: () => void }) {
  const [end, ending] = useEndSessionMutation();
  const [confirming, setConfirming] = useState(false);
  const [all, setAll] = useState(false);
  const [said, setSaid] = useState('');
  const list = useRef<HTMLDivElement>(null);
  useKeptFocus(list);
  // The current session comes first and is never hidden.
  const sorted = [...sessions].sort((a, b) => Number(b.current) - Number(a.current));
  const shown = all ? sorted : sorted.slice(0, FIRST);
  const signOut = async (session: SessionView): Promise<void> => {
    if (!('error' in (await end(session.id)))) setSaid(`Logged out: ${nameOf(session)}.`);
  };
  return (
    <div ref={list}>
      <Status>{said}</Status>
      {ending.error && (
        <Notice tone="bad" className="mb-2">
          <p>{textOf(ending.error, 'Couldn’t log out that session. Please try again.')}</p>
        </Notice>
      )}
      <ul className="divide-y divide-line border-y border-line">
        {shown.map((session) => (
          <Session
            key={session.id}
            session={session}
            busy={ending.isLoading && ending.originalArgs === session.id}
            onEnd={() => void signOut(session)}
          />
        ))}
      </ul>
      {shown.length < sessions.length && (
        <Button variant="quiet" className="mt-2 mr-2 -ml-2" onClick={() => setAll(true)}>
          Show all {sessions.length}
        </Button>
      )}
      <Button
        variant="danger"
        className={clsx('mt-2', shown.length === sessions.length && '-ml-2')}
        onClick={() => setConfirming(true)}
      >
        Log out everywhere
      </Button>
      {confirming && (
        <EverywhereDialog count={sessions.length} onClose={() => setConfirming(false)} onLoggedOut={onLoggedOut} />
      )}
    </div>
  );
}

/** What opened it, before any second factor. */
const HOW: Readonly<Record<NonNullable<SessionView['logged_in_by']>, string>> = {
  password: '',
  code: '',
  recovery_code: '',
  mail: 'by email',
  passkey: 'with a passkey',
  provider: 'with single sign-on',
};

const nameOf = ({ agent }: SessionView): string => agent ?? 'Unknown device';

function Session({ session, busy, onEnd }: { session: SessionView; busy: boolean; onEnd: () => void }) {
  const name = nameOf(session);
  // The only thing that tells sessions of one browser apart.
  const since = exactTime(session.created_at);
  return (
    <li data-row={session.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 text-strong">
          {name}
          {session.current && <Badge tone="good">This device</Badge>}
        </p>
        <p className="text-sm text-muted">
          Logged in {HOW[session.logged_in_by ?? 'password']} {since} · <LastUsed session={session} />
          {session.network && (
            <>
              {' '}
              · <span className="font-mono">{session.network}</span>
            </>
          )}
        </p>
      </div>
      {!session.current && (
        <Button variant="secondary" busy={busy} onClick={onEnd} aria-label={`Log out: ${name}, logged in ${since}`}>
          {' '}
          Log out{' '}
        </Button>
      )}
    </li>
  );
}

/** Use is recorded about once an hour, so the text is no more precise than that. */
function LastUsed({ session: { current, last_used_at: at } }: { session: SessionView }) {
  if (current) return 'in use now';
  if (Date.now() - Date.parse(at) < NOTED_EVERY_MS) return 'used within the last hour';
  return (
    <>
      last used <RelativeTime iso={at} />
    </>
  );
}

function EverywhereDialog({
  count,
  onClose,
  onLoggedOut,
}: {
  count: number;
  onClose: () => void;
  onLoggedOut: () => void;
}) {
  const [logOut, { isLoading, error }] = useLogOutEverywhereMutation();
  const go = async (): Promise<void> => {
    const outcome = await logOut();
    if (!('error' in outcome)) onLoggedOut();
  };
  return (
    <FormDialog
      asks
      danger
      title="Log out everywhere?"
      onClose={onClose}
      cancel="Stay logged in"
      submit="Log out everywhere"
      busy={isLoading}
      problem={error && textOf(error, 'Something went wrong. Please try again.')}
      onSubmit={go}
    >
      <p>
        {count === 1 ? 'This ends your session.' : `This ends all ${count} of your sessions, including this one.`} You
        can log in again afterward.
      </p>
    </FormDialog>
  );
}

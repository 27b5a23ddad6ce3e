import { Link } from 'react-router-dom';
import type { AdminUserMail } from '../../../../src/http/contract/admin/users.ts';
import { adminHistoryPath } from '../../../ui/adminPaths.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import type { Tone } from '../../../ui/Notice.tsx';
import { RelativeTime } from '../../../ui/text/RelativeTime.tsx';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { useListUserMailsInfiniteQuery } from './usersApi.ts';

/** Emails sent to a user: subject, time and delivery. Their content is not stored. */
export function UserMails({ userId }: { userId: string }) {
  const query = useListUserMailsInfiniteQuery(userId);
  return (
    <Card title="Emails">
      <AdminAnswer
        query={query}
        title="Failed to load the emails"
        textOf={(status) => `Failed to fetch emails: ${status || 'no answer'}`}
      >
        {({ pages }) => {
          const mails = pages.flatMap(({ data }) => data);
          if (mails.length === 0) return <p className="text-muted">No emails yet.</p>;
          return (
            <>
              <ul aria-label="Emails" className="divide-y divide-line border-t border-line">
                {mails.map((mail) => (
                  <Row key={mail.id} mail={mail} />
                ))}
              </ul>
              {query.hasNextPage && (
                <Button className="mt-2" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                  Load more
                </Button>
              )}
            </>
          );
        }}
      </AdminAnswer>
    </Card>
  );
}

function Row({ mail: { id, kind, outcome, at } }: { mail: AdminUserMail }) {
  const [tone, word] = OUTCOMES[outcome] ?? ['plain', outcome];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
      <span className="min-w-0 flex-1 basis-48 font-medium text-strong">{SUBJECTS[kind] ?? kind}</span>
      <Badge tone={tone}>{word}</Badge>
      <span className="text-sm text-muted tabular-nums">
        <RelativeTime iso={at} />
      </span>
      <Link
        to={adminHistoryPath(`mail-${id}`)}
        aria-label={`History of ${SUBJECTS[kind] ?? kind}`}
        className="inline-flex items-center text-sm text-accent underline-offset-2 hover:underline pointer-coarse:min-h-11"
      >
        History
      </Link>
    </li>
  );
}

/** By the kind of email. */
const SUBJECTS: Readonly<Record<string, string>> = {
  password_reset: 'Password reset',
  password_changed: 'Password changed',
  email_changed: 'Email address changed',
  email_confirmation: 'Email confirmation',
  job_done: 'Analysis complete',
  webhook_off: 'Webhook turned off',
  second_factor: 'Two-factor authentication changed',
  receipt: 'Receipt',
  payment_failed: 'Payment failed',
  subscription_ends: 'Plan ends soon',
  subscription_ended: 'Plan ended',
  sequence: 'Email of a sequence',
};

const OUTCOMES: Readonly<Record<string, readonly [Tone | 'plain', string]>> = {
  sending: ['info', 'Being sent'],
  sent: ['good', 'Sent'],
  refused: ['bad', 'Refused by the mail server'],
  too_old: ['bad', 'Not sent within a day'],
  given_up: ['bad', 'Given up'],
  not_wanted: ['plain', 'Unsubscribed'],
  not_confirmed: ['plain', 'Address not confirmed'],
  gone: ['plain', 'No longer relevant'],
  no_mailer: ['attention', 'No mail server configured'],
};

import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import type { FailedMailView, SystemView } from '../../../../src/http/contract/admin/system.ts';
import { FAILURES_LISTED } from '../../../../src/model/adminLists.ts';
import { textOf } from '../../../api/failure.ts';
import { adminHistoryPath } from '../../../ui/adminPaths.ts';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx';
import { RelativeTime } from '../../../ui/text/RelativeTime.tsx';
import { grouped } from '../../../ui/text/wording.ts';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { useListFailedWebhooksQuery, useListMailsQuery, useResendMailMutation } from './systemApi.ts';
import { MAIL_FAILURES, mailName } from './wording.ts';

/** Emails and webhook deliveries that failed. */
export function MailsAndWebhooks({
  failedToday,
  keepsMail,
}: {
  failedToday: SystemView['failed_today'];
  keepsMail: boolean;
}) {
  return (
    <Card title="Emails and webhooks">
      <Part
        name="Emails"
        summary={`${grouped(failedToday.mails)} failed in the last 24 hours${keepsMail ? ' · kept in the outbox, none are sent' : ''}`}
        List={MailLists}
      />
      <Part
        name="Webhook deliveries"
        summary={`${grouped(failedToday.webhooks)} given up in the last 24 hours`}
        List={WebhookList}
      />
    </Card>
  );
}

function Part({ name, summary, List }: { name: string; summary: string; List: () => ReactNode }) {
  const [shown, setShown] = useState(false);
  return (
    <section aria-label={name} className="border-line py-2 not-first:border-t">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <span className="min-w-40 font-medium text-strong">{name}</span>
        <span className="text-normal">{summary}</span>
        <Button
          variant="quiet"
          className="ml-auto"
          aria-expanded={shown}
          aria-label={`${shown ? 'Hide' : 'Show'} ${name.toLowerCase()}`}
          onClick={() => setShown(!shown)}
        >
          {shown ? 'Hide' : 'Show'}
        </Button>
      </div>
      {shown && <List />}
    </section>
  );
}

function MailLists() {
  const query = useListMailsQuery(undefined, { refetchOnMountOrArgChange: true });
  const [confirming, setConfirming] = useState<FailedMailView | null>(null);
  return (
    <AdminAnswer
      query={query}
      title="Failed to load emails"
      textOf={() => textOf(query.error, 'The server sent an unexpected response.')}
    >
      {({ outbox, failed }) => (
        <>
          <Rows label="Failed emails" empty="No emails have failed.">
            {failed.map((mail) => (
              <FailedMail key={mail.id} mail={mail} onResend={() => setConfirming(mail)} />
            ))}
          </Rows>
          {confirming && <ResendDialog mail={confirming} onClose={() => setConfirming(null)} />}
          {outbox && (
            <Rows label="Outbox" empty="The outbox is empty.">
              {outbox.map(({ to, subject, at }) => (
                <Row key={`${at} ${to} ${subject}`} at={at} what={subject} why={`To ${to}`} />
              ))}
            </Rows>
          )}
        </>
      )}
    </AdminAnswer>
  );
}

const nameOf = ({ kind, email }: FailedMailView): string => `${mailName(kind)} to ${email ?? 'a deleted account'}`;

function FailedMail({ mail, onResend }: { mail: FailedMailView; onResend: () => void }) {
  const { reason, failed_at, not_resendable: refusal } = mail;
  const why = [MAIL_FAILURES[reason] ?? reason, refusal && `cannot be sent again: ${refusal}`]
    .filter(Boolean)
    .join(' · ');
  return (
    <Row
      stream={`mail-${mail.id}`}
      at={failed_at}
      what={nameOf(mail)}
      why={why}
      action={
        refusal === null && (
          <Button aria-label={`Send again: ${nameOf(mail)}`} onClick={onResend}>
            Send again
          </Button>
        )
      }
    />
  );
}

function ResendDialog({ mail, onClose }: { mail: FailedMailView; onClose: () => void }) {
  const [resend, { isLoading, error }] = useResendMailMutation();
  const confirm = async (): Promise<void> => {
    const { error: refusal } = await resend({ mail_id: mail.id });
    if (!refusal) onClose();
  };
  return (
    <FormDialog
      asks
      title="Send this email again?"
      onClose={onClose}
      cancel="Cancel"
      submit="Send it"
      busy={isLoading}
      problem={error && textOf(error, 'Failed to send it again')}
      onSubmit={confirm}
    >
      <p className="wrap-anywhere">
        “{mailName(mail.kind)}” to {mail.email} is regenerated and sent within a minute or so, unless the user opted
        out. If it fails again, it comes back to this list.
      </p>
    </FormDialog>
  );
}

function WebhookList() {
  const query = useListFailedWebhooksQuery(undefined, { refetchOnMountOrArgChange: true });
  return (
    <AdminAnswer
      query={query}
      title="Failed to load deliveries"
      textOf={() => textOf(query.error, 'The server sent an unexpected response.')}
    >
      {({ failed }) => (
        <Rows label="Failed deliveries" empty="No deliveries were given up.">
          {failed.map(({ id, url, email, event, tries, error, failed_at }) => (
            <Row
              key={id}
              stream={`webhook-delivery-${id}`}
              at={failed_at}
              what={`${event} to ${url ?? 'a removed webhook'}`}
              why={[email, `${tries} ${tries === 1 ? 'try' : 'tries'}`, error].filter(Boolean).join(' · ')}
            />
          ))}
        </Rows>
      )}
    </AdminAnswer>
  );
}

function Rows({ label, empty, children }: { label: string; empty: string; children: readonly ReactNode[] }) {
  if (children.length === 0) return <p className="mt-2 text-sm text-muted">{empty}</p>;
  return (
    <>
      <h3 className="mt-3 mb-1 text-sm text-muted">{label}</h3>
      <ul
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must be able to.
        tabIndex={0}
        className="max-h-80 divide-y divide-line overflow-y-auto border-l-2 border-line pl-3"
      >
        {children}
      </ul>
      {children.length >= FAILURES_LISTED && (
        <p className="mt-1 text-sm text-muted">The newest {grouped(children.length)} are shown.</p>
      )}
    </>
  );
}

/** `stream`: the history with more details. */
function Row({
  at,
  what,
  why,
  stream,
  action,
}: {
  at: string;
  what: string;
  why: string;
  stream?: string;
  action?: ReactNode;
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <div className="min-w-0 flex-1 basis-64">
        <p className="wrap-anywhere">
          {stream === undefined ? (
            what
          ) : (
            <Link to={adminHistoryPath(stream)} className="underline underline-offset-2">
              {what}
            </Link>
          )}
        </p>
        <p className="text-sm text-muted wrap-anywhere">
          {why} · <RelativeTime iso={at} />
        </p>
      </div>
      {action}
    </li>
  );
}

/**
 * Emails the operator about problems that will not resolve themselves, with the remedy: at most once an hour per cause.
 * The state is when each was last reported.
 */
import type { Mailer } from '../../integrations/mailer/mailer.ts';
import { type MailContent, PRODUCT, renderMail } from '../../workers/mails/layout.ts';
import type { Sweep } from '../sweep.ts';

const EVERY_MS = 5 * 60 * 1_000;
const HOUR_MS = 60 * 60 * 1_000;
/** These trigger an email; the rest is shown on the system page. */
const CAUSES: readonly string[] = ['log', 'parked', 'lag', 'mails', 'disk'];

/** One sentence each: the problem, and the remedy. */
export type Alert = { readonly cause: string; readonly text: string; readonly todo: string };

export type AlertsDeps = {
  readonly problems: () => Promise<readonly Alert[]>;
  /** Null: this installation sends no email. */
  readonly mailer: Pick<Mailer, 'send'> | null;
  /** Undefined: there is no recipient. */
  readonly adminEmail: string | undefined;
  readonly appUrl: string;
  /** UTC ISO. */
  readonly now: () => string;
};

/** The owner of these emails in the outbox: not an account. */
const OPERATOR = 'operator';

export function createAlerts({ problems, mailer, adminEmail, appUrl, now }: AlertsDeps): Sweep {
  return {
    name: 'alerts',
    everyMs: EVERY_MS,
    async run(kept) {
      if (!mailer || adminEmail === undefined) return { done: 0, kept };
      const at = now();
      const written = writtenIn(kept);
      const due = (await problems()).filter(({ cause }) => CAUSES.includes(cause) && isDue(written[cause], at));
      if (due.length === 0) return { done: 0, kept };
      const content = alertMail(due, appUrl);
      await mailer.send({
        userId: OPERATOR,
        to: adminEmail,
        subject: content.subject,
        ...renderMail(content),
        // The same id if the run is repeated because it died before it was recorded.
        messageId: `alert-${due.map(({ cause }) => cause).join('-')}-${Math.floor(Date.parse(at) / HOUR_MS)}@${new URL(appUrl).hostname.replaceAll(/[[\]]/g, '')}`,
      });
      return {
        done: due.length,
        kept: JSON.stringify({ ...written, ...Object.fromEntries(due.map(({ cause }) => [cause, at])) }),
      };
    },
  };
}

/** Also true if the clock was set back before the last email. */
function isDue(last: string | undefined, now: string): boolean {
  const age = last === undefined ? Number.NaN : Date.parse(now) - Date.parse(last);
  return !(age >= 0 && age < HOUR_MS);
}

function writtenIn(kept: string | null): Readonly<Record<string, string>> {
  try {
    return kept === null ? {} : (JSON.parse(kept) as Readonly<Record<string, string>>);
  } catch {
    return {};
  }
}

function alertMail(alerts: readonly Alert[], appUrl: string): MailContent {
  const [first] = alerts;
  return {
    subject:
      alerts.length === 1 && first
        ? `${PRODUCT}: ${first.text}`
        : `${PRODUCT}: ${alerts.length} problems need your attention`,
    heading: 'Your installation needs attention',
    blocks: [
      {
        kind: 'list',
        title: 'What is wrong, and what helps',
        items: alerts.map(({ text, todo }) => ({ title: text, detail: todo })),
      },
      { kind: 'button', label: 'Open System Status', url: `${appUrl}/admin/system` },
    ],
    footer: [
      {
        text: 'You’re receiving this because your address is the ADMIN_EMAIL of this installation. Each problem is sent at most once an hour.',
      },
    ],
  };
}

import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Mailer } from '../integrations/mailer/mailer.ts';
import { createOutbox } from '../integrations/mailer/outbox.ts';
import type { Config } from './config.ts';

/** Processes that share stores share no folder, so emails kept by one could not be found. */
export const keepsOrSendsMail = ({ SMTP_URL, servers }: Config): boolean => SMTP_URL !== undefined || servers === null;

/** Emails are kept in a folder instead of being sent. */
export const keepsMail = (config: Config): boolean => config.SMTP_URL === undefined && keepsOrSendsMail(config);

/** Null if no email can be sent or kept. */
export async function chooseMailer(
  config: Config,
  appUrl: string,
  log: Logger,
  now: () => string,
): Promise<Mailer | null> {
  const from = config.MAIL_FROM ?? `SEO Workbench <no-reply@${new URL(appUrl).hostname}>`;
  if (config.SMTP_URL) {
    // The library is loaded only if email is sent.
    const { createSmtpMailer } = await import('../integrations/mailer/smtp.ts');
    return createSmtpMailer({ url: config.SMTP_URL, from });
  }
  if (!keepsOrSendsMail(config)) {
    log.warn('SMTP_URL is not set: no mail is sent, nobody can reset a password');
    return null;
  }
  const onMail = (file: string, { subject }: { readonly subject: string }): void => {
    if (!config.production) log.warn({ file, subject }, 'a mail waits in the outbox');
  };
  return createOutbox({ dir: join(config.DATA_DIR, 'outbox'), from, now, onMail });
}

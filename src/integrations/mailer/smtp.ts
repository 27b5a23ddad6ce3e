/** The mailer for an SMTP server. */
import nodemailer from 'nodemailer';
import { checkMail, type Mailer, MailRefused } from './mailer.ts';

export type SmtpOptions = {
  /** `smtp://user:password@host:587` or `smtps://…:465`. */
  readonly url: string;
  /** `Name <address>` or a bare address. */
  readonly from: string;
  /** For connecting and for each response, ms. */
  readonly timeoutMs?: number;
};

const TIMEOUT_MS = 10_000;

export function createSmtpMailer({ url, from, timeoutMs = TIMEOUT_MS }: SmtpOptions): Mailer {
  const transport = nodemailer.createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // An email is sent as given: it cannot pull in local files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(mail) {
      checkMail(mail);
      const { to, subject, text, html, headers = {}, messageId } = mail;
      try {
        await transport.sendMail({
          from,
          to: { name: '', address: to },
          subject,
          text,
          html,
          messageId: `<${messageId}>`,
          // Suppresses out-of-office and other automatic replies.
          headers: { 'Auto-Submitted': 'auto-generated', ...headers },
        });
      } catch (error) {
        throw isFinal(error) ? new MailRefused('The mail server refuses this mail') : error;
      }
    },
    forget: async () => undefined,
    close: async () => transport.close(),
  };
}

/** Rejected permanently because of its recipient or content; problems with us (login, sender) can be fixed. */
function isFinal(error: unknown): boolean {
  const { responseCode = 0, command = '' } = error as { readonly responseCode?: number; readonly command?: string };
  return responseCode >= 500 && responseCode < 600 && (command === 'RCPT TO' || command === 'DATA');
}

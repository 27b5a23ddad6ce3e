/** The mails of a running app, sent to a real SMTP server by a separate worker. */
import { randomUUID } from 'node:crypto';
import { type ContextOf, contextOf } from '../../../src/commands/context.ts';
import { createSmtpMailer } from '../../../src/integrations/mailer/smtp.ts';
import { mailKind } from '../../../src/work/kinds/mail.ts';
import { type MailServer, startMailServer } from '../../servers/mailServer.ts';
import { quickPasswords } from '../passwords.ts';
import type { TestApp } from '../product/http.ts';
import { startRunner } from './work.ts';

export type MailingApp = {
  readonly server: MailServer;
  /** The link in a mail that begins with this path, below the app's address. */
  link(text: string, path: string): URL;
  close(): Promise<void>;
};

export async function startMailing(app: TestApp): Promise<MailingApp> {
  const server = await startMailServer();
  const mailer = createSmtpMailer({ url: server.url, from: 'SEO Workbench <no-reply@example.com>' });
  const { store, now, newToken, log, config } = app.deps;
  const context: ContextOf = (cause) =>
    contextOf({ store, now, commandId: randomUUID(), actor: { kind: 'worker', id: 'mails' } }, cause);
  const { appUrl, supportEmail } = config;
  const mails = mailKind(
    {
      mailer,
      now,
      newToken,
      hashCode: quickPasswords.hash,
      log,
      context,
      appUrl,
      supportEmail,
      companyName: 'Example',
      payments: null,
    },
    { random: Math.random },
  );
  const runner = startRunner({ readModels: app.readModels, now }, [mails]);
  return {
    server,
    link: (text, path) => new URL(new RegExp(`${appUrl}${path}\\S*`).exec(text)?.[0] ?? `missing:${path}`),
    close: async () => {
      await runner.stop();
      await mailer.close();
      await server.close();
    },
  };
}

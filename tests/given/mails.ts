/** The mail worker on a running app, sending to a real SMTP server. */
import { randomUUID } from 'node:crypto';
import { createSmtpMailer } from '../../src/integrations/mailer/smtp.ts';
import { type MailWorker, startMailWorker } from '../../src/workers/mailWorker.ts';
import { type MailServer, startMailServer } from '../servers/mailServer.ts';
import type { TestApp } from './http.ts';

export type MailingApp = {
  readonly server: MailServer;
  readonly worker: MailWorker;
  /** The link in a mail that begins with this path, below the app's address. */
  link(text: string, path: string): URL;
  close(): Promise<void>;
};

export async function startMailing(app: TestApp): Promise<MailingApp> {
  const server = await startMailServer();
  const mailer = createSmtpMailer({ url: server.url, from: 'SEO Workbench <no-reply@example.com>' });
  const { store, now, newToken, log, config } = app.deps;
  const worker = startMailWorker({
    ...{ store, mailer, now, newToken, log },
    appUrl: config.appUrl,
    supportEmail: config.supportEmail,
    context: () => ({ store, now, commandId: randomUUID(), actor: 'worker:mails' }),
    backoff: () => 20,
  });
  return {
    server,
    worker,
    link: (text, path) => new URL(new RegExp(`${config.appUrl}${path}\\S*`).exec(text)?.[0] ?? `missing:${path}`),
    close: async () => {
      await worker.stop();
      await mailer.close();
      await server.close();
    },
  };
}

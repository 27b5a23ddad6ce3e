import { afterEach, describe, expect, it } from 'vitest';
import { type Mailer, MailRefused } from '../../../src/integrations/mailer/mailer.ts';
import { createSmtpMailer } from '../../../src/integrations/mailer/smtp.ts';
import { describeMailer, mail } from '../../contract/mailer.ts';
import { type MailServer, startMailServer } from '../../servers/mailServer.ts';

const FROM = 'SEO Workbench <no-reply@seo.example.com>';
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function given(
  options: {
    readonly user?: string;
    readonly password?: string;
    readonly timeoutMs?: number;
    readonly url?: string;
  } = {},
) {
  const server: MailServer = await startMailServer(options);
  const mailer: Mailer = createSmtpMailer({
    url: options.url ?? server.url,
    from: FROM,
    ...(options.timeoutMs ? { timeoutMs: options.timeoutMs } : {}),
  });
  open.push(server, mailer);
  return { server, mailer };
}

describeMailer('SMTP', async () => {
  const { server, mailer } = await given();
  return { mailer, arrived: async () => server.mails, from: FROM };
});

describe('SMTP', () => {
  it('authenticates with the user and password in the URL', async () => {
    const { server, mailer } = await given({ user: 'sender', password: 's3cret' });
    await mailer.send(mail());
    expect(server.mails).toHaveLength(1);
  });

  it('marks mails as auto-generated', async () => {
    const { server, mailer } = await given();
    await mailer.send(mail());
    expect(server.mails[0]?.header('auto-submitted')).toBe('auto-generated');
  });

  it('reports a permanent refusal as final', async () => {
    const { server, mailer } = await given();
    server.refuse(550, 1, 'recipient');
    await expect(mailer.send(mail())).rejects.toBeInstanceOf(MailRefused);
    server.refuse(554, 1, 'data');
    await expect(mailer.send(mail())).rejects.toBeInstanceOf(MailRefused);
  });

  it('allows a retry if the server is busy, rejects the login, or is unreachable', async () => {
    const { server, mailer } = await given();
    for (const [code, at] of [
      [450, 'recipient'],
      [451, 'data'],
    ] as const) {
      server.refuse(code, 1, at);
      await expect(mailer.send(mail())).rejects.not.toBeInstanceOf(MailRefused);
    }
    await mailer.send(mail());
    expect(server.mails).toHaveLength(1);
    const wrong = await given({ user: 'sender', password: 's3cret', url: server.url });
    const locked = createSmtpMailer({ url: wrong.server.url.replace('s3cret', 'wrong'), from: FROM });
    open.push(locked);
    await expect(locked.send(mail())).rejects.not.toBeInstanceOf(MailRefused);
    await server.close();
    await expect(mailer.send(mail())).rejects.not.toBeInstanceOf(MailRefused);
  });

  it('a mail server that does not answer ends in a timeout', async () => {
    const { server, mailer } = await given({ timeoutMs: 200 });
    server.hang();
    await expect(mailer.send(mail())).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  });
});

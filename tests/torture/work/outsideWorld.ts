/**
 * The outside of the product: a mail server that sometimes accepts a mail and disconnects before confirming it, and a
 * webhook receiver.
 */
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import type { Random } from '../random.ts';

/** `answered` false: it arrived, but the sender got no answer. */
export type Arrival = { readonly id: string; readonly at: number; readonly answered: boolean };

export type OutsideWorld = {
  readonly mails: readonly Arrival[];
  /** The token of the newest confirmation link for an address, once it has arrived there. */
  confirmationFor(email: string): string | null;
  readonly deliveries: readonly Arrival[];
  readonly receiver: string;
  /** Settings that point the product to it. */
  readonly env: Readonly<Record<string, string>>;
  /** Internal addresses that must be allowed. */
  readonly hosts: readonly string[];
  close(): Promise<void>;
};

export type OutsideOptions = {
  /** Share of mails that arrive without an answer. Default 0.04. */
  readonly dropped?: number;
  /** The longest response time, ms. Default 30. */
  readonly slowMs?: number;
};

export async function openOutsideWorld(
  random: Random,
  { dropped = 0.04, slowMs = 30 }: OutsideOptions = {},
): Promise<OutsideWorld> {
  const mails: Arrival[] = [];
  const confirmations = new Map<string, string>();
  const deliveries: Arrival[] = [];
  const luck = { mail: random.fork(1), delivery: random.fork(2) };

  const mailServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const mail = Buffer.concat(chunks).toString('utf8');
        const id = /^message-id:\s*<([^@>]+)@/im.exec(mail)?.[1] ?? 'no message id';
        const link = /\/confirm-email#token=([\w.-]+)/.exec(withoutQuoting(mail))?.[1];
        if (link) for (const { address } of session.envelope.rcptTo) confirmations.set(address, link);
        const answered = !luck.mail.chance(dropped);
        await wait(luck.mail.between(0, slowMs));
        mails.push({ id, at: Date.now(), answered });
        if (answered) callback(null);
        else cut(session.id);
      });
    },
  });
  mailServer.on('error', () => undefined);
  /** The library's own list of connections knows the session of each. */
  function cut(sessionId: string): void {
    for (const connection of mailServer.connections as Set<{ session?: { id: string }; _socket?: Socket }>)
      if (connection.session?.id === sessionId) connection._socket?.destroy();
  }

  const receiver = createServer((request, response) => {
    const id = String(request.headers['x-seo-delivery']);
    request.resume();
    request.on('end', async () => {
      await wait(luck.delivery.between(0, slowMs));
      // It counts as arrived even if the sender is already gone.
      deliveries.push({ id, at: Date.now(), answered: !response.destroyed });
      response.writeHead(204).end();
    });
  });
  await Promise.all([
    new Promise<void>((resolve) => mailServer.listen(0, '127.0.0.1', resolve)),
    new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve)),
  ]);
  const port = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;
  return {
    mails,
    confirmationFor: (email) => confirmations.get(email) ?? null,
    deliveries,
    receiver: `http://127.0.0.1:${port(receiver)}`,
    env: { SMTP_URL: `smtp://127.0.0.1:${port(mailServer.server)}`, MAIL_FROM: 'Torture <torture@example.com>' },
    hosts: [`127.0.0.1:${port(receiver)}`],
    close: async () => {
      for (const connection of mailServer.connections as Set<{ close(): void }>) connection.close();
      receiver.closeAllConnections();
      await Promise.all([
        new Promise<void>((resolve) => mailServer.close(() => resolve())),
        new Promise((resolve) => receiver.close(resolve)),
      ]);
    },
  };
}

/** Decodes quoted-printable text. */
const withoutQuoting = (mail: string): string =>
  mail
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

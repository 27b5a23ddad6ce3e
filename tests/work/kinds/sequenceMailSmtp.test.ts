/** Sequence emails against a mail server that is busy, breaks down, drops connections, hangs, and refuses for good. */
import { connect as connectTo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createSmtpMailer } from '../../../src/integrations/mailer/smtp.ts';
import { SEQUENCE_MAIL } from '../../../src/work/kinds/sequenceMail.ts';
import { withAdmin } from '../../given/commands.ts';
import { activeSequence, provenUser, sequenceWorld } from '../../given/work/sequences.ts';
import { until } from '../../given/work/toyWork.ts';
import { openWork, type Work } from '../../given/work/work.ts';
import { type MailServer, startMailServer } from '../../servers/mailServer.ts';

let work: Work;
let server: MailServer;
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await work.close();
  for (const close of closing.splice(0).reverse()) await close();
});

const HOUR_MS = 60 * 60 * 1_000;
const USERS = 3;

async function open(url?: (real: string) => Promise<string>) {
  server = await startMailServer();
  closing.push(() => server.close());
  work = await openWork(await withAdmin());
  const mailer = createSmtpMailer({
    url: url ? await url(server.url) : server.url,
    from: 'no-reply@example.com',
    timeoutMs: 300,
  });
  closing.push(() => mailer.close());
  const world = sequenceWorld(work);
  await activeSequence(work.made, [0, 1]);
  for (let nth = 0; nth < USERS; nth += 1) await provenUser(work.made, `user${nth}@example.com`, `User ${nth}`);
  await world.follow();
  work.start([world.kindOf(mailer)]);
  return world;
}
type World = Awaited<ReturnType<typeof open>>;

/** Half an hour at a time, until nothing is pending; sending takes real time, which the clock waits for. */
async function settle(world: World): Promise<void> {
  await until(async () => {
    await world.follow();
    const waiting = await world.waiting();
    if (waiting.length === 0) return true;
    if ((await work.readModels.claims.read(SEQUENCE_MAIL, waiting)).some(({ holder }) => holder !== null)) return false;
    const { clock } = work.made;
    clock.advance(HOUR_MS / 2);
    await new Promise((resolve) => setImmediate(resolve));
    return false;
  }, 'every mail is settled');
}
const sentTo = (nth: number) => server.mails.filter(({ to }) => to === `user${nth}@example.com`);

/** For the first so many accepted emails, the sender gets no confirmation. */
async function cutting(real: string, times: number): Promise<string> {
  let left = times;
  const open_ = new Set<Socket>();
  const proxy: Server = createServer((socket) => {
    const upstream = connectTo(Number(new URL(real).port), '127.0.0.1');
    for (const each of [socket, upstream]) {
      open_.add(each);
      each.on('error', () => undefined).on('close', () => open_.delete(each));
    }
    let goesOn = false;
    socket.on('data', (chunk) => upstream.write(chunk));
    upstream.on('data', (chunk) => {
      const answer = chunk.toString('latin1');
      // 354: continue; the 250 after it says that the email was accepted.
      if (goesOn && left > 0 && answer.startsWith('250')) {
        left -= 1;
        // One is too slow for its sender, the other breaks off.
        if (left % 2 === 1) return;
        socket.destroy();
        upstream.destroy();
        return;
      }
      if (/^354/m.test(answer)) goesOn = true;
      socket.write(chunk);
    });
    socket.on('end', () => upstream.end());
    upstream.on('end', () => socket.end());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    for (const socket of open_) socket.destroy();
    await new Promise((resolve) => proxy.close(resolve));
  });
  const { port } = proxy.address() as { readonly port: number };
  return `smtp://127.0.0.1:${port}`;
}

describe('the emails of a sequence', () => {
  it('arrive once each, in order, from a server that is busy and answers with failures', {
    timeout: 30_000,
  }, async () => {
    const world = await open(async (real) => {
      server.refuse(451, 4);
      server.refuse(421, 2, 'recipient');
      return real;
    });
    await settle(world);
    for (let nth = 0; nth < USERS; nth += 1)
      expect(sentTo(nth).map(({ subject }) => subject)).toEqual([
        `sign_up 1 for User ${nth}`,
        `sign_up 2 for User ${nth}`,
      ]);
    expect(new Set(server.mails.map(({ messageId }) => messageId)).size).toBe(2 * USERS);
  });

  it('arrive a second time with the same Message-ID when the answer is late or lost, and not a third', {
    timeout: 30_000,
  }, async () => {
    const world = await open((real) => cutting(real, 2));
    await settle(world);
    expect(new Set(server.mails.map(({ messageId }) => messageId)).size).toBe(2 * USERS);
    expect(server.mails).toHaveLength(2 * USERS + 2);
    for (let nth = 0; nth < USERS; nth += 1) {
      const subjects = sentTo(nth).map(({ subject }) => subject);
      expect([...new Set(subjects)]).toEqual([`sign_up 1 for User ${nth}`, `sign_up 2 for User ${nth}`]);
    }
  });

  it('end for an address that the server refuses for good, and for no other', { timeout: 30_000 }, async () => {
    const world = await open(async (real) => {
      server.refuse(550, 1, 'recipient');
      return real;
    });
    await settle(world);
    expect([...new Set(server.mails.map(({ to }) => to))]).toHaveLength(USERS - 1);
    const reasons = (await work.made.log()).flatMap(({ type, data }) =>
      type === 'SequenceStopped' ? [(data as { readonly reason: string }).reason] : [],
    );
    expect(reasons).toEqual(['bounced']);
  });
});

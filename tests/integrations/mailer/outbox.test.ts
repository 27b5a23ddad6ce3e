import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createOutbox, listOutbox } from '../../../src/integrations/mailer/outbox.ts';
import { describeMailer, mail } from '../../contract/mailer.ts';

const FROM = 'SEO Workbench <no-reply@seo.example.com>';
const dirs: string[] = [];
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
});

function given(options: { readonly keep?: number } = {}) {
  const dir = join(mkdtempSync(join(tmpdir(), 'outbox-')), 'outbox');
  dirs.push(join(dir, '..'));
  let time = Date.UTC(2026, 0, 1);
  const received: string[] = [];
  const now = () => {
    time += 1_000;
    return new Date(time).toISOString();
  };
  return {
    dir,
    received,
    outbox: createOutbox({ dir, from: FROM, now, onMail: (file) => received.push(file), ...options }),
  };
}

describeMailer('the outbox', async () => {
  const { dir, outbox } = given();
  const arrived = async () =>
    (await listOutbox(dir)).map((kept) => ({ ...kept, header: (name: string) => headerOf(kept.headers, name) }));
  return { mailer: outbox, arrived, from: FROM };
});

const headerOf = (headers: Readonly<Record<string, string>> = {}, name: string) =>
  Object.entries(headers).find(([own]) => own.toLowerCase() === name)?.[1];

const id = (number: number): string => `mail-${number}@seo.example.com`;

describe('the outbox', () => {
  it('lists mails newest first, and none if there are none', async () => {
    const { dir, outbox } = given();
    expect(await listOutbox(dir)).toEqual([]);
    for (let nth = 1; nth <= 3; nth += 1) await outbox.send(mail({ messageId: id(nth) }));
    expect((await listOutbox(dir)).map(({ messageId }) => messageId)).toEqual([id(3), id(2), id(1)]);
    expect((await listOutbox(dir, 1)).map(({ messageId }) => messageId)).toEqual([id(3)]);
  });

  it('stores a mail only once, even if it is sent several times at once', async () => {
    const { dir, received, outbox } = given();
    await Promise.all([outbox.send(mail()), outbox.send(mail()), outbox.send(mail({ text: 'again' }))]);
    expect(await listOutbox(dir)).toHaveLength(1);
    expect(received).toHaveLength(1);
  });

  it('keeps only the newest N mails', async () => {
    const { dir, outbox } = given({ keep: 3 });
    for (let nth = 1; nth <= 5; nth += 1) await outbox.send(mail({ messageId: id(nth) }));
    expect((await listOutbox(dir)).map(({ messageId }) => messageId)).toEqual([id(5), id(4), id(3)]);
    expect(readdirSync(dir)).toHaveLength(3);
  });

  it('deletes the mails of one user only', async () => {
    const { dir, outbox } = given();
    await outbox.send(mail({ messageId: id(1) }));
    await outbox.send(mail({ messageId: id(2), userId: 'user-2' }));
    await outbox.forget('user-1');
    expect((await listOutbox(dir)).map(({ userId }) => userId)).toEqual(['user-2']);
  });

  it('is accessible only to its owner', async () => {
    const { dir, received, outbox } = given();
    await outbox.send(mail());
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    expect(statSync(received[0]!).mode & 0o777).toBe(0o600);
  });
});

/** The mailer of an installation without a mail server: one file per email, in a folder that its admin can read. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { checkMail, type Mail, type Mailer } from './mailer.ts';

export type WaitingMail = Mail & { readonly from: string; readonly at: string };

export type OutboxOptions = {
  readonly dir: string;
  readonly from: string;
  /** UTC ISO. */
  readonly now: () => string;
  /** Called once per email with its file. */
  readonly onMail?: (file: string, mail: Mail) => void;
  /** How many of the newest emails to keep; older ones are removed. */
  readonly keep?: number;
};

const KEEP = 500;

/** Newest first; none when there is no such folder yet. */
export async function listOutbox(dir: string, limit = 50): Promise<readonly WaitingMail[]> {
  const names = (await namesIn(dir)).reverse().slice(0, limit);
  const mails = await Promise.all(names.map((name) => readMail(join(dir, name))));
  return mails.filter((mail) => mail !== null);
}

export function createOutbox({ dir, from, now, onMail, keep = KEEP }: OutboxOptions): Mailer {
  /** Serialized, so that a duplicate sent at the same time is detected. */
  const mutex = pLimit(1);

  /** Left by a process that was killed: only one at a time has the folder. */
  async function removeParts(): Promise<void> {
    const left = (await readdir(dir).catch(() => [])).filter((name) => name.endsWith('.part'));
    await Promise.all(left.map((name) => rm(join(dir, name), { force: true })));
  }

  async function put(mail: Mail): Promise<void> {
    checkMail(mail);
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const names = await namesIn(dir);
    const key = createHash('sha256').update(mail.messageId).digest('hex').slice(0, 32);
    if (names.some((name) => name.endsWith(`${key}.json`))) return;
    const at = now();
    const file = join(dir, `${at.replaceAll(/[:.]/g, '-')}-${key}.json`);
    await writeFile(`${file}.part`, JSON.stringify({ ...mail, from, at } satisfies WaitingMail, null, 2), {
      mode: 0o600,
    });
    await rename(`${file}.part`, file);
    for (const old of names.slice(0, Math.max(0, names.length + 1 - keep))) await rm(join(dir, old), { force: true });
    onMail?.(file, mail);
  }

  async function forget(userId: string): Promise<void> {
    for (const name of await namesIn(dir)) {
      if ((await readMail(join(dir, name)))?.userId === userId) await rm(join(dir, name), { force: true });
    }
  }

  void mutex(removeParts).catch(() => undefined);
  return {
    send: (mail) => mutex(() => put(mail)),
    forget: (userId) => mutex(() => forget(userId)),
    close: () => mutex(async () => undefined),
  };
}

/** Oldest first: names start with the time. */
async function namesIn(dir: string): Promise<string[]> {
  const names = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => name.endsWith('.json')).sort();
}

/** Null if the file was removed meanwhile or cannot be read as an email. */
async function readMail(file: string): Promise<WaitingMail | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as WaitingMail;
  } catch {
    return null;
  }
}

/**
 * A checkpoint: the content of the log at one moment, in a file that is kept elsewhere. Gzipped lines, one per event in
 * log order
 *
 *     <position> <revision> <hash> <stream>
 *
 * (hash: `hashOf`), then one line of JSON: position and count of the last event, a digest (SHA-256, base64url) of all
 * preceding lines, the time, and an Ed25519 signature over the rest of it. The lines show where two files of the same
 * log differ, and a later one begins with all of the earlier.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import * as z from 'zod';
import { hashOf } from '../chain/eventHash.ts';
import { type EventStore, EventStoreError, type Position, START } from '../eventStore.ts';
import { createSeals, type Sealed } from './seals.ts';
import { EVERYTHING, halved, type Share } from './share.ts';

const Statement = z.strictObject({
  format: z.literal(1),
  position: z.string().regex(/^\d{20}$/),
  count: z.int().nonnegative(),
  digest: z.string(),
  /** UTC ISO. */
  at: z.string(),
  /** Ed25519, DER (SPKI), base64url. */
  publicKey: z.string(),
  signature: z.string(),
});
export type Statement = z.infer<typeof Statement>;

/** Not a checkpoint, or not as it was signed. */
export class BadCheckpoint extends EventStoreError {
  constructor(message: string) {
    super('BAD_CHECKPOINT', message);
  }
}

export const publicKeyOf = (key: KeyObject): string =>
  createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64url');

/** @throws BadCheckpoint */
export function readSigningKey(pem: string, file: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Reported below: the library's message may quote the key.
  }
  throw new BadCheckpoint(
    `${file} holds no Ed25519 key. Make one with: openssl genpkey -algorithm ed25519 -out ${file}`,
  );
}

const signed = ({ format, position, count, digest, at, publicKey }: Omit<Statement, 'signature'>): Buffer =>
  Buffer.from(JSON.stringify({ format, position, count, digest, at, publicKey }));

export type CheckpointOptions = {
  /** As stored, without upcasts. */
  readonly store: EventStore;
  readonly file: string;
  readonly key: KeyObject;
  /** UTC ISO. */
  readonly at: string;
  readonly onProgress?: (progress: { readonly events: number; readonly position: Position }) => void;
  readonly signal?: AbortSignal;
};

const PAGE = 1_000;

/**
 * Covers the log up to its end at the start of the call. Complete only if it resolves.
 * @throws the signal's reason; the store's errors
 */
export async function writeCheckpoint({
  store,
  file,
  key,
  at,
  onProgress,
  signal,
}: CheckpointOptions): Promise<Statement> {
  const digest = createHash('sha256');
  const head = await store.head();
  const reached = { count: 0, position: START };
  let statement: Statement | null = null;
  async function* lines(): AsyncGenerator<string> {
    for (let after = START, end = after >= head; !end; ) {
      signal?.throwIfAborted();
      const page = await store.readAll({ after, limit: PAGE });
      const events = page.events.filter(({ position }) => position <= head);
      const text = events
        .map((event) => `${event.position} ${event.revision} ${hashOf(event)} ${event.stream}\n`)
        .join('');
      digest.update(text);
      reached.count += events.length;
      reached.position = events.at(-1)?.position ?? reached.position;
      if (text !== '') yield text;
      after = page.next;
      end = page.end || after >= head;
      onProgress?.({ events: reached.count, position: after });
    }
    const unsigned = {
      format: 1 as const,
      ...reached,
      digest: digest.digest('base64url'),
      at,
      publicKey: publicKeyOf(key),
    };
    statement = { ...unsigned, signature: sign(null, signed(unsigned), key).toString('base64url') };
    yield `${JSON.stringify(statement)}\n`;
  }
  await pipeline(lines, createGzip({ level: 1 }), createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }), {
    ...(signal ? { signal } : {}),
  });
  if (statement === null) throw new BadCheckpoint(`${file} was not written.`);
  return statement;
}

const LINE = /^(\d{20}) (\d+) ([\w-]{43}) (.+)$/;

/** Minimum size of a compressed line: its hash is incompressible. */
const LINE_BYTES = 40;

/** The part of a checkpoint to keep: about this many of its events, chosen by hash, a different part each turn. */
type KeptOfCheckpoint = { readonly most: number; readonly turn: number };

/**
 * Verifies that the whole file is as signed; the caller must check whose key it was.
 * @throws BadCheckpoint
 */
export async function readCheckpoint(
  file: string,
  kept?: KeptOfCheckpoint,
): Promise<{ readonly statement: Statement; readonly sealed: Sealed }> {
  const digest = createHash('sha256');
  let count = 0;
  let last: string | null = null;
  let seals = createSeals();
  try {
    if (kept !== undefined) seals = createSeals(shareOf((await stat(file)).size, kept));
    for await (const line of linesOf(file)) {
      const match = LINE.exec(line);
      if (match === null || last !== null) {
        last = line;
        continue;
      }
      const [, position = '', revision = '', hash = '', stream = ''] = match;
      seals.add({ position, revision, hash, stream });
      digest.update(line).update('\n');
      count += 1;
    }
  } catch (error) {
    throw new BadCheckpoint(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const statement = statementOf(last);
  const isWhole =
    statement !== null &&
    statement.count === count &&
    statement.digest === digest.digest('base64url') &&
    isSigned(statement);
  if (statement === null || !isWhole)
    throw new BadCheckpoint(`${file} is not a checkpoint as it was signed: it was changed, or is not whole.`);
  return { statement, sealed: seals.sealed() };
}

function shareOf(bytes: number, { most, turn }: KeptOfCheckpoint): Share {
  let share: Share = { ...EVERYTHING, turn };
  while (bytes / LINE_BYTES > most * share.parts) share = halved(share);
  return share;
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const input = createReadStream(file);
  const unzipped = input.pipe(createGunzip()).setEncoding('utf8');
  input.on('error', (error) => unzipped.destroy(error));
  let rest = '';
  for await (const chunk of unzipped) {
    const lines = `${rest}${String(chunk)}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

function statementOf(line: string | null): Statement | null {
  try {
    return Statement.parse(JSON.parse(line ?? ''));
  } catch {
    return null;
  }
}

function isSigned(statement: Statement): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(statement.publicKey, 'base64url'), type: 'spki', format: 'der' });
    return (
      key.asymmetricKeyType === 'ed25519' &&
      verify(null, signed(statement), key, Buffer.from(statement.signature, 'base64url'))
    );
  } catch {
    return false;
  }
}

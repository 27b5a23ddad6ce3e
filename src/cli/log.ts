/**
 * `npm run log -- verify | checkpoint | key`: whether the event log is unaltered, and signed proof of its state to be
 * kept elsewhere.
 */
import { createPublicKey } from 'node:crypto';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { ERASURE } from '../commands/closedStreams.ts';
import { type EventStore, EventStoreError, type Position, START } from '../eventStore/eventStore.ts';
import { publicKeyOf, readCheckpoint, type Statement, writeCheckpoint } from '../eventStore/verify/checkpointFile.ts';
import type { Fault } from '../eventStore/verify/fault.ts';
import type { Verified } from '../eventStore/verify/verification.ts';
import { verifyLog } from '../eventStore/verify/verifyLog.ts';
import { ConfigError, loadConfig } from '../start/config.ts';
import { partOf, removeEndedParts } from '../start/partFiles.ts';
import { checkpointKeyOf, findCheckpointKey } from '../start/proof/checkpointKey.ts';
import { DamagedKeyFile } from '../start/secrets/readKeyFile.ts';
import { BadInput } from './logAt.ts';
import { type ProgressLine, progressLine } from './progressLine.ts';
import { namedLog, openAsStored } from './readableLog.ts';

const EXIT_REFUSED = 1;
const EXIT_BAD_INPUT = 2;
const EXIT_FAULTS = 3;
const EXIT_INTERRUPTED = 130;

const LOG_OPTION = [
  '--log <log>',
  'file of an embedded store (a backup, for instance), or esdb:// address; default: what DATA_DIR or EVENTSTORE_URL names',
] as const;

type Named = { readonly log?: string };
type VerifyInput = Named & { readonly checkpoint?: string; readonly publicKey?: string; readonly from?: string };

function positionOf(text: string): Position {
  if (!/^\d{1,20}$/.test(text))
    throw new InvalidArgumentError('A position of the log is a number, such as 1200 or 00000000000000001200.');
  return text.padStart(START.length, '0');
}

const program = new Command('log').description('Proves that the event log was not changed. The server may be running.');
let code: Promise<number> = Promise.resolve(0);

program
  .command('verify')
  .description('Reports what is wrong with the log, and where. Writes nothing.')
  .option(...LOG_OPTION)
  .option(
    '--checkpoint <file>',
    'compare the log with a checkpoint: nothing else reveals a change after which all hashes were recomputed',
  )
  .option(
    '--public-key <key>',
    'the key that must have signed it (as `key` prints it); default: that of this installation',
  )
  .option(
    '--from <position>',
    'verify only what comes after this position: shapes, order and chains, but not ids, references or a checkpoint',
    positionOf,
  )
  .action((input: VerifyInput) => {
    code = withLog(input, (store, signal) => verify(store, input, signal));
  });
program
  .command('checkpoint')
  .description(
    'Writes a signed record of what the log contains now. Store the file where nobody with write access to the log can change it.',
  )
  .option(...LOG_OPTION)
  .option('--out <file>', 'the file to write; default: log-<time>.checkpoint.gz in this folder')
  .action((input: Named & { readonly out?: string }) => {
    code = withLog(input, (store, signal) => checkpoint(store, input.out, signal));
  });
program
  .command('key')
  .description('Prints the public key of this installation. Store it with the checkpoints.')
  .action(() => {
    code = Promise.resolve().then(printKey);
  });
for (const command of [program, ...program.commands])
  command.exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT_BAD_INPUT));

/** @throws BadInput, ConfigError, EventStoreError */
async function withLog(
  { log: given }: Named,
  work: (store: EventStore, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const named = namedLog(given, loadConfig(process.env));
  // Its files, including a copy of the log, are readable only by its own user.
  process.umask(0o077);
  const stopping = new AbortController();
  const interrupt = () => stopping.abort();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  const log = await openAsStored(named);
  try {
    console.log(
      log.isCopy ? `Reading ${named.name}, as the running server has just copied it` : `Reading ${named.name}`,
    );
    return await work(log.store, stopping.signal);
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    console.error('Interrupted. Nothing was changed.');
    return EXIT_INTERRUPTED;
  } finally {
    await log.close();
  }
}

type Progress = { readonly events: number; readonly position: string };

async function progressOf(
  store: EventStore,
  what: string,
  after = 0,
): Promise<ProgressLine & { readonly onProgress: (progress: Progress) => void }> {
  const head = Number(await store.head());
  const line = progressLine(what, process.stderr, () => performance.now());
  return {
    ...line,
    onProgress: ({ events, position }) =>
      line.show(events, Math.min(1, (Number(position) - after) / Math.max(1, head - after))),
  };
}

async function verify(store: EventStore, input: VerifyInput, signal: AbortSignal): Promise<number> {
  const { checkpoint: file, from: after } = input;
  if (after !== undefined && file !== undefined)
    throw new BadInput('--from and --checkpoint: a checkpoint is of the whole log. Give one of the two.');
  const proof = file === undefined ? null : await trusted(file, input.publicKey);
  if (after !== undefined) await assertPosition(store, after);
  const progress = await progressOf(store, 'verifying', Number(after ?? 0));
  const onFault = (fault: Fault) => {
    progress.clear();
    console.log(line(fault));
  };
  try {
    const options = {
      store,
      erasure: ERASURE,
      sealed: proof?.sealed ?? null,
      onFault,
      onProgress: progress.onProgress,
      signal,
    };
    const verified = await verifyLog(after === undefined ? options : { ...options, after });
    progress.clear();
    console.log(summary(verified, proof?.statement ?? null));
    return verified.faults === 0 ? 0 : EXIT_FAULTS;
  } finally {
    progress.clear();
  }
}

/** @throws BadInput when the log cannot be read from that position */
async function assertPosition(store: EventStore, after: Position): Promise<void> {
  const head = await store.head();
  if (after > head) throw new BadInput(`--from: the log ends at ${head}; there is nothing after ${after}.`);
  try {
    await store.readAll({ after, limit: 1 });
  } catch (error) {
    if (!(error instanceof EventStoreError) || error.code !== 'INVALID_POSITION') throw error;
    throw new BadInput(
      `--from: there is no event at ${after}, and this log can only be read from the position of an event.`,
    );
  }
}

/** A checkpoint signed with the requested key. @throws BadCheckpoint, BadInput */
async function trusted(file: string, publicKey: string | undefined) {
  const read = await readCheckpoint(file);
  const own = publicKey ?? ownPublicKey();
  if (own === null)
    throw new BadInput(
      'There is no key of this installation here: name the one that signed the checkpoint with --public-key, from where you noted it.',
    );
  if (own !== read.statement.publicKey)
    throw new BadInput(`${file} was signed with another key: ${read.statement.publicKey}`);
  return read;
}

function ownPublicKey(): string | null {
  const key = findCheckpointKey(loadConfig(process.env));
  return key === null ? null : publicKeyOf(key);
}

async function checkpoint(store: EventStore, out: string | undefined, signal: AbortSignal): Promise<number> {
  const key = checkpointKeyOf(loadConfig(process.env));
  const at = new Date().toISOString();
  const file = resolve(out ?? `log-${at.replaceAll(':', '-')}.checkpoint.gz`);
  if (existsSync(file)) throw new BadInput(`${file} already exists. Name another file.`);
  const progress = await progressOf(store, 'sealing');
  const part = partOf(file);
  removeEndedParts(dirname(file));
  try {
    const { count, position, digest, publicKey } = await writeCheckpoint({
      store,
      file: part,
      key,
      at,
      onProgress: progress.onProgress,
      signal,
    });
    renameSync(part, file);
    progress.clear();
    console.log(`${file}\n${count} events up to ${position}\n  digest     ${digest}\n  public key ${publicKey}`);
    return 0;
  } finally {
    progress.clear();
    rmSync(part, { force: true });
  }
}

function printKey(): number {
  const key = checkpointKeyOf(loadConfig(process.env));
  console.log(publicKeyOf(key));
  console.log(createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString().trimEnd());
  return 0;
}

function summary(
  { events, faults, chained, chainedFrom, unsealed, erased }: Verified,
  statement: Statement | null,
): string {
  return [
    faults === 0 ? `${events} events, no faults.` : `${events} events, ${faults} ${faults === 1 ? 'fault' : 'faults'}.`,
    chainedFrom === null
      ? 'No event names the one before it: only a checkpoint reveals changes.'
      : `${chained} events name the one before them, the first at ${chainedFrom}.`,
    ...(unsealed.events === 0 ? [] : [notSealed(unsealed)]),
    statement === null
      ? 'Proof: the chain of each stream. Without a checkpoint, the last event of each stream, whole streams, and changes after which hashes were recomputed are not proven.'
      : `Proof: the checkpoint of ${statement.at} for its ${statement.count} events up to ${statement.position}, ${erased} of them erased since; the chain of each stream for what came later.`,
  ].join('\n');
}

const notSealed = ({ events, first }: Verified['unsealed']): string =>
  `Not sealed: ${events} ${events === 1 ? 'event' : 'events'}, the first at ${first}. A process of an earlier version wrote them beside a newer one, without a hash: only a checkpoint proves what came before each of them in its stream.`;

/** One line per fault: its location and description. Never a value. */
const line = ({ position, stream, revision, type, check, text }: Fault): string =>
  `${position} ${stream}@${revision} ${type}: ${check}: ${text}`;

// The delays of a store that waits for its server do not keep a process alive.
const alive = setInterval(() => undefined, 60_000);
try {
  program.parse();
  process.exitCode = await code;
} catch (error) {
  if (
    !(
      error instanceof BadInput ||
      error instanceof ConfigError ||
      error instanceof DamagedKeyFile ||
      error instanceof EventStoreError
    )
  )
    throw error;
  console.error(error.message);
  process.exitCode = error instanceof EventStoreError ? EXIT_REFUSED : EXIT_BAD_INPUT;
} finally {
  clearInterval(alive);
}

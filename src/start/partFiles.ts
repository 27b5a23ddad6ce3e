/**
 * Files in the making. A name says who makes it, so that what a killed process left behind can be told from what a
 * living one is writing, also in a folder that several machines share: only files of this machine whose process is
 * proven to have ended are removed.
 */
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** Of a process. Null: this system does not say. */
export type PartOwner = {
  /** Of its machine or container. */
  readonly host: string;
  /** Changes with each start of the machine. */
  readonly boot: string | null;
  /** In which process numbers are given. */
  readonly namespace: string | null;
  readonly pid: number;
  /** When it began, so that a number given again is not taken for it. */
  readonly began: string | null;
};

const UNKNOWN = '0';
const OWNED = /\.([0-9a-f]{8})-([0-9a-f]{8}|0)-(\d+)-(\d+)-(\d+)\.part(?:-wal|-shm|-journal)?$/;
/** Names of earlier versions, which do not say whose they are. */
const EARLIER =
  /^(?:events-[\dTZ.:-]+\.db\.part|reading-\d+\.db|.+\.checkpoint\.gz\.\d+\.part|(?:share-secret|mfa-secret|pseudonym-key|checkpoint-key\.pem)\.\d+)(?:-wal|-shm|-journal)?$/;
/** A living process writes to such a file all the time. */
const EARLIER_MS = 24 * 60 * 60 * 1_000;
/** SQLite's files beside a database. */
const SIDE_FILES = ['', '-wal', '-shm', '-journal'];

/** The name under which a file or folder is made before it gets its own. */
export function partOf(path: string, owner: PartOwner = self()): string {
  const { host, boot, namespace, pid, began } = owner;
  return `${path}.${host}-${boot ?? UNKNOWN}-${namespace ?? UNKNOWN}-${pid}-${began ?? UNKNOWN}.part`;
}

export function removePart(part: string): void {
  for (const rest of SIDE_FILES) rmSync(`${part}${rest}`, { recursive: true, force: true });
}

/**
 * Removes what ended processes of this machine left in a folder. One that is not there, or may not be changed, is left
 * alone.
 */
export function removeEndedParts(folder: string, owner: PartOwner = self()): void {
  for (const name of namesIn(folder)) {
    const maker = ownerIn(name);
    const file = join(folder, name);
    try {
      const isLeft =
        maker === null
          ? EARLIER.test(name) && Date.now() - lstatSync(file).mtimeMs > EARLIER_MS
          : hasEnded(maker, owner);
      if (isLeft) rmSync(file, { recursive: true, force: true });
    } catch {
      // Of another user, or on a disk that can only be read.
    }
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder) : [];
  } catch {
    return [];
  }
}

function ownerIn(name: string): PartOwner | null {
  const [, host, boot, namespace, pid, began] = OWNED.exec(name) ?? [];
  if (host === undefined) return null;
  const known = (text: string | undefined): string | null => (text === undefined || text === UNKNOWN ? null : text);
  return { host, boot: known(boot), namespace: known(namespace), pid: Number(pid), began: known(began) };
}

/** True only if it is proven, as seen by the process `by`. */
export function hasEnded(maker: PartOwner, by: PartOwner): boolean {
  if (maker.host !== by.host) return false;
  if (maker.boot !== by.boot) return maker.boot !== null && by.boot !== null;
  // A number of another container means nothing here.
  if (maker.namespace !== by.namespace) return false;
  if (!isRunning(maker.pid)) return true;
  const began = beganAt(maker.pid);
  return began !== null && maker.began !== null && began !== maker.began;
}

let own: PartOwner | null = null;

function self(): PartOwner {
  own ??= { host: hostId(), boot: bootId(), namespace: namespaceId(), pid: process.pid, began: beganAt('self') };
  return own;
}

/** Two machines may have the same name, but not the same name and machine id. */
function hostId(): string {
  const machine = textOf('/etc/machine-id') ?? textOf('/var/lib/dbus/machine-id') ?? '';
  return digest(`${hostname()} ${machine.trim()}`);
}

function bootId(): string | null {
  const id = textOf('/proc/sys/kernel/random/boot_id');
  return id === null ? null : digest(id.trim());
}

function namespaceId(): string | null {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? null;
  } catch {
    return null;
  }
}

/** In ticks since the machine's start. */
function beganAt(pid: number | 'self'): string | null {
  // The name of the program, in parentheses, may contain anything.
  const fields = textOf(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ');
  return fields?.[19] ?? null;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

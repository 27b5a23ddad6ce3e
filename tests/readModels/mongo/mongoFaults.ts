/**
 * A connection on which a process crashes at a given step: that write is complete, partial or missing, and nothing
 * after it arrives.
 */
import { type Collection, type Db, type FindCursor, MongoNetworkError } from 'mongodb';
import type { MongoConnection } from '../../../src/readModels/mongo/mongoConnection.ts';

export type Fault = {
  /** The write to crash at, from 1. */
  readonly at: number;
  readonly how: 'before' | 'half' | 'after';
};

const WRITES = [
  'bulkWrite',
  'insertOne',
  'insertMany',
  'updateOne',
  'updateMany',
  'replaceOne',
  'deleteOne',
  'deleteMany',
  'createIndexes',
  'dropIndex',
  'drop',
];
const READS = ['find', 'findOne', 'countDocuments', 'indexes', 'aggregate'];

export type FaultyConnection = MongoConnection & {
  /** Writes sent since the fault was set, by collection. */
  readonly writes: readonly string[];
  readonly isDead: boolean;
  arm(fault: Fault | null): void;
};

/** Every operation of a collection passes through here; for tests that record them. */
export function observed(
  connection: MongoConnection,
  see: (collection: string, method: string, args: readonly unknown[]) => void,
): MongoConnection {
  const db = proxiedDb(connection.db, (name, method, args, run) => {
    see(name, method, args);
    return run(args);
  });
  return { ...connection, db };
}

/** Something else happens right before this one is sent to the server for the first time. */
export function interruptedBefore(
  connection: MongoConnection,
  method: string,
  something: () => Promise<void>,
): MongoConnection {
  let wasHere = false;
  const db = proxiedDb(connection.db, (_, called, args, run) => {
    if (called !== method || wasHere) return run(args);
    wasHere = true;
    return something().then(() => run(args));
  });
  return { ...connection, db };
}

export type LateConnection = MongoConnection & {
  /**
   * Holds back the answer to the next `find`: `read` resolves once the server has given it, and the caller gets it
   * after `release`.
   */
  holdNext(): { readonly read: Promise<void>; release(): void };
};

/** A connection on which an answer from one collection can arrive late. */
export function lateConnection(connection: MongoConnection, collection: string): LateConnection {
  let held: { readonly onRead: () => void; readonly released: Promise<void> } | null = null;
  const db = proxiedDb(connection.db, (name, method, args, run) => {
    if (name !== collection || method !== 'find' || held === null) return run(args);
    const { onRead, released } = held;
    held = null;
    const cursor = run(args) as FindCursor;
    const toArray = async (): Promise<readonly unknown[]> => {
      const rows = await cursor.toArray();
      onRead();
      await released;
      return rows;
    };
    return { toArray };
  });
  return {
    ...connection,
    db,
    holdNext() {
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const read = new Promise<void>((onRead) => {
        held = { onRead, released };
      });
      return { read, release };
    },
  };
}

export type HeldConnection = MongoConnection & { hold(): void; release(): void };

/** A connection of a process that falls behind: what it looks up in one collection waits while held. */
export function heldConnection(connection: MongoConnection, collection: string): HeldConnection {
  let release = (): void => undefined;
  let released = Promise.resolve();
  const db = proxiedDb(connection.db, (name, method, args, run) =>
    name === collection && method === 'findOne' ? released.then(() => run(args)) : run(args),
  );
  return {
    ...connection,
    db,
    hold() {
      released = new Promise((resolve) => {
        release = resolve;
      });
    },
    release: () => release(),
  };
}

export function faultyConnection(connection: MongoConnection): FaultyConnection {
  let armed: Fault | null = null;
  let writes: string[] = [];
  let isDead = false;
  const gone = () => new MongoNetworkError('connection closed');
  const db = proxiedDb(connection.db, (name, method, args, run) => {
    if (isDead) {
      if (method === 'find' || method === 'aggregate') throw gone();
      return Promise.reject(gone());
    }
    if (!WRITES.includes(method)) return run(args);
    writes.push(`${name.startsWith('docs_') ? name.split('_')[1] : name}.${method}`);
    if (!armed || writes.length !== armed.at) return run(args);
    isDead = true;
    const [operations, ...rest] = args;
    const part = Array.isArray(operations) ? operations.slice(0, Math.ceil(operations.length / 2)) : operations;
    const done = armed.how === 'before' ? Promise.resolve() : armed.how === 'half' ? run([part, ...rest]) : run(args);
    return Promise.resolve(done).then(() => Promise.reject(gone()));
  });
  return {
    ...connection,
    db,
    get writes() {
      return writes;
    },
    get isDead() {
      return isDead;
    },
    arm: (fault) => {
      armed = fault;
      writes = [];
      isDead = false;
    },
  };
}

type Operation = (
  collection: string,
  method: string,
  args: readonly unknown[],
  run: (args: readonly unknown[]) => unknown,
) => unknown;

function proxiedDb(db: Db, operation: Operation): Db {
  return new Proxy(db, {
    get: (target, property) => {
      if (property === 'collection') return (name: string) => proxiedCollection(target.collection(name), operation);
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function proxiedCollection(collection: Collection, operation: Operation): Collection {
  return new Proxy(collection, {
    get: (target, property) => {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== 'function') return value;
      const bound = value.bind(target) as (...args: readonly unknown[]) => unknown;
      const name = String(property);
      if (!WRITES.includes(name) && !READS.includes(name)) return bound;
      return (...args: readonly unknown[]) => operation(target.collectionName, name, args, (given) => bound(...given));
    },
  });
}

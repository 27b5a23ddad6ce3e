/**
 * The driver (mongodb 7.8 and 7.9) waits forever when it writes to a socket that was just destroyed but has not
 * reported it yet: `write` returns that its buffer is full, and a destroyed socket never drains. When many sockets end
 * at once, as when a server dies, this hits operations and the server monitor, after which the process never finds the
 * server again. So the end of the socket ends the wait.
 */
import type { Socket } from 'node:net';
// @ts-expect-error: the driver declares no types for its own modules
import { Connection as DriverConnection } from 'mongodb/lib/cmap/connection.js';

/** The part we use of the driver's `Connection`, which it does not export. */
type Connection = { readonly socket: Socket; readonly error: Error | null };
type Write = (this: Connection, ...input: readonly unknown[]) => Promise<void>;

let patched = false;

/** Applies to all connections of the process from the first call on. @throws when the driver has changed */
export function endWaitsOnClosedSockets(): void {
  if (patched) return;
  const { prototype } = DriverConnection as { prototype: { writeCommand?: Write } };
  const { writeCommand } = prototype;
  if (!writeCommand) throw new Error('The MongoDB driver has changed: its waits cannot be ended with their sockets.');
  prototype.writeCommand = function (...input) {
    return unlessClosed(this, writeCommand.apply(this, [...input]));
  };
  patched = true;
}

async function unlessClosed(connection: Connection, written: Promise<void>): Promise<void> {
  const { socket } = connection;
  let stop = (): void => undefined;
  const closed = new Promise<never>((_, reject) => {
    // The connection was notified first and knows the cause.
    stop = () => reject(connection.error ?? new Error('The connection was closed.'));
    socket.once('close', stop);
  });
  try {
    await Promise.race([written, closed]);
  } finally {
    socket.off('close', stop);
  }
}

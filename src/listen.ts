/** Listens on the wanted port, or on the next free one when it is taken. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const TRIES = 20;

/** Resolves with the port that it got. With 0 the system chooses. */
export async function listenNear(server: Server, port: number, host: string): Promise<number> {
  for (let candidate = port; ; candidate += 1) {
    try {
      await listen(server, candidate, host);
      return (server.address() as AddressInfo).port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || port === 0 || candidate >= Math.min(port + TRIES, 65_535)) throw error;
    }
  }
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error): void => reject(error);
    server.once('error', failed);
    server.listen(port, host, () => {
      server.off('error', failed);
      resolve();
    });
  });
}

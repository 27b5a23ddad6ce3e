/**
 * Records every attempt to connect: with listeners on internal addresses, and Node's own report of each socket that a
 * client opens.
 */
import diagnostics from 'node:diagnostics_channel';
import { createServer, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';

export type ConnectionWatch = {
  /** The addresses of the listeners, such as `127.0.0.1:8080`. */
  readonly listening: readonly string[];
  /** Connections that a listener accepted. */
  readonly accepted: () => readonly string[];
  /** Sockets that this process opened since the last `forget`. */
  readonly opened: () => number;
  readonly forget: () => void;
  readonly close: () => Promise<void>;
};

/** Ports that the guard allows; each free one gets a listener. */
const PORTS = [80, 443, 8080, 8443];

export async function watchConnections(): Promise<ConnectionWatch> {
  const accepted: string[] = [];
  let opened = 0;
  const count = (): void => void opened++;
  diagnostics.subscribe('net.client.socket', count);
  const servers: { server: Server; at: string }[] = [];
  for (const host of ['127.0.0.1', '::1', ...innerAddresses()]) {
    for (const port of PORTS) {
      const server = await listen(host, port, (socket) => {
        accepted.push(`${host}:${port}`);
        socket.on('error', () => undefined).resume();
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nsecret');
      });
      if (server) servers.push({ server, at: `${host}:${port}` });
    }
  }
  return {
    listening: servers.map(({ at }) => at),
    accepted: () => accepted,
    opened: () => opened,
    forget: () => {
      opened = 0;
      accepted.length = 0;
    },
    close: async () => {
      diagnostics.unsubscribe('net.client.socket', count);
      await Promise.all(servers.map(({ server }) => new Promise<void>((resolve) => server.close(() => resolve()))));
    },
  };
}

/** Addresses of this machine other than loopback. */
function innerAddresses(): readonly string[] {
  return Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .filter((entry) => !entry.internal && !entry.address.startsWith('fe80'))
    .map((entry) => entry.address);
}

/** Null when the port is taken or not permitted. */
function listen(host: string, port: number, onConnection: (socket: Socket) => void): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer(onConnection);
    server.once('error', () => resolve(null));
    server.listen({ host, port, ipv6Only: true }, () => resolve(server));
  });
}

/**
 * The only place that opens sockets: vets literal addresses and all resolved ones, and checks the peer again after
 * connecting.
 */
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';
import { type AllowList, bareHost, isAddress, whyNotPublic } from './addressGuard.ts';
import { NameNotResolved, type ResolvedAddress, type ResolveHost } from './resolveHost.ts';

/** Refused by the guard; the message is readable. */
export class AddressBlocked extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'AddressBlocked';
  }
}

export type ConnectorOptions = {
  readonly allow: AllowList;
  readonly resolve: ResolveHost;
  /** Timeout until the connection is established, TLS included; ms. */
  readonly connectMs: number;
  /** Whether servers offer HTTP/2 is asked once for each origin. */
  readonly asksForHttp2: boolean;
  /** Additional trusted certificate authorities, PEM. */
  readonly ca: readonly string[] | undefined;
  /** Called with each new connection. */
  readonly onConnected: (origin: string, connection: ConnectionFacts) => void;
};

/**
 * The highest version that the server offers, and the certificate's expiry (ISO; null without TLS). Requests are sent
 * with HTTP/1.1 in any case: of the frames of HTTP/2, some that a server may send end the process inside the client.
 */
export type ConnectionFacts = { readonly httpVersion: '1.1' | '2'; readonly certificateEnds: string | null };

type Target = { readonly hostname: string; readonly port: string; readonly trusted: boolean };

type Connecting = ConnectorOptions & {
  /** By origin, whether it offers HTTP/2. */
  readonly offers: Map<string, Promise<boolean>>;
};

const MOST_ORIGINS = 5_000;
/** The first answer waits for so long for a server that hangs only when it is asked for HTTP/2, ms. */
const HTTP2_MS = 2_000;

export function createGuardedConnector(options: ConnectorOptions): buildConnector.connector {
  const connecting = { ...options, offers: new Map<string, Promise<boolean>>() };
  return (request, callback) => {
    // undici expects the callback to be called exactly once, and never synchronously.
    connectGuarded(request, connecting).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

async function connectGuarded(request: buildConnector.Options, options: Connecting): Promise<Socket | TLSSocket> {
  const port = request.port || (request.protocol === 'https:' ? '443' : '80');
  const target: Target = {
    hostname: withoutBrackets(request.hostname),
    port,
    trusted: options.allow.has(request.hostname, port),
  };
  const addresses = await vettedAddresses(target, options);
  const to = { ...request, hostname: target.hostname };
  const origin = `${request.protocol}//${request.host ?? request.hostname}`;
  const isOffered = offersHttp2(
    origin,
    () => dial(to, addresses, { ...options, connectMs: Math.min(options.connectMs, HTTP2_MS), isHttp2: true }),
    options,
  );
  const socket = await dial(to, addresses, { ...options, isHttp2: false });
  const refusal = socket.remoteAddress === undefined ? null : whyPeerIsRefused(socket.remoteAddress, target);
  if (socket.remoteAddress === undefined) {
    socket.destroy();
    throw Object.assign(new Error('closed at once'), { code: 'ECONNRESET' });
  }
  if (refusal !== null) {
    socket.destroy();
    throw new AddressBlocked(refusal);
  }
  const httpVersion = (await isOffered) ? '2' : '1.1';
  options.onConnected(origin, { httpVersion, certificateEnds: certificateEndsOf(socket) });
  return socket;
}

/** By a handshake alone: the connection ends before anything else is read from it. */
function offersHttp2(
  origin: string,
  connect: () => Promise<Socket | TLSSocket>,
  { asksForHttp2, offers }: Pick<Connecting, 'asksForHttp2' | 'offers'>,
): Promise<boolean> {
  if (!asksForHttp2 || !origin.startsWith('https:')) return Promise.resolve(false);
  const known = offers.get(origin);
  if (known) return known;
  const asked = connect().then(
    (socket) => {
      socket.on('error', () => undefined);
      socket.destroy();
      return 'alpnProtocol' in socket && socket.alpnProtocol === 'h2';
    },
    () => false,
  );
  if (offers.size >= MOST_ORIGINS) offers.clear();
  offers.set(origin, asked);
  return asked;
}

/** Connects to one of these addresses only: the name is not resolved again. */
function dial(
  request: buildConnector.Options,
  addresses: readonly ResolvedAddress[],
  options: ConnectorOptions & { readonly isHttp2: boolean },
): Promise<Socket | TLSSocket> {
  const connect = buildConnector({
    timeout: options.connectMs,
    allowH2: options.isHttp2,
    maxCachedSessions: 0,
    ...(options.ca ? { ca: [...options.ca] } : {}),
    autoSelectFamily: true,
    lookup: (_hostname, lookupOptions, done) => {
      const first = addresses[0];
      if (lookupOptions.all) done(null, [...addresses]);
      else done(null, first?.address ?? '', first?.family ?? 4);
    },
  });
  return new Promise((resolve, reject) => {
    // SNI names have no trailing root dot.
    const named = request.hostname.endsWith('.') ? { ...request, servername: bareHost(request.hostname) } : request;
    const port = addresses[0]?.port;
    connect(port === undefined ? named : { ...named, port: String(port) }, (error, socket) =>
      error ? reject(error) : resolve(socket),
    );
  });
}

async function vettedAddresses(target: Target, options: ConnectorOptions): Promise<readonly ResolvedAddress[]> {
  const hostname = withoutBrackets(target.hostname);
  const literal = isAddress(hostname);
  const addresses = literal
    ? [{ address: hostname, family: hostname.includes(':') ? 6 : 4 } as const]
    : await inTime(options.resolve(hostname), options.connectMs);
  if (addresses.length === 0) throw new NameNotResolved('not_found');
  if (target.trusted) return addresses;
  for (const { address } of addresses) {
    const reason = whyNotPublic(address);
    if (reason) throw new AddressBlocked(reason);
  }
  return addresses;
}

/** Applies the connection timeout, because the resolver may hang for longer. */
function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new NameNotResolved('slow')), ms);
    work
      .then(resolve, (error: unknown) =>
        reject(error instanceof NameNotResolved ? error : new NameNotResolved('not_found')),
      )
      .finally(() => clearTimeout(timer));
  });
}

function whyPeerIsRefused(peer: string, target: Target): string | null {
  return target.trusted ? null : whyNotPublic(peer);
}

function certificateEndsOf(socket: Socket | TLSSocket): string | null {
  const ends = 'getPeerCertificate' in socket ? Date.parse(socket.getPeerCertificate().valid_to) : Number.NaN;
  return Number.isNaN(ends) ? null : new Date(ends).toISOString();
}

function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

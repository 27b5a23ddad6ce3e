/** A server that violates HTTP on request: raw sockets, one misbehavior per path. */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

type HostileRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly socket: Socket;
  readonly origin: string;
};
export type Misbehaviour = (request: HostileRequest) => void;
export type HostileServer = {
  readonly origin: string;
  /** `127.0.0.1:port`, for the allow list. */
  readonly host: string;
  readonly connections: () => number;
  /** Paths requested so far. */
  readonly asked: readonly string[];
  readonly close: () => Promise<void>;
};

const MEGABYTE = 1024 * 1024;

function answer(socket: Socket, status: string, headers: readonly string[], body: Buffer | string = ''): void {
  socket.write(`HTTP/1.1 ${status}\r\n${headers.map((header) => `${header}\r\n`).join('')}Connection: close\r\n\r\n`);
  socket.end(body);
}

function html(socket: Socket, body: Buffer | string, headers: readonly string[] = []): void {
  answer(socket, '200 OK', ['Content-Type: text/html', ...headers], body);
}

/**
 * Keeps writing `piece` for as long as the client reads; beyond `most` bytes one every 10 ms, so that neither side
 * needs a core until it ends.
 */
function pour(socket: Socket, piece: Buffer | string, most = Number.POSITIVE_INFINITY): void {
  let left = most;
  const more = (): void => {
    while (!socket.destroyed && left > 0) {
      left -= piece.length;
      if (socket.write(piece)) continue;
      socket.once('drain', more);
      return;
    }
    if (!socket.destroyed) drip(socket, 10, () => piece);
  };
  more();
}

function drip(socket: Socket, everyMs: number, piece: () => Buffer | string): void {
  const timer = setInterval(() => socket.write(piece()), everyMs);
  socket.once('close', () => clearInterval(timer));
}

function redirect(socket: Socket, status: string, location: string): void {
  answer(socket, `${status} Moved`, [`Location: ${location}`, 'Content-Length: 0']);
}

/** Generated up front, so that only the client needs memory when they are sent. */
const gzipMember = gzipSync(Buffer.alloc(10 * MEGABYTE));
const brotliBomb = brotliCompressSync(Buffer.alloc(64 * MEGABYTE), { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });

/** A thousand members are 10 GB of zeros in 10 MB: gzip files may be concatenated. */
function sendGzipBomb(socket: Socket, members: number): void {
  socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n');
  for (let member = 0; member < members; member++) socket.write(gzipMember);
  socket.end();
}

const MISBEHAVIOURS: Readonly<Record<string, Misbehaviour>> = {
  '/redirect': ({ socket, query }) => redirect(socket, query.get('code') ?? '302', query.get('to') ?? ''),
  '/chain': ({ socket, query }) => {
    const left = Number(query.get('n'));
    if (left > 0) redirect(socket, '302', `/chain?n=${left - 1}`);
    else html(socket, 'arrived');
  },
  '/loop': ({ socket }) => redirect(socket, '302', '/loop'),
  '/loop-a': ({ socket }) => redirect(socket, '301', '/loop-b'),
  '/loop-b': ({ socket }) => redirect(socket, '301', '/loop-a'),
  '/location-huge': ({ socket }) => redirect(socket, '302', `/${'x'.repeat(64 * 1024)}`),
  '/location-long': ({ socket }) => redirect(socket, '302', `/${'x'.repeat(10 * 1024)}`),
  '/location-long-escaped': ({ socket }) => redirect(socket, '302', `/${'中'.repeat(1000)}`),
  '/location-empty': ({ socket }) => redirect(socket, '302', ''),
  '/location-bad': ({ socket }) => redirect(socket, '302', 'http://['),
  '/location-userinfo': ({ socket, origin }) => redirect(socket, '302', origin.replace('://', '://admin:secret@')),
  '/location-crlf': ({ socket }) => redirect(socket, '302', '/ok%0d%0aX-Injected:%201'),
  '/location-two': ({ socket }) =>
    answer(socket, '302 Found', ['Location: /ok', 'Location: /other', 'Content-Length: 0']),
  '/location-utf8': ({ socket }) =>
    socket.end(
      Buffer.from(
        'HTTP/1.1 302 Found\r\nLocation: /caf\u00e9\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
        'utf8',
      ),
    ),
  '/no-location': ({ socket }) => answer(socket, '302 Found', ['Content-Type: text/html'], 'nowhere'),
  '/gzip-bomb': ({ socket, query }) => sendGzipBomb(socket, Number(query.get('members') ?? 1)),
  '/brotli-bomb': ({ socket }) => html(socket, brotliBomb, ['Content-Encoding: br']),
  '/stacked': ({ socket, query }) => {
    const layers = Number(query.get('n'));
    let body: Buffer = Buffer.from('inside');
    for (let layer = 0; layer < layers; layer++) body = gzipSync(body);
    html(socket, body, [`Content-Encoding: ${Array.from({ length: layers }, () => 'gzip').join(', ')}`]);
  },
  '/wrong-encoding': ({ socket }) => html(socket, 'plain text', ['Content-Encoding: gzip']),
  '/zstd': ({ socket }) => html(socket, 'whatever', ['Content-Encoding: zstd']),
  '/odd-encoding': ({ socket }) => html(socket, 'plain text', ['Content-Encoding: UTF-8']),
  '/truncated-gzip': ({ socket }) =>
    html(socket, gzipSync(Buffer.from('cut short '.repeat(1000))).subarray(0, 40), ['Content-Encoding: gzip']),
  '/endless': ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n');
    pour(socket, Buffer.alloc(64 * 1024, 'a'));
  },
  /** `pieces` of one byte; without it, endless. */
  '/pieces': ({ socket, query }) => {
    socket.write(
      'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n',
    );
    const pieces = query.get('pieces');
    if (pieces === null) pour(socket, '1\r\na\r\n'.repeat(10_000), 2 * MEGABYTE);
    else socket.end(`${'1\r\na\r\n'.repeat(Number(pieces))}0\r\n\r\n`);
  },
  /** `interim` answers before the final one; without it, endless. */
  '/interim': ({ socket, query }) => {
    const early = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n';
    const interim = query.get('interim');
    if (interim === null) return pour(socket, early.repeat(100), 2 * MEGABYTE);
    socket.write(early.repeat(Number(interim)));
    html(socket, 'inside');
  },
  '/pieces-moved': ({ socket }) => {
    socket.write('HTTP/1.1 302 Found\r\nLocation: /ok\r\nTransfer-Encoding: chunked\r\n\r\n');
    pour(socket, '1\r\na\r\n'.repeat(10_000), 2 * MEGABYTE);
  },
  '/huge-announced': ({ socket }) => html(socket, 'begin', ['Content-Length: 10737418240']),
  '/drip-body': ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>');
    drip(socket, 10, () => 'x');
  },
  '/drip-header': ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    let count = 0;
    drip(socket, 10, () => (count++ % 20 === 19 ? ': y\r\n' : 'x'));
  },
  '/hang': () => undefined,
  '/headers-large': ({ socket }) => html(socket, 'x', [`X-Large: ${'h'.repeat(64 * 1024)}`]),
  '/headers-many': ({ socket }) =>
    html(
      socket,
      'x',
      Array.from({ length: 10_000 }, (_, index) => `X-${index}: y`),
    ),
  '/headers-endless': ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    pour(socket, `X-More: ${'h'.repeat(1000)}\r\n`);
  },
  '/cookies': ({ socket }) =>
    html(
      socket,
      'fed',
      Array.from({ length: 300 }, (_, index) => `Set-Cookie: c${index}=${'v'.repeat(40)}`),
    ),
  '/reset': ({ socket }) => void socket.resetAndDestroy(),
  '/reset-mid-body': ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\npart');
    setImmediate(() => socket.resetAndDestroy());
  },
  '/length-too-long': ({ socket }) =>
    answer(socket, '200 OK', ['Content-Type: text/html', 'Content-Length: 1000'], 'short'),
  '/length-too-short': ({ socket }) =>
    answer(socket, '200 OK', ['Content-Type: text/html', 'Content-Length: 2'], 'much longer'),
  '/bad-chunks': ({ socket }) =>
    answer(socket, '200 OK', ['Content-Type: text/html', 'Transfer-Encoding: chunked'], 'zz\r\nhello\r\n'),
  '/http09': ({ socket }) => void socket.end('<html>no status line'),
  '/garbage': ({ socket }) => void socket.end(Buffer.from([0, 1, 2, 3, 255, 254, 13, 10, 13, 10])),
  '/switch': ({ socket }) =>
    void socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: nonsense\r\nConnection: upgrade\r\n\r\n'),
  '/nuls': ({ socket }) =>
    html(socket, Buffer.concat([Buffer.from('<!doctype html><title>n'), Buffer.alloc(900), Buffer.from('x')])),
  '/utf16': ({ socket }) =>
    html(
      socket,
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<!doctype html><title>wide</title>', 'utf16le')]),
    ),
  '/png': ({ socket }) => html(socket, Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0])),
  '/empty': ({ socket }) => html(socket, '', ['Content-Length: 0']),
  '/ok': ({ socket }) => html(socket, '<!doctype html><title>fine</title>'),
};

/** Every misbehavior by its path. */
export const HOSTILE_PATHS: readonly string[] = Object.keys(MISBEHAVIOURS).flatMap((path) => {
  if (path === '/ok') return [];
  if (path === '/redirect')
    return ['http://127.0.0.1:1/', 'http://169.254.169.254/', 'file:///etc/passwd', '//['].map(
      (to) => `${path}?to=${encodeURIComponent(to)}`,
    );
  if (path === '/chain') return [`${path}?n=20`];
  if (path === '/gzip-bomb') return [`${path}?members=1000`];
  return path === '/stacked' ? [`${path}?n=40`] : [path];
});

/** `extra` adds paths to the misbehaviors; an unknown path answers 404. */
export async function startHostileServer(extra: Readonly<Record<string, Misbehaviour>> = {}): Promise<HostileServer> {
  const sockets = new Set<Socket>();
  const asked: string[] = [];
  let connections = 0;
  const known = { ...MISBEHAVIOURS, ...extra };
  const server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    socket.once('data', (data) => {
      const [method = '', target = '/'] = data.toString('latin1').split(' ');
      const url = new URL(target, 'http://hostile');
      asked.push(url.pathname);
      const misbehave =
        known[url.pathname] ?? known['*'] ?? (() => answer(socket, '404 Not Found', ['Content-Length: 0']));
      misbehave({ method, path: url.pathname, query: url.searchParams, socket, origin });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    host: `127.0.0.1:${port}`,
    connections: () => connections,
    asked,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

export { answer as writeAnswer, html as writeHtml };

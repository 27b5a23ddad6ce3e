/** A name server on loopback with a table of names; names in `silent` get no answer, those in `failing` SERVFAIL. */
import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';

export type DnsServer = {
  readonly address: string;
  readonly asked: () => readonly string[];
  readonly close: () => Promise<void>;
};

const TYPES = { 1: 'A', 28: 'AAAA' } as const;

export async function startDnsServer(
  names: Readonly<Record<string, readonly string[]>>,
  silent: readonly string[] = [],
  failing: readonly string[] = [],
): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, from) => {
    const { name, end } = readName(query);
    const type = TYPES[query.readUInt16BE(end) as keyof typeof TYPES];
    asked.push(`${type} ${name}`);
    if (silent.includes(name)) return;
    const answers = (names[name] ?? []).filter((address) => (type === 'AAAA') === address.includes(':'));
    const status = failing.includes(name) ? SERVFAIL : name in names ? 0 : NXDOMAIN;
    socket.send(reply(query.subarray(0, end + 4), status, answers), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    asked: () => asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

const [SERVFAIL, NXDOMAIN] = [2, 3] as const;

function reply(question: Buffer, status: number, answers: readonly string[]): Buffer {
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180 + status, 2);
  head.writeUInt16BE(answers.length, 6);
  head.writeUInt16BE(0, 8);
  head.writeUInt16BE(0, 10);
  return Buffer.concat([head, ...answers.map(record)]);
}

function record(address: string): Buffer {
  const isV6 = address.includes(':');
  const data = isV6 ? v6Bytes(address) : Buffer.from(address.split('.').map(Number));
  const head = Buffer.from([0xc0, 0x0c, 0, isV6 ? 28 : 1, 0, 1, 0, 0, 0, 0, 0, data.length]);
  return Buffer.concat([head, data]);
}

function v6Bytes(address: string): Buffer {
  const [left = '', right = ''] = address.split('::');
  const groups = (part: string): number[] =>
    part
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16));
  const [first, last] = [groups(left), groups(right)];
  const all = [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}

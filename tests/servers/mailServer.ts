/** A real SMTP server on loopback that keeps received mails, and refuses or hangs on demand. */
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { ArrivedMail } from '../contract/mailer.ts';

export type MailServer = {
  readonly url: string;
  readonly mails: readonly (ArrivedMail & { readonly raw: string })[];
  /** Answers the next `times` mails with this code before it accepts any again. */
  refuse(code: number, times: number, at?: 'recipient' | 'data'): void;
  /** Stops answering. */
  hang(): void;
  /** The first matching mail, past or future. */
  next(fits: (mail: ArrivedMail) => boolean): Promise<ArrivedMail & { readonly raw: string }>;
  close(): Promise<void>;
};

/**
 * What happens to an email. A number: it is refused with this code. `dropped`: the connection drops, and it is not
 * kept. `lost`: it is kept, but the connection drops before the answer. `unanswered`: it is kept, and no answer comes.
 */
export type Verdict = 'taken' | 'dropped' | 'lost' | 'unanswered' | number;

export type MailServerOptions = {
  readonly user?: string;
  readonly password?: string;
  /** Called for the sender (`MAIL FROM`), for each recipient, and for each complete email. */
  readonly judges?: {
    readonly sender?: () => 'taken' | number;
    readonly recipient?: (address: string) => 'taken' | number;
    readonly mail?: (mail: ArrivedMail) => Verdict;
  };
};

export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const { judges = {} } = options;
  const mails: (ArrivedMail & { readonly raw: string })[] = [];
  const waiting = new Set<{
    fits: (mail: ArrivedMail) => boolean;
    resolve: (mail: ArrivedMail & { readonly raw: string }) => void;
  }>();
  const refusals: { readonly code: number; readonly at: 'recipient' | 'data' }[] = [];
  let hanging = false;
  const refusalAt = (at: 'recipient' | 'data'): Error | null => {
    if (refusals[0]?.at !== at) return null;
    return refusedWith(refusals.shift()!.code);
  };
  const server = new SMTPServer({
    authOptional: options.user === undefined,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onAuth: ({ username, password }, _session, callback) =>
      username === options.user && password === options.password
        ? callback(null, { user: username })
        : callback(new Error('Wrong user or password')),
    onMailFrom: (_address, _session, callback) => callback(refusedWith(judges.sender?.() ?? 'taken')),
    onRcptTo: ({ address }, _session, callback) => {
      if (!hanging) callback(refusalAt('recipient') ?? refusedWith(judges.recipient?.(address) ?? 'taken'));
    },
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (hanging) return;
        const refusal = refusalAt('data');
        if (refusal) return callback(refusal);
        const raw = Buffer.concat(chunks).toString('utf8');
        const mail = { ...parseMail(raw), to: session.envelope.rcptTo.map(({ address }) => address).join(', '), raw };
        const verdict = judges.mail?.(mail) ?? 'taken';
        if (typeof verdict === 'number') return callback(refusedWith(verdict));
        if (verdict === 'dropped') return cut(session.id);
        mails.push(mail);
        for (const wait of [...waiting]) {
          if (!wait.fits(mail)) continue;
          waiting.delete(wait);
          wait.resolve(mail);
        }
        if (verdict === 'lost') cut(session.id);
        else if (verdict === 'taken') callback(null);
      });
    },
  });
  server.on('error', () => undefined);
  /** The library's own list of connections knows the session of each. */
  function cut(sessionId: string): void {
    for (const connection of server.connections as Set<{ session?: { id: string }; _socket?: Socket }>)
      if (connection.session?.id === sessionId) connection._socket?.destroy();
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const credentials = options.user === undefined ? '' : `${options.user}:${options.password}@`;
  return {
    url: `smtp://${credentials}127.0.0.1:${port}`,
    mails,
    refuse: (code, times, at = 'data') => void refusals.push(...Array.from({ length: times }, () => ({ code, at }))),
    hang: () => {
      hanging = true;
    },
    next: (fits) => {
      const past = mails.find(fits);
      return past ? Promise.resolve(past) : new Promise((resolve) => waiting.add({ fits, resolve }));
    },
    close: () =>
      new Promise((resolve) => {
        for (const connection of server.connections) (connection as { close(): void }).close();
        server.close(() => resolve());
      }),
  };
}

function refusedWith(code: 'taken' | number): Error | null {
  return code === 'taken' ? null : Object.assign(new Error(`refused with ${code}`), { responseCode: code });
}

/** Parses the mails that the product sends: two alternatives, no attachments. */
function parseMail(raw: string): Omit<ArrivedMail, 'to'> {
  const { headers, body } = split(raw);
  const header = (name: string) => headers.get(name);
  const boundary = /boundary="?([^";]+)"?/.exec(header('content-type') ?? '')?.[1] ?? '';
  const parts = boundary
    ? body
        .split(`--${boundary}`)
        .slice(1, -1)
        .map((part) => split(part.replace(/^\r\n/, '')))
    : [{ headers, body }];
  const part = (type: string): string => {
    const found = parts.find(({ headers: own }) => own.get('content-type')?.startsWith(type));
    return found
      ? decode(found.body, found.headers.get('content-transfer-encoding') ?? '').replaceAll('\r\n', '\n')
      : '';
  };
  return {
    from: decodeWords(header('from') ?? ''),
    subject: decodeWords(header('subject') ?? ''),
    messageId: (header('message-id') ?? '').replaceAll(/[<>]/g, ''),
    text: part('text/plain'),
    html: part('text/html'),
    header,
  };
}

function split(text: string): { readonly headers: ReadonlyMap<string, string>; readonly body: string } {
  const end = text.indexOf('\r\n\r\n');
  const lines = text
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  return {
    headers: new Map(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    ),
    body: text.slice(end + 4),
  };
}

function decode(body: string, encoding: string): string {
  if (/base64/i.test(encoding)) return Buffer.from(body, 'base64').toString('utf8');
  return /quoted-printable/i.test(encoding) ? unquote(body.replaceAll(/=\r\n/g, '')) : body;
}

/** Bytes as `=XX`; everything else in such a text is ASCII. */
const unquote = (text: string): string =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');

const decodeWords = (value: string): string =>
  value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toUpperCase() === 'B' ? Buffer.from(text, 'base64').toString('utf8') : unquote(text.replaceAll('_', ' ')),
    );

/** An authenticator in software: an ES256 key for one site, which answers as a browser's WebAuthn API does. */
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { TestApp, TestUser } from './product/http.ts';

type Cbor = number | string | Uint8Array | ReadonlyMap<number | string, Cbor>;

const head = (major: number, length: number): Buffer =>
  length < 24
    ? Buffer.from([(major << 5) | length])
    : length < 256
      ? Buffer.from([(major << 5) | 24, length])
      : Buffer.from([(major << 5) | 25, length >> 8, length & 255]);

function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, of]) => [cbor(key), cbor(of)])]);
}

const sha256 = (bytes: string | Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

type Site = { readonly rpId: string; readonly origin: string };
/** What is not as it should be. */
type Fault = {
  readonly origin?: string;
  readonly rpId?: string;
  readonly verified?: boolean;
  readonly counter?: number;
};

export type Authenticator = {
  /** The answer to options of `POST /auth/passkeys/options`. */
  create(options: { readonly challenge: string; readonly user: { readonly id: string } }, fault?: Fault): object;
  /** The answer to options of a log-in or of a second factor. */
  get(options: { readonly challenge: string }, fault?: Fault): object;
};

/** `counts`: whether its counter grows with each use; synced passkeys stay at 0. */
export function authenticator({ rpId, origin, counts = false }: Site & { readonly counts?: boolean }): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(16);
  let userHandle = text(randomBytes(16));
  let counter = 0;
  const clientData = (type: string, challenge: string, fault: Fault): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: fault.origin ?? origin, crossOrigin: false }));
  const authData = (flags: number, fault: Fault, rest: readonly Uint8Array[] = []): Buffer => {
    if (counts) counter += 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(fault.counter ?? counter);
    const verified = fault.verified === false ? 0 : 0x04;
    // A passkey whose counter stays 0 is synced: it may be, and is, backed up.
    const synced = counts ? 0 : 0x18;
    return Buffer.concat([sha256(fault.rpId ?? rpId), Buffer.from([0x01 | verified | synced | flags]), count, ...rest]);
  };
  const named = { id: text(id), rawId: text(id), type: 'public-key' };
  return {
    create: ({ challenge, user }, fault = {}) => {
      userHandle = user.id;
      const key = cbor(
        new Map<number, Cbor>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, 'base64url')],
          [-3, Buffer.from(y, 'base64url')],
        ]),
      );
      const attested = [Buffer.alloc(16), Buffer.from([0, id.length]), id, key];
      const attestationObject = cbor(
        new Map<string, Cbor>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', authData(0x40, fault, attested)],
        ]),
      );
      return {
        ...named,
        response: {
          clientDataJSON: text(clientData('webauthn.create', challenge, fault)),
          attestationObject: text(attestationObject),
          transports: ['internal'],
        },
      };
    },
    get: ({ challenge }, fault = {}) => {
      const client = clientData('webauthn.get', challenge, fault);
      const authenticatorData = authData(0, fault);
      const signature = createSign('sha256').update(authenticatorData).update(sha256(client)).sign(privateKey);
      return {
        ...named,
        response: {
          clientDataJSON: text(client),
          authenticatorData: text(authenticatorData),
          signature: text(signature),
          userHandle,
        },
      };
    },
  };
}

const PATH = '/api/v1/auth/passkeys';

/** An authenticator for the app as it is open at `localhost`. */
export const deviceFor = ({ url }: Pick<TestApp, 'url'>, counts = false): Authenticator =>
  authenticator({ rpId: 'localhost', origin: url.replace('127.0.0.1', 'localhost'), counts });

/** What the app asks for at that path, and the cookie of the browser that asked. */
export async function askedForPasskey(
  app: Pick<TestApp, 'call'>,
  path: string,
  { body = {}, token }: { readonly body?: object; readonly token?: string | undefined } = {},
) {
  const { headers, body: answer } = await app.call('POST', path, { body, token });
  const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return { options: answer.options as { challenge: string; user: { id: string } }, headers: { cookie } };
}

/** Asked for in the user's session. */
export const newPasskeyFor = (app: Pick<TestApp, 'call'>, { token, password }: TestUser) =>
  askedForPasskey(app, `${PATH}/options`, { body: { password }, token });

/** In the user's account, as its owner adds it. */
export async function addedPasskey(app: Pick<TestApp, 'call' | 'url'>, user: TestUser) {
  const made = deviceFor(app);
  const { options, headers } = await newPasskeyFor(app, user);
  const body = { name: 'Phone', passkey: made.create(options) };
  const answer = await app.call('POST', PATH, { body, token: user.token, headers });
  if (answer.status !== 201) throw new Error(`the passkey was answered ${answer.status}: ${answer.text}`);
  return { made, id: answer.body.data.id as string };
}

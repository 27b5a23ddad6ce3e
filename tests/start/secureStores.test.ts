/**
 * The address of the event store in compose.secure.yaml, through the product's settings, on a server with TLS and
 * users.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { openEventStoreDb } from '../../src/eventStore/eventStoreDb/eventStoreDb.ts';
import { loadConfig } from '../../src/start/config.ts';
import { newEvents, refusal, wholeLog } from '../contract/eventStoreHarness.ts';
import { createCertificate } from '../servers/certificate.ts';
import { startEventStoreDbServer } from '../servers/eventStoreDb.ts';

const COMPOSE = parse(readFileSync(fileURLToPath(new URL('../../compose.secure.yaml', import.meta.url)), 'utf8'), {
  merge: true,
});
/** As `openssl rand -hex 24` makes them. */
const PASSWORD = '8f0c2d1b9e7a6435c0ffee1234567890abcdef0123456789';

const certificate = () =>
  createCertificate({ names: ['localhost'], from: new Date('2020-01-01'), to: new Date('2050-01-01') });

async function secureServer() {
  const folder = mkdtempSync(join(tmpdir(), 'event-store-secure-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { key, cert } = certificate();
  const caFile = join(folder, 'ca.crt');
  writeFileSync(caFile, cert);
  const server = await startEventStoreDbServer({
    tls: { key, cert },
    credentials: { username: 'admin', password: PASSWORD },
  });
  onTestFinished(() => server.close());
  const address = ({ password = PASSWORD, ca = caFile } = {}): string => {
    const url = (COMPOSE.services.http.environment.EVENTSTORE_URL as string)
      .replace(/\$\{EVENTSTORE_ADMIN_PASSWORD:\?[^}]*\}/, password)
      .replace('@eventstore:2113', `@localhost:${server.port}`)
      .replace('/eventstore-ca/ca.crt', ca);
    return loadConfig({ EVENTSTORE_URL: url, MONGODB_URL: 'mongodb://localhost/seo' }).servers?.eventStoreUrl ?? '';
  };
  return { server, folder, address };
}

it('everything that the product does with its log works over TLS, as a user', async () => {
  const { address } = await secureServer();
  const store = await openEventStoreDb({ url: address() });
  onTestFinished(() => store.close());
  await store.append('thing-1', newEvents(3), { expected: 'no_stream' });
  await store.append('thing-2', newEvents(1), { expected: 'any' });
  expect(await wholeLog(store)).toHaveLength(4);
  for await (const message of store.subscribe({ filter: { streamPrefixes: ['thing-'] } }))
    if (message.kind === 'caughtUp') break;
  await store.truncate('thing-1', 2n);
  await store.delete('thing-2');
  expect(await store.read('thing-1')).toMatchObject({ status: 'found', revision: 2n });
  expect(await store.read('thing-2')).toEqual({ status: 'deleted' });
  expect([...((await store.alteredStreams?.()) ?? [])]).toEqual(expect.arrayContaining(['thing-1', 'thing-2']));
});

it('a wrong password and a server that another authority vouches for are refused, without telling the password', async () => {
  const { folder, address } = await secureServer();
  const wrong = 'another-password';
  const denied = await refusal(openEventStoreDb({ url: address({ password: wrong }), connectTimeoutMs: 500 }));
  expect(denied).toMatchObject({ code: 'STORE_ACCESS_DENIED' });
  const otherCa = join(folder, 'other.crt');
  writeFileSync(otherCa, certificate().cert);
  const unknown = await refusal(openEventStoreDb({ url: address({ ca: otherCa }), connectTimeoutMs: 500 }));
  expect(unknown).toMatchObject({ code: 'STORE_UNAVAILABLE' });
  const missing = await refusal(
    Promise.resolve().then(() => openEventStoreDb({ url: address({ ca: join(folder, 'none.crt') }) })),
  );
  expect(missing).toMatchObject({ code: 'INVALID_STORE_URL', message: expect.stringContaining('none.crt') });
  for (const { message } of [denied, unknown, missing]) expect(message).not.toMatch(new RegExp(`${PASSWORD}|${wrong}`));
});

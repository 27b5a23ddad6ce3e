/**
 * MongoDB with a key file and users, as in compose.secure.yaml, on three members, through the product's own settings.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { FINAL, signUp } from '../given/product/apiClient.ts';
import { type RunningServer, startServer } from '../given/product/processes.ts';
import { available, MONGOD } from '../given/requirements.ts';
import { type EventStoreDbServer, startEventStoreDbServer } from '../servers/eventStoreDb.ts';
import { type MongoServer, startMongoServer } from '../servers/mongoServer.ts';
import { htmlPage, startTestSite, type TestSite } from '../servers/testSite.ts';

const file = (name: string): string => readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), 'utf8');
const COMPOSE = parse(file('compose.secure.yaml'), { merge: true });
/** As `openssl rand -hex 24` makes them. */
const PASSWORD = '8f0c2d1b9e7a6435c0ffee1234567890abcdef0123456789';

/** What `deploy/mongoUser.js` does in the MongoDB image. */
async function createUsers(root: MongoClient): Promise<void> {
  const created: {
    readonly name: string;
    readonly user: string;
    readonly pwd: string;
    readonly roles: readonly unknown[];
  }[] = [];
  const db = {
    getSiblingDB: (name: string) => ({
      createUser: (user: (typeof created)[number]) => created.push({ ...user, name }),
    }),
  };
  runInNewContext(file('deploy/mongoUser.js'), { db, process: { env: { MONGODB_PASSWORD: PASSWORD } } });
  expect(created).toHaveLength(1);
  for (const { name, user, pwd, roles } of created)
    await root.db(name).command({ createUser: user, pwd, roles: [...roles] });
}

describe.skipIf(!available('mongod (scripts/fetchMongod.sh)', MONGOD))('MongoDB with users', () => {
  let mongo: MongoServer;
  let eventStore: EventStoreDbServer;
  let site: TestSite;
  let server: RunningServer | null = null;
  let settings: Record<string, string>;

  beforeAll(async () => {
    mongo = await startMongoServer({ members: 3, secured: true });
    const root = await new MongoClient(mongo.url).connect();
    await createUsers(root).finally(() => root.close());
    eventStore = await startEventStoreDbServer();
    site = await startTestSite({
      '/': htmlPage('A site of two pages', '/about'),
      '/about': htmlPage('About the site'),
    });
    const members = mongo.members.map(({ port }) => `127.0.0.1:${port}`).join();
    const address = (COMPOSE.services.http.environment.MONGODB_URL as string)
      .replace(/\$\{MONGODB_PASSWORD:\?[^}]*\}/, PASSWORD)
      .replace('@mongodb:27017', `@${members}`);
    settings = { EVENTSTORE_URL: eventStore.url, MONGODB_URL: address, AUDIT_ALLOW_HOSTS: site.host };
  });
  afterAll(async () => {
    await server?.kill();
    await site?.close();
    await eventStore?.close();
    await mongo?.close();
  });

  it('serves audits, also after its leader was killed, and no line on the console has the password', async () => {
    const product = startServer({ env: settings });
    server = product;
    const user = await signUp(await product.ready(60_000));
    const audit = async (): Promise<string> => {
      const { id } = await user.submit(site.origin);
      return (await user.waitForJob(id, (job) => FINAL.has(job.status), 90_000)).status;
    };
    expect(await audit()).toBe('completed');
    await (await mongo.primary()).kill();
    await mongo.primary();
    expect(await audit()).toBe('completed');
    expect(await product.stop()).toBe(0);
    expect(product.output()).not.toContain(PASSWORD);
    expect(product.output()).not.toMatch(/not authorized/i);
  });

  it('with another password ends the start, in a line without it', async () => {
    const wrong = 'another-password';
    const refused = startServer({
      env: { ...settings, MONGODB_URL: settings.MONGODB_URL?.replace(PASSWORD, wrong) ?? '' },
    });
    await expect(refused.started).rejects.toThrow(/ended with 1/);
    expect(refused.output()).toContain('refuses the connection: Authentication failed.');
    expect(refused.output()).not.toContain(wrong);
  });
});

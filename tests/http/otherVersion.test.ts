/**
 * While the read models are those of another version of the program, in which documents may have another shape, this
 * one answers 503 instead of a wrong row: after an upgrade of the projector alone, or before it.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../src/http/routes/all.ts';
import type { AnyRoute } from '../../src/http/routing/route.ts';
import { READ_MODELS } from '../../src/work/rules.ts';
import { givenAnalysis } from '../given/analysis.ts';
import { startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';
import { key, type Prepared, routeCalls } from '../given/product/routeCalls.ts';
import { openSocket } from '../given/product/socket.ts';

let app: TestApp;
let owner: TestUser;
let admin: TestUser;
let jobId: string;
let shareToken: string;
const prepared = new Map<AnyRoute, Prepared>();
const callerOf = (route: AnyRoute): TestUser => (route.access === 'admin' ? admin : owner);

async function replaceBuilds(): Promise<void> {
  const { readModels } = app;
  for (const definition of READ_MODELS) {
    const serving = await readModels.serving(definition.name);
    const { documents } = await readModels.find<object>(definition.name, { limit: 1000 }, serving ?? '');
    await readModels.prepare({ ...definition, shape: (definition.shape ?? 1) + 1 }, 'v999');
    await readModels.commit([
      {
        model: definition.name,
        build: 'v999',
        checkpoint: await app.store.head(),
        writes: documents.map(({ id, position }) => ({
          id,
          position,
          data: { email: 'of-another-version', status: 'of-another-version' },
        })),
      },
    ]);
    await readModels.serve(definition.name, 'v999');
  }
}

beforeAll(async () => {
  app = await startTestApp({ config: { freeAnalysesPerMonth: 1000 } });
  admin = await app.signUp();
  owner = await app.signUp();
  const calls = routeCalls(app);
  jobId = (await givenAnalysis(app, owner.userId)).jobId;
  const { body } = await owner.call('POST', '/share/create', { jobId });
  shareToken = String(body.data.shareUrl).split('/').at(-1)!;
  for (const route of ROUTES) prepared.set(route, await calls.prepare(callerOf(route), route));
  await app.projector.pause();
  await replaceBuilds();
});
afterAll(() => app.close());

describe('read models of another version', () => {
  const signedIn = ROUTES.filter(({ access }) => access !== 'public');

  it.each(signedIn.map((route) => [key(route), route] as const))('%s is answered 503', async (_, route) => {
    const { status } = await routeCalls(app).callAs(callerOf(route), route, jobId, prepared.get(route)!);
    expect(status).toBe(503);
  });

  it.each(ROUTES.filter((route) => !signedIn.includes(route)).map((route) => [key(route), route] as const))(
    '%s answers nothing from them',
    async (_, route) => {
      const { text } = await routeCalls(app).callAs(null, route, jobId, prepared.get(route)!);
      expect(text).not.toContain('of-another-version');
    },
  );

  it('nobody logs in, and no shared audit is shown', async () => {
    const login = await app.call('POST', '/api/v1/auth/login', {
      body: { email: owner.email, password: owner.password },
    });
    const answers = [login, await app.call('GET', `/api/v1/share/${shareToken}`)];
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
  });

  it('a socket is told nothing', async () => {
    const socket = await openSocket(app.url);
    socket.send({ type: 'auth', token: owner.token });
    const { type, code } = await socket.next(() => true);
    expect([type, code]).toEqual(['error', 'UNEXPECTED']);
    await socket.close();
  });
});

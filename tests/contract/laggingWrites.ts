/**
 * Every writing route of the API while the projector is stopped, on any pair of stores: no 404 for what was made, no
 * old state after a change, nothing made twice, and the right answer under the same key later. A writing route without
 * a case fails.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { monthOfStream } from '../../src/domain/tally/events.ts';
import { type EventStore, type RecordedEvent, START } from '../../src/eventStore/eventStore.ts';
import { AcceptedResponse } from '../../src/http/contract/accepted.ts';
import { ErrorBody } from '../../src/http/contract/errors.ts';
import { ROUTES } from '../../src/http/routes/all.ts';
import type { AnyRoute } from '../../src/http/routing/route.ts';
import type { TriedPrompt } from '../../src/integrations/analyst/analyst.ts';
import { type AnalysisGiven, type GivenJob, givenAnalysis } from '../given/analysis.ts';
import { PASSWORD, type TestApp, type TestStores, type TestUser } from '../given/product/http.ts';
import { key, type RouteCalls, routeCalls } from '../given/product/routeCalls.ts';
import { openShop, type Shop } from '../given/product/shop.ts';
import { metadataAt } from '../given/stores/metadata.ts';
import { type LookUp, MADE } from './laggingLookUps.ts';
import { type Asked, CASES, type Given, resetOf, type WriteCase } from './laggingWriteCases.ts';

type Answer = Awaited<ReturnType<TestApp['call']>>;
/** A prepared call. */
type Call = { readonly asked: Asked; readonly send: (key?: string) => Promise<Answer> };

const WRITES = ROUTES.filter(({ method }) => method !== 'GET');
const MANY = { points: 1e6, seconds: 60 };
const TRIED: TriedPrompt = {
  model: 'model-x',
  text: '{}',
  refused: 'Nothing in the answer could be used.',
  dropped: 0,
  inputTokens: 1,
  outputTokens: 1,
  costMicros: 1,
  ms: 1,
};
/** Accounts made together. */
const AT_ONCE = 40;
const PATIENT_MS = 20_000;

export function laggingWrites(startStores: () => Promise<TestStores & { readonly end?: () => Promise<void> }>): void {
  let app: Shop;
  let calls: RouteCalls;
  let end: (() => Promise<void>) | undefined;
  const streamsRead: string[] = [];
  beforeAll(async () => {
    const { store, readModels, ...started } = await startStores();
    end = started.end;
    const read: EventStore['read'] = (stream, options) => {
      streamsRead.push(stream);
      return store.read(stream, options);
    };
    app = await openShop({
      stores: { store: Object.assign(Object.create(store), { read }), readModels },
      config: { freeAnalysesPerMonth: 1_000 },
      rateLimits: { reset: MANY, recovery: MANY, loginAddress: MANY, discount: MANY, beacon: MANY, shareMiss: MANY },
      tryPrompt: async () => TRIED,
    });
    Object.assign(app.deps.system.llm, { provider: 'openai_compatible', model: 'model-x' });
    calls = routeCalls(app);
  });
  afterAll(async () => {
    await app?.close();
    await end?.();
  });
  afterEach(() => resume());

  async function pause(): Promise<void> {
    await app.projector.pause();
    // No worker learns of new work, so nobody need wait for its result.
    Object.assign(app.deps.config, { reworkWaitMs: 1 });
  }
  async function resume(): Promise<void> {
    Object.assign(app.deps.config, { reworkWaitMs: PATIENT_MS });
    await app.projector.resume();
  }

  async function prepared(route: AnyRoute, { given }: WriteCase): Promise<Call> {
    const caller = await admin();
    const { jobId } = isAboutAJob(route) ? await analysisOf(caller) : { jobId: '' };
    const usual = await calls.prepare(caller, route);
    const own = given ? await given({ app, caller, jobId, analysisOf } satisfies Given) : {};
    const asked = { caller, jobId, ...usual, ...own };
    const send = (idempotencyKey?: string): Promise<Answer> => {
      const headers = {
        ...asked.headers,
        ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
      };
      return calls.callAs(asked.caller, route, asked.jobId, {
        ...asked,
        path: { ...usual.path, ...own.path },
        headers,
      });
    };
    return { asked, send };
  }

  const missed = async (): Promise<number> =>
    Number(/^read_model_missing_total (\d+)$/m.exec(await app.deps.metrics.render({}))?.[1] ?? 0);

  /** Only appends: what is projected together takes a small part of the time. */
  const append: TestApp['given'] = async (stream, ...events) => {
    const envelopes = events.map((event) => ({ id: randomUUID(), ...event, metadata: metadataAt(app.deps.now()) }));
    return (await app.store.append(stream, envelopes, { expected: 'any' })).position;
  };

  const admins: TestUser[] = [];
  async function admin(): Promise<TestUser> {
    if (admins.length === 0) {
      admins.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => app.signUp()))));
      await Promise.all(admins.map((user) => append(`account-${user.userId}`, granted(user))));
      await app.projector.resume();
    }
    return admins.pop()!;
  }

  async function analysisOf({ userId }: TestUser, wanted: AnalysisGiven = {}): Promise<GivenJob> {
    const job = await givenAnalysis({ deps: app.deps, given: append }, userId, wanted);
    await app.projector.resume();
    return job;
  }

  /** What commands have written since, without the keeping of keys and the work of workers. */
  async function written(after: string): Promise<readonly string[]> {
    const { events } = await app.store.readAll({ after, limit: 1_000 });
    const isOfACommand = ({ stream, metadata }: RecordedEvent): boolean =>
      !stream.startsWith('request-') && monthOfStream(stream) === null && metadata.actor.kind !== 'worker';
    return events.filter(isOfACommand).map(({ type }) => type);
  }

  it('has a case for every writing route, and for no other', () => {
    expect(Object.keys(CASES).sort()).toEqual(WRITES.map(key).sort());
  });

  describe('while the projector is stopped', () => {
    const named = WRITES.flatMap((route) =>
      CASES[key(route)] ? [[key(route), route, CASES[key(route)]!] as const] : [],
    );

    it.each(named.filter(([, { secret, access }]) => !secret && access !== 'public'))(
      '%s is carried out once per key',
      async (_, route, wanted) => {
        const { send } = await prepared(route, wanted);
        const [idempotencyKey, before] = [randomUUID(), await app.store.head()];
        await pause();
        const first = await send(idempotencyKey);
        expectMeanwhile(first, route, wanted);
        expect(await written(before)).toEqual(wanted.writes);
        const again = await send(idempotencyKey);
        if (route.shownOnce) expectError(again, 409, 'ALREADY_SHOWN');
        else if (wanted.meanwhile || route.answerNotKept) expectMeanwhile(again, route, wanted);
        else expect(again).toMatchObject({ status: first.status, body: first.body });
        expect(await written(before)).toEqual(wanted.writes);

        await resume();
        const later = await send(idempotencyKey);
        if (route.shownOnce) expectError(later, 409, 'ALREADY_SHOWN');
        else if (wanted.endsSession) expectError(later, 401, 'UNAUTHENTICATED');
        else expectAnswer(later, route, wanted.answer);
        expect(await written(before)).toEqual(wanted.writes);
      },
    );

    it.each(named)('%s without a key is answered as carried out', async (_, route, wanted) => {
      const { asked, send } = await prepared(route, wanted);
      const before = await app.store.head();
      await pause();
      const answer = await send();
      if (wanted.meanwhile === 'not shown') expectAccepted(answer, route);
      else expectMeanwhile(answer, route, wanted);
      expect(await written(before)).toEqual(wanted.writes);

      await resume();
      const location = answer.headers.get('Location');
      if (location === null) return;
      const shown = await app.call('GET', location, { token: asked.caller?.token });
      expect(shown).toMatchObject({ status: 200, body: wanted.shown ?? {} });
    });
  });

  it('a job that was just made is not missing where another request names it', async () => {
    const owner = await admin();
    const { jobId } = await analysisOf(owner);
    await pause();
    const { id } = (await owner.call('POST', '/api/v1/process', { url: 'example.com' })).body.data;
    const named: readonly LookUp[] = [
      ['GET', `/jobs/${jobId}/compare?with=${id}`],
      ['POST', '/share/create', { jobId: id }],
      ['PUT', '/actions/first/progress', { status: 'in-progress', jobId: id }],
      ['POST', '/admin/prompts/summary/preview', { jobId: id, content: 'Write.' }],
      ['POST', '/admin/prompts/summary/trial', { jobId: id, content: 'Write.' }],
    ];
    for (const [method, path, body] of named) expectNotShown(await owner.call(method, `/api/v1${path}`, body));
  });

  describe('somebody who', () => {
    const post = (path: string, body: object, token?: string): Promise<Answer> =>
      app.call('POST', `/api/v1${path}`, { body, token });
    const profileOf = async (token: string) => (await app.call('GET', '/api/v1/auth/profile', { token })).status;
    /** Signed up while the projector is stopped. */
    async function newcomer(): Promise<{
      readonly email: string;
      readonly token: string;
      readonly refreshToken: string;
    }> {
      await pause();
      const email = `${randomUUID()}@example.com`;
      const { body } = await post('/auth/signup-first', { email, password: PASSWORD });
      return { email, token: body.token, refreshToken: body.session.refresh_token };
    }

    it('just signed up gets in, and can submit a site', async () => {
      const { email, token } = await newcomer();
      expect((await app.call('GET', '/api/v1/auth/profile', { token })).body.user).toMatchObject({ email });
      const again = await post('/auth/login', { email, password: PASSWORD });
      expect([again.status, await profileOf(again.body.token)]).toEqual([200, 200]);
      const submitted = await post('/process', { url: 'example.com' }, again.body.token);
      expect(submitted.status).toBe(202);
      await resume();
      const { id } = submitted.body.data;
      expect((await app.call('GET', `/api/v1/jobs/${id}`, { token })).body.data).toMatchObject({
        id,
        host: 'example.com',
      });
    });

    it('just signed up stays in with the tokens of a refresh, and not with the former ones', async () => {
      const { token, refreshToken } = await newcomer();
      const { body } = await post('/auth/refresh', { refresh_token: refreshToken });
      expect([await profileOf(body.token), await profileOf(token)]).toEqual([200, 401]);
    });

    it('just signed up is out at once after logging out', async () => {
      const { token, refreshToken } = await newcomer();
      expect((await post('/auth/logout', {}, token)).status).toBe(200);
      expect([await profileOf(token), (await post('/auth/refresh', { refresh_token: refreshToken })).status]).toEqual([
        401, 401,
      ]);
    });

    it('changed the password logs in with the new one alone', async () => {
      const { email, token } = await newcomer();
      const other = 'another good password';
      expect((await post('/auth/change-password', { current_password: PASSWORD, password: other }, token)).status).toBe(
        200,
      );
      const logIns = [
        await post('/auth/login', { email, password: PASSWORD }),
        await post('/auth/login', { email, password: other }),
      ];
      expect(logIns.map(({ status }) => status)).toEqual([401, 200]);
    });

    it('forgot the password logs in with a new one', async () => {
      const user = await app.signUp();
      await pause();
      const { accessToken } = await resetOf(app, user);
      const other = 'another good password';
      expect((await post('/auth/update-password', { password: other }, accessToken)).status).toBe(200);
      const logIns = [
        await post('/auth/login', { email: user.email, password: PASSWORD }),
        await post('/auth/login', { email: user.email, password: other }),
      ];
      expect(logIns.map(({ status }) => status)).toEqual([401, 200]);
    });
  });

  describe.each(MADE)(
    '$what that was just made',
    ({ given, make, lookUps, remove, neverMade, isEverybodys, document }) => {
      const ask = (user: TestUser, [method, path, body]: LookUp): Promise<Answer> =>
        user.call(method, `/api/v1${path}`, body);

      it('is not missing for whoever may see it, and shown once the projector has caught up', async () => {
        const maker = { app, owner: await admin(), analysisOf };
        const within = (await given?.(maker)) ?? '';
        await pause();
        const id = await make(maker, within);
        for (const lookUp of lookUps(id)) expectNotMissing(await ask(maker.owner, lookUp), lookUp);
        if (!isEverybodys) {
          const stranger = await app.call('POST', '/api/v1/auth/signup-first', {
            body: { email: `${randomUUID()}@example.com`, password: PASSWORD },
          });
          const other = {
            ...maker.owner,
            call: (method: string, path: string, body?: unknown) =>
              app.call(method, path, { token: stranger.body.token, body }),
          };
          for (const lookUp of lookUps(id)) expect([lookUp, (await ask(other, lookUp)).status]).toEqual([lookUp, 404]);
        }
        await resume();
        for (const lookUp of lookUps(id)) {
          const { status, text } = await ask(maker.owner, lookUp);
          expect([lookUp, status < 300 || text]).toEqual([lookUp, true]);
        }
      });

      if (remove) {
        it('is missing once it was removed', async () => {
          const maker = { app, owner: await admin(), analysisOf };
          const within = (await given?.(maker)) ?? '';
          await pause();
          const id = await make(maker, within);
          await remove(maker, id, within);
          for (const lookUp of lookUps(id))
            expect([lookUp, (await ask(maker.owner, lookUp)).status]).toEqual([lookUp, 404]);
        });
      }

      it('is missing if it was never made, without a look at the log for what cannot be its id', async () => {
        const maker = { app, owner: await admin(), analysisOf };
        const within = (await given?.(maker)) ?? '';
        await pause();
        for (const lookUp of lookUps(neverMade(within)))
          expect([lookUp, (await ask(maker.owner, lookUp)).status]).toEqual([lookUp, 404]);
        for (const id of ['nothing', `${randomUUID()}x`, randomUUID().toUpperCase(), `${within}.x`]) {
          for (const lookUp of lookUps(id)) {
            streamsRead.length = 0;
            expect([lookUp, (await ask(maker.owner, lookUp)).status]).toEqual([lookUp, 404]);
            // The right of an admin is looked up in the log each time, and commands fold what they may change.
            const ofTheThing =
              lookUp[0] === 'GET' ? streamsRead.filter((stream) => !stream.startsWith('account-')) : [];
            expect([lookUp, ofTheThing]).toEqual([lookUp, []]);
          }
        }
      });

      it('is missing, and counted, if the read model lacks it although it is up to date', async () => {
        const maker = { app, owner: await admin(), analysisOf };
        const within = (await given?.(maker)) ?? '';
        const id = await make(maker, within);
        await app.projector.resume();
        const [model, documentId] = document(id, within);
        const build = (await app.readModels.serving(model)) ?? '';
        const position = await append(`account-${maker.owner.userId}`, granted(maker.owner));
        await app.readModels.commit([
          { model, build, checkpoint: START, writes: [{ id: documentId, position, data: null }] },
        ]);
        const before = await missed();
        const [lookUp] = lookUps(id);
        expect((await ask(maker.owner, lookUp!)).status).toBe(404);
        expect((await missed()) - before).toBe(1);
      });
    },
  );
}

const isAboutAJob = ({ access, path }: AnyRoute): boolean => access.startsWith('owner') || path.includes('{jobId}');

const granted = ({ userId }: TestUser) => ({ type: 'AccountAdminGranted', data: { userId, reason: 'configured' } });

function expectAnswer({ status, body }: Answer, route: AnyRoute, wanted: object): void {
  expect({ status, body }).toMatchObject({ status: route.status ?? 200, body: wanted });
  expect(route.response.safeParse(body).error?.issues ?? []).toEqual([]);
}

/** Either the right answer, or one that says what is under way, or that it cannot be shown yet. */
function expectMeanwhile(answer: Answer, route: AnyRoute, { answer: wanted, meanwhile }: WriteCase): void {
  if (meanwhile === 'not shown') expectNotShown(answer);
  else expectAnswer(answer, route, meanwhile ?? wanted);
}

function expectNotShown(answer: Answer): void {
  expectError(answer, 503, 'NOT_SHOWN_YET');
  expect(answer.headers.get('Retry-After')).toBe('2');
}

/** Shown, carried out, or there in a moment. */
function expectNotMissing(answer: Answer, lookUp: LookUp): void {
  if (answer.status >= 300)
    expect([lookUp, answer]).toMatchObject([lookUp, { status: 503, body: { code: 'NOT_SHOWN_YET' } }]);
}

function expectAccepted({ status, body, headers }: Answer, route: AnyRoute): void {
  expect({ status, body, mayLag: route.answerMayLag }).toMatchObject({
    status: 202,
    body: { accepted: true },
    mayLag: true,
  });
  expect(AcceptedResponse.safeParse(body).error?.issues ?? []).toEqual([]);
  expect(headers.get('Location')).toMatch(/^\/api\/v1\//);
}

function expectError({ status, body }: Answer, wanted: number, code: string): void {
  expect({ status, body }).toMatchObject({ status: wanted, body: { code } });
  expect(ErrorBody.safeParse(body).error?.issues ?? []).toEqual([]);
}

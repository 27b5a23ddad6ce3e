/** A valid call of any route, made from the route itself: its path, query and example. */
import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import { contextOf } from '../../../src/commands/context.ts';
import { linkIdentity } from '../../../src/commands/logIn/identities.ts';
import { logInStream } from '../../../src/domain/logIn/events.ts';
import type { AnyRoute } from '../../../src/http/routing/route.ts';
import { givenAnalysis } from '../analysis.ts';
import { givenSequence } from '../sequences.ts';
import type { TestApp, TestUser } from './http.ts';

type Made = Readonly<Record<string, string>>;

export type Prepared = {
  readonly path: Made;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Values of parameters that identify nothing owned. */
const PLAIN: Made = {
  fileName: 'findings.json',
  key: 'summary',
  stream: 'installation',
  name: 'revenue',
  provider: 'local',
};

export const key = (route: AnyRoute): string => `${route.method} ${route.path}`;
export const namesIn = (route: AnyRoute): string[] => [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
export const namesInExample = (route: AnyRoute): string[] =>
  [...JSON.stringify(route.example ?? {}).matchAll(/"\{(\w+)\}"/g)].map((match) => match[1]!);

/**
 * How a value is created for a parameter that ends in `Id`, by the caller. Only a new kind of thing needs a line here;
 * `jobId` is governed by access, so tests choose it. Names without `Id` identify nothing that belongs to a user.
 */
function makersOf(app: TestApp): Readonly<Record<string, (user: TestUser, made: Made) => Promise<string>>> {
  /** Kinds of things that admins may view. */
  const others = new Map<string, TestUser>();
  return {
    jobId: async (user) => (await givenAnalysis(app, user.userId)).jobId,
    actionId: async () => 'first',
    checkId: async () => 'title-missing',
    shareId: async (user) =>
      (await user.call('POST', '/share/create', { jobId: (await givenAnalysis(app, user.userId)).jobId })).body.data.id,
    userId: async () => {
      const user = await app.signUp();
      others.set(user.userId, user);
      return user.userId;
    },
    sessionId: async (own, { userId }) => {
      const user = others.get(userId ?? '') ?? own;
      return (
        await app.call('POST', '/api/v1/auth/login', { body: { email: user.email, password: user.password } })
      ).body.token.split('.')[0];
    },
    endpointId: async (user) =>
      (await user.call('POST', '/api/v1/webhooks', { url: 'https://hooks.example.com/', events: ['job.completed'] }))
        .body.data.id,
    deliveryId: async (user, { endpointId }) =>
      (await user.call('POST', `/api/v1/webhooks/${endpointId}/test`)).body.delivery_id,
    sequenceId: async () => (await givenSequence(app)).sequenceId,
    templateId: async () => (await givenSequence(app)).templateId,
    identityId: async ({ userId }) => {
      const ctx = contextOf(
        { store: app.store, now: app.deps.now, commandId: randomUUID(), actor: { kind: 'system', id: 'test' } },
        null,
      );
      const issuer = 'https://login.example.com';
      const identity = { userId, provider: 'local', issuer, subject: randomUUID(), email: null };
      return (await linkIdentity(ctx, identity)).identityId;
    },
    keyId: async (user) =>
      (await user.call('POST', '/api/v1/api-keys', { name: 'To be revoked', scope: 'read' })).body.data.id,
    passkeyId: async ({ userId }) => {
      const passkeyId = randomUUID();
      const kept = { credentialId: passkeyId, publicKey: 'AA', counter: 0, isSynced: true, name: 'Phone' };
      const data = { userId, passkeyId, ...kept, addedAt: app.deps.now() };
      await app.given(logInStream(userId), { type: 'PasskeyAdded', data });
      return passkeyId;
    },
    fileId: async (user) => {
      await user.call('POST', '/api/v1/account/export');
      return await vi.waitFor(async () => {
        const { body } = await user.call('GET', '/api/v1/account/export/state');
        if (typeof body.export?.file_id !== 'string') throw new Error('The file has not been written yet.');
        return body.export.file_id;
      }, 10_000);
    },
    versionId: async () => 'summary@1',
    eventId: async ({ userId }) => {
      const { events } = await app.store.readAll({
        direction: 'backward',
        limit: 1,
        filter: { streamPrefixes: [`account-${userId}`] },
      });
      return events[0]?.id ?? '';
    },
    folderPath: async (user) =>
      (await user.call('GET', `/api/v1/jobs/${(await givenAnalysis(app, user.userId)).jobId}`)).body.data.folderPath,
  };
}

export type RouteCalls = {
  readonly makes: (name: string) => boolean;
  /** Things named in path and body are the caller's own, except the job that access is about. */
  readonly prepare: (user: TestUser | null, route: AnyRoute) => Promise<Prepared>;
  readonly callAs: (
    user: TestUser | null,
    route: AnyRoute,
    jobId: string | null,
    prepared: Prepared,
  ) => ReturnType<TestApp['call']>;
};

export function routeCalls(app: TestApp): RouteCalls {
  const makers = makersOf(app);
  async function madeFor(user: TestUser, names: readonly string[]): Promise<Made> {
    const made: Record<string, string> = {};
    for (const name of names) if (makers[name]) made[name] = await makers[name](user, made);
    return made;
  }
  return {
    makes: (name) => makers[name] !== undefined,
    prepare: async (user, route) => {
      const path = user
        ? await madeFor(
            user,
            namesIn(route).filter((name) => name !== 'jobId'),
          )
        : {};
      const named = user ? await madeFor(user, namesInExample(route)) : {};
      const fill = (text: string): string =>
        text.replaceAll(/"\{(\w+)\}"/g, (_, name: string) => JSON.stringify(named[name] ?? 'x'));
      return { path, body: route.example && JSON.parse(fill(JSON.stringify(route.example))) };
    },
    callAs: (user, route, jobId, { path: own, body, headers = {} }) => {
      const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        name === 'jobId' ? (jobId ?? 'x') : (own[name] ?? PLAIN[name] ?? 'x'),
      );
      const query = route.access === 'owner-of-named-job' && jobId !== null ? `?jobId=${jobId}` : '';
      return app.call(route.method, `/api/v1${path}${query}`, {
        token: user?.token,
        headers,
        ...(body ? { body } : {}),
      });
    },
  };
}

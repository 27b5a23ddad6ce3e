/** An export is written as it is read, so little of it is in memory at once. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { webhooksStream } from '../../src/domain/webhooks/events.ts';
import type { EventStore } from '../../src/eventStore/eventStore.ts';
import { accountExport } from '../../src/http/account/accountExport.ts';
import { oneAtATime } from '../../src/http/account/oneExport.ts';
import type { AccountExport } from '../../src/http/contract/account.ts';
import { REPORT_FILES } from '../../src/model/jobs.ts';
import type { ReadModels } from '../../src/readModels/readModels.ts';
import { storedReports } from '../../src/start/reports/storedReports.ts';
import { givenAnalysis } from '../given/analysis.ts';
import { roundsDuring } from '../given/loopRounds.ts';
import { startTestApp } from '../given/product/http.ts';
import { memoryEventStore } from '../given/stores/eventStore.ts';
import { metadataAt } from '../given/stores/metadata.ts';
import { preparedReadModels } from '../given/stores/readModels.ts';

it('reads only as fast as the client takes it', async () => {
  const app = await startTestApp();
  const { userId } = await app.signUp();
  for (let nth = 0; nth < 120; nth += 1) await givenAnalysis(app, userId);
  let jobs = 0;
  let files = 0;
  const counting = Object.assign(Object.create(app.readModels) as ReadModels, {
    find: (async (model, query) => {
      const page = await app.readModels.find(model, query);
      if (model === 'jobs') jobs += page.documents.length;
      return page;
    }) as ReadModels['find'],
    get: (async (model, id) => {
      if (model === 'jobFiles') files += 1;
      return app.readModels.get(model, id);
    }) as ReadModels['get'],
  });
  let taken = 0;
  for await (const chunk of accountExport({ ...app.deps, readModels: counting }, userId)) {
    if (!chunk.includes('"stages"')) continue;
    taken += 1;
    expect(jobs - taken).toBeLessThan(50);
    expect(files).toBeLessThanOrEqual(taken * 5);
  }
  // The list of jobs is read once more for their pages.
  expect([taken, jobs]).toEqual([120, 240]);
  await app.close();
});

it('reads what long activity names once, and lets others in', async () => {
  const userId = randomUUID();
  const written = memoryEventStore();
  const endpointId = randomUUID();
  const stream = webhooksStream(userId);
  const at = '2026-03-10T12:00:00.000Z';
  const SWITCHES = 3_000;
  // Removed: only its own first event says where it was.
  await written.append(
    stream,
    [
      { type: 'WebhookAdded', data: { endpointId, userId, url: 'https://hook.example/x', events: [], addedAt: at } },
      ...Array.from({ length: SWITCHES }, (_, nth) =>
        nth % 2 === 1
          ? { type: 'WebhookEnabled', data: { endpointId, userId, enabledAt: at } }
          : { type: 'WebhookDisabled', data: { endpointId, userId, reason: 'owner', disabledAt: at } },
      ),
      { type: 'WebhookRemoved', data: { endpointId, userId, removedAt: at } },
    ].map((event) => ({ id: randomUUID(), metadata: metadataAt(at, { kind: 'user', id: userId }), ...event })),
    { expected: 'any' },
  );
  let read = 0;
  const store = Object.assign(Object.create(written) as EventStore, {
    read: (async (...args) => {
      const found = await written.read(...args);
      if (found.status === 'found' && args[0] === stream) read += found.events.length;
      return found;
    }) as EventStore['read'],
  });
  const kept = await preparedReadModels();
  const readModels = Object.assign(Object.create(kept) as ReadModels, {
    find: (async (model, query) => {
      if (model !== 'activity') return kept.find(model, query);
      const from = Number(query.cursor ?? 0);
      const upTo = Math.min(from + (query.limit ?? 0), SWITCHES + 2);
      const documents = Array.from({ length: upTo - from }, (_, nth) => ({
        id: `${from + nth}`,
        data: { userId, stream, revision: SWITCHES + 1 - from - nth },
      }));
      return { documents, cursor: upTo < SWITCHES + 2 ? String(upTo) : null };
    }) as ReadModels['find'],
  });
  const sources = { store, readModels, now: () => at, reports: storedReports };
  let text = '';
  const rounds = await roundsDuring(async () => {
    for await (const chunk of accountExport(sources, userId)) text += chunk;
  });
  const { activity } = JSON.parse(text) as { activity: { type: string; webhook?: string }[] };
  const switches = activity.filter(({ type }) => /webhook/i.test(type));
  expect(switches).toHaveLength(SWITCHES + 2);
  expect(text.split('hook.example').length).toBeGreaterThan(SWITCHES);
  // Each event for itself, and all of them once for their names.
  expect(read).toBeLessThanOrEqual(2 * (SWITCHES + 2));
  expect(rounds).toBeGreaterThan(0);
  await written.close();
  await kept.close();
});

it('is sent to a user once at a time', async () => {
  const app = await startTestApp();
  const { userId, call } = await app.signUp();
  const earlier = oneAtATime(app.deps.readModels, userId, new AbortController().signal, async function* () {
    yield 'part';
  });
  const refused = await call('GET', '/api/v1/account/export');
  expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED']);
  for await (const _ of earlier ?? []);
  for (let nth = 0; nth < 2; nth += 1) expect((await call('GET', '/api/v1/account/export')).status).toBe(200);
  await app.close();
});

it('takes turns with everybody else for each file of an audit', async () => {
  const app = await startTestApp();
  const { userId } = await app.signUp();
  await givenAnalysis(app, userId, { access: 'preview' });
  let text = '';
  const rounds = await roundsDuring(async () => {
    for await (const chunk of accountExport(app.deps, userId)) text += chunk;
  });
  const { jobs } = JSON.parse(text) as AccountExport;
  expect(jobs.map(({ files }) => Object.keys(files).length)).toEqual([REPORT_FILES.length]);
  expect(rounds).toBeGreaterThanOrEqual(4 * REPORT_FILES.length);
  await app.close();
});

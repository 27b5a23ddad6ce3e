import { beforeEach, expect, it, vi } from 'vitest';
import { storeTokens } from '../../../../web/api/tokens.ts';
import { downloadHistory } from '../../../../web/features/admin/history/downloadHistory.ts';
import { type Call, type FakeServer, fakeServer, refusal } from '../../given/fakeServer.ts';

const ROUTE = 'GET /api/v1/admin/history/streams/billing-ann/export';
const REFRESH = 'POST /api/v1/auth/refresh';
const asked = { stream: 'billing-ann', order: 'newest', around: null, types: 'FundsAdded' } as const;

let server: FakeServer;
let saved: string[];
beforeEach(() => {
  server = fakeServer();
  saved = [];
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:history', revokeObjectURL: () => undefined }));
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  storeTokens({ access_token: 'spent', refresh_token: 'refresh-0', expires_in: 3600 });
  server.on(ROUTE, ({ token }: Call) =>
    token === 'renewed' ? { format: 'seo-workbench-history' } : refusal(401, 'Expired', 'SESSION_EXPIRED'),
  );
});

it('renews an expired session, like every other call', async () => {
  const session = {
    access_token: 'renewed',
    refresh_token: 'refresh-1',
    expires_at: 0,
    expires_in: 3600,
    token_type: 'bearer',
  };
  server.on(REFRESH, { success: true, token: 'renewed', session });
  const onEnded = vi.fn();
  expect(await downloadHistory(asked, 'json', onEnded)).toBe(true);
  expect(server.asked(ROUTE).map(({ query }) => query.toString())).toEqual([
    'format=json&types=FundsAdded',
    'format=json&types=FundsAdded',
  ]);
  expect([saved, onEnded.mock.calls]).toEqual([['history-billing-ann.json'], []]);
});

it('reports when the session has ended', async () => {
  server.on(REFRESH, refusal(401, 'Your session has ended.', 'SESSION_ENDED'));
  const onEnded = vi.fn();
  expect(await downloadHistory(asked, 'csv', onEnded)).toBe(false);
  expect([saved, onEnded.mock.calls.length]).toEqual([[], 1]);
});

/** What tells admins that a figure of their pages may have changed. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAdminNotices } from '../../../src/http/realtime/adminNotices.ts';
import type { Row } from '../../../src/http/realtime/topics.ts';
import { BUILT_IN_PROMPTS } from '../../../src/model/prompts/builtIn.ts';
import { givenJob } from '../../given/analysis.ts';
import { startTestApp, type TestApp, type TestUser } from '../../given/product/http.ts';
import { openSocket, type TestSocket } from '../../given/product/socket.ts';

const at = (position: number): string => String(position).padStart(20, '0');

describe('notices for admins', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('are sent at once, then at most once a second with all that changed meanwhile', () => {
    const sent: Row[] = [];
    const notices = createAdminNotices((row) => sent.push(row));
    const take = (model: string, kind: 'INSERT' | 'UPDATE' | 'DELETE', id: string, position: number, states = {}) =>
      notices.take({ model, kind, id, position: at(position), data: null, old: null, ...states });
    const figures = () => sent.map((row) => [row.new?.changed, Number(row.position)]);
    take('jobIndex', 'INSERT', 'a', 1);
    expect(figures()).toEqual([[['jobs'], 1]]);
    take('jobIndex', 'UPDATE', 'a', 2);
    take('prompts', 'INSERT', 'summary@2', 4);
    take('workItems', 'INSERT', 'mail/m', 3);
    take('workItems', 'DELETE', 'audit/a', 5);
    take('accounts', 'UPDATE', 'ann', 6);
    vi.advanceTimersByTime(999);
    expect(sent).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(figures().slice(1)).toEqual([[['jobs', 'prompts', 'mails'], 4]]);
    vi.advanceTimersByTime(10_000);
    take('accounts', 'DELETE', 'ann', 7);
    expect(figures().slice(2)).toEqual([[['users'], 7]]);
    take('jobIndex', 'UPDATE', 'a', 8, { old: { state: 'waiting' }, data: { state: 'running' } });
    vi.advanceTimersByTime(10_000);
    expect(sent).toHaveLength(3);
    take('jobIndex', 'DELETE', 'a', 9);
    notices.close();
    vi.advanceTimersByTime(10_000);
    expect(sent).toHaveLength(4);
  });
});

describe('the channel of notices', () => {
  let app: TestApp;
  let admin: TestUser;
  let socket: TestSocket;
  beforeEach(async () => {
    app = await startTestApp();
    admin = await app.signUp({ email: 'admin@example.com' });
    socket = await (await openSocket(app.url)).logIn(admin.token);
  });
  afterEach(async () => {
    await socket.close();
    await app.close();
  });
  const noticed = (figure: string) =>
    socket.next(({ type, new: row }) => type === 'event' && row.changed.includes(figure));

  it('names the figures that the overview counts differently now', async () => {
    await socket.subscribe('admin:changes');
    const { jobId } = await givenJob(app, admin.userId);
    await noticed('jobs');
    const { name, description, content } = BUILT_IN_PROMPTS.summary;
    const saved = await admin.call('PUT', '/api/v1/admin/prompts/summary', {
      name,
      description,
      content: `${content} Be brief.`,
      is_active: true,
    });
    expect(saved.status).toBe(200);
    await noticed('prompts');
    await app.signUp({ confirmed: false });
    await noticed('users');
    await noticed('mails');
    expect(JSON.stringify(socket.messages)).not.toContain(jobId);
  });

  it('says after a lost connection that anything may have changed', async () => {
    const since = await socket.subscribe('admin:changes');
    await socket.subscribe('admin:changes', since);
    expect(socket.messages.filter(({ type }) => type === 'event').map(({ new: row }) => row.changed)).toEqual([
      ['jobs', 'users', 'mails', 'prompts'],
    ]);
  });

  it('is for admins', async () => {
    const user = await app.signUp();
    const other = await (await openSocket(app.url)).logIn(user.token);
    await expect(other.subscribe('admin:changes')).rejects.toThrow('FORBIDDEN');
    await other.close();
  });
});

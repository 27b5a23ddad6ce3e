import { describe, expect, it } from 'vitest';
import type { Mail } from '../../../src/integrations/mailer/mailer.ts';
import { checkMail } from '../../../src/integrations/mailer/mailer.ts';
import { type Alert, createAlerts } from '../../../src/work/sweeps/alerts.ts';
import { still } from '../../given/work/following.ts';

const MINUTE = 60_000;
const parked: Alert = { cause: 'parked', text: '1 document cannot take an event.', todo: 'Press Retry.' };
const disk: Alert = { cause: 'disk', text: 'Only 12 MB are left.', todo: 'Free some space.' };
const backup: Alert = { cause: 'backup', text: 'Never backed up.', todo: 'Back up.' };

function given(adminEmail: string | undefined = 'ops@example.com') {
  const sent: Mail[] = [];
  let ms = Date.UTC(2026, 2, 10, 12);
  let problems: readonly Alert[] = [];
  let fails = false;
  const mailer = {
    send: async (mail: Mail) => {
      if (fails) throw new Error('The mail server is away.');
      checkMail(mail);
      sent.push(mail);
    },
  };
  const sweep = createAlerts({
    problems: async () => problems,
    mailer,
    adminEmail,
    appUrl: 'https://seo.example.com',
    now: () => new Date(ms).toISOString(),
  });
  let kept: string | null = null;
  return {
    sent,
    wrong(...now: readonly Alert[]): void {
      problems = now;
    },
    away(isAway: boolean): void {
      fails = isAway;
    },
    async runAfter(minutes: number): Promise<number> {
      ms += minutes * MINUTE;
      const { done, kept: now } = await sweep.run(kept, still);
      kept = now;
      return done;
    },
  };
}

describe('alerts', () => {
  it('are sent to the operator with advice, once an hour per cause', async () => {
    const { sent, wrong, runAfter } = given();
    expect(await runAfter(0)).toBe(0);
    wrong(parked);
    expect(await runAfter(5)).toBe(1);
    expect(sent[0]).toMatchObject({
      to: 'ops@example.com',
      subject: 'SEO Workbench: 1 document cannot take an event.',
    });
    expect(sent[0]?.text).toContain('Press Retry.');
    expect(sent[0]?.text).toContain('https://seo.example.com/admin/system');
    wrong(parked, disk);
    expect(await runAfter(5)).toBe(1);
    expect(sent[1]?.subject).toBe('SEO Workbench: Only 12 MB are left.');
    expect(await runAfter(54)).toBe(0);
    expect(await runAfter(6)).toBe(2);
    expect(sent[2]?.subject).toBe('SEO Workbench: 2 problems need your attention');
    wrong();
    expect(await runAfter(300)).toBe(0);
    expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(3);
  });

  it('cover only what will not recover by itself', async () => {
    const { wrong, runAfter } = given();
    wrong(backup);
    expect(await runAfter(0)).toBe(0);
  });

  it('that could not be sent are sent by the next run', async () => {
    const { sent, wrong, away, runAfter } = given();
    wrong(disk);
    away(true);
    await expect(runAfter(0)).rejects.toThrow('away');
    away(false);
    expect(await runAfter(1)).toBe(1);
    expect(sent).toHaveLength(1);
  });

  it('are sent after the clock was set back, too', async () => {
    const { wrong, runAfter } = given();
    wrong(disk);
    expect(await runAfter(0)).toBe(1);
    expect(await runAfter(-120)).toBe(1);
  });

  it('are not sent without an address', async () => {
    const sweep = createAlerts({
      problems: () => Promise.reject(new Error('not asked')),
      mailer: null,
      adminEmail: undefined,
      appUrl: 'https://x.example',
      now: () => '',
    });
    expect(await sweep.run('kept', still)).toEqual({ done: 0, kept: 'kept' });
  });
});

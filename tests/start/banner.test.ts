/** What a start prints. */
import { describe, expect, it } from 'vitest';
import { banner } from '../../src/start/banner.ts';
import type { RunningApp } from '../../src/start/compose.ts';
import { loadConfig } from '../../src/start/config.ts';

const started: Omit<RunningApp, 'stop' | 'within'> = {
  role: 'all',
  url: 'http://127.0.0.1:3000',
  portTaken: false,
  stores: 'SQLite files in ./data',
  analyst: 'Built-in analyst',
  firstBecomesAdmin: false,
  demoSite: null,
  demoAdmin: null,
  payments: null,
};
const printed = (app: Partial<typeof started>, env: Readonly<Record<string, string>> = {}) =>
  banner({ ...started, ...app }, loadConfig(env));

describe('the banner', () => {
  it('says that the first to sign up becomes admin, as long as that is so', () => {
    expect(printed({})).not.toContain('admin');
    expect(printed({ firstBecomesAdmin: true })).toContain(
      'The first account to sign up becomes admin. Set ADMIN_EMAIL',
    );
  });

  it('says why it has no password of the demo admin', () => {
    const email = 'admin@example.com';
    expect(printed({ demoAdmin: { email, password: 'sesame', isLost: false } })).toContain('password sesame');
    expect(printed({ demoAdmin: { email, password: null, isLost: false } })).toContain('has been changed');
    const lost = printed({ demoAdmin: { email, password: null, isLost: true } });
    expect(lost).toContain('demo-admin-password, is missing');
    expect(lost).not.toContain('changed');
  });

  it('keeps to the word list', () => {
    for (const env of [{}, { BILLING: 'off' }])
      expect(printed({}, env)).not.toMatch(/\b(analys[ei]s|mails?|give the)\b/);
  });
});

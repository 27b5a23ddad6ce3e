import { describe, expect, it } from 'vitest';
import { ConfigError, loadConfig } from '../../src/start/config.ts';
import { SETTINGS } from '../../src/start/settings.ts';

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('configuration', () => {
  it('is optional: an empty environment starts the demo on loopback', () => {
    const config = loadConfig({});
    expect(config).toMatchObject({
      PORT: 3000,
      HOST: '127.0.0.1',
      DATA_DIR: './data',
      demo: true,
      production: false,
      allowHosts: [],
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('requires a second factor from admins in production by default', () => {
    const production = { NODE_ENV: 'production', APP_URL: 'https://seo.example.com' };
    const asks = [{}, { ADMIN_MFA: 'required' }, production, { ...production, ADMIN_MFA: 'off' }].map(
      (env) => loadConfig(env).adminMfa,
    );
    expect(asks).toEqual([false, true, true, false]);
    expect(problemsOf({ ADMIN_MFA: 'no', MFA_SECRET: 'short', MFA_SECRT: 'x' })).toHaveLength(3);
  });

  it('treats an empty value as missing', () => {
    expect(loadConfig({ PORT: '', APP_URL: ' ' }).PORT).toBe(3000);
  });

  it('takes a public address without anything behind its host, since nothing is served there', () => {
    const refused =
      'APP_URL: must be an address without a path, query, fragment or user name, such as https://seo.example.com: everything is served at its root';
    for (const rest of ['/seo', '/seo/', '//', '/?', '?from=mail', '/#', '#top', '/%2F', '/index.html', '\\\\seo'])
      expect(problemsOf({ APP_URL: `https://seo.example.com${rest}` }), rest).toEqual([refused]);
    for (const user of ['ann@', 'ann:word@', ':word@'])
      expect(problemsOf({ APP_URL: `https://${user}seo.example.com` }), user).toEqual([refused]);
    for (const other of [
      'ftp://seo.example.com',
      'file:///seo',
      'javascript:alert(1)',
      'seo.example.com',
      '//seo.example.com',
      '/seo',
    ])
      expect(problemsOf({ APP_URL: other }), other).toEqual(['APP_URL: must be an http(s) address']);
    expect(problemsOf({ NODE_ENV: 'production', APP_URL: 'https://seo.example.com/seo' })).toEqual([refused]);
  });

  it('reads a public address as what links can be appended to', () => {
    const read = (APP_URL: string) => loadConfig({ APP_URL }).APP_URL;
    expect(read('https://seo.example.com/')).toBe('https://seo.example.com');
    expect(read('HTTPS://SEO.example.com:443')).toBe('https://seo.example.com');
    expect(read('http://127.0.0.1:4606/')).toBe('http://127.0.0.1:4606');
    expect(read('http://[::1]:3000')).toBe('http://[::1]:3000');
  });

  it('lists every wrong value at once', () => {
    const problems = problemsOf({
      PORT: '99999',
      LOG_LEVEL: 'loud',
      ADMIN_EMAIL: 'nobody',
      AUDIT_ALLOW_HOSTS: 'ok.example:80,http://no',
    });
    expect(problems.map((problem) => problem.split(':')[0])).toEqual([
      'PORT',
      'LOG_LEVEL',
      'ADMIN_EMAIL',
      'AUDIT_ALLOW_HOSTS',
    ]);
  });

  it('takes email addresses with an internationalized domain, in their ASCII form', () => {
    expect(loadConfig({ ADMIN_EMAIL: 'boss@bücher.example', SUPPORT_EMAIL: 'help@例え。テスト' })).toMatchObject({
      ADMIN_EMAIL: 'boss@xn--bcher-kva.example',
      SUPPORT_EMAIL: 'help@xn--r8jz45g.xn--zckzah',
    });
    expect(problemsOf({ ADMIN_EMAIL: 'boss@bü cher.example', SUPPORT_EMAIL: 'help@xn--a.example' })).toEqual([
      'ADMIN_EMAIL: must be an email address',
      'SUPPORT_EMAIL: must be an email address',
    ]);
  });

  it('rejects an unknown setting with one of our prefixes', () => {
    expect(problemsOf({ AUDIT_MAX_PAGE: '3' })).toEqual(['AUDIT_MAX_PAGE: there is no such setting in this version']);
    expect(problemsOf({ EVENTSTORE_UR: 'esdb://127.0.0.1:2113' })).toHaveLength(1);
  });

  it('names a mistyped setting, whichever it is, and leaves the settings of other programs alone', () => {
    for (const name of Object.keys(SETTINGS).filter((each) => each.includes('_'))) {
      const last = name.length - 1;
      for (const slip of [name.slice(0, last), `${name}S`, `${name.slice(0, last - 1)}${name[last]}${name[last - 1]}`])
        expect(problemsOf({ [slip]: 'ann@example.com' }), slip).toEqual([
          `${slip}: there is no such setting in this version`,
        ]);
    }
    expect(
      problemsOf({
        NODE_OPTIONS: '--no-warnings',
        APP_VERSION: '3',
        DATA_CENTER: 'north',
        LOG_FORMAT: 'json',
        CHROMIUM_FLAGS: '--headless',
        PORTS: '1',
        HOSTNAME: 'a',
      }),
    ).toEqual([]);
  });

  it('lists what contradicts each other along with what is invalid, and nothing twice', () => {
    const wrong = {
      NODE_ENV: 'production',
      PORT: 'many',
      SMTP_URL: 'smtp://mail.example.com',
      LLM_API_KEY: 'x',
      STRIPE_PRICE_ID: 'price_1',
    };
    expect(problemsOf(wrong).map((problem) => problem.split(/[: ,]/)[0])).toEqual([
      'PORT',
      'LLM_API_KEY',
      'LLM_BASE_URL',
      'MAIL_FROM',
      'APP_URL',
      'BILLING',
    ]);
    expect(
      problemsOf({ LLM_BASE_URL: 'https://api.x.ai/v1', LLM_API_KEY: 'x', LLM_MODEL: 'grok', ROLE: 'everything' }),
    ).toHaveLength(2);
  });

  it('takes both store servers or neither, and the other roles only with them', () => {
    const servers = {
      EVENTSTORE_URL: 'esdb://admin:word@127.0.0.1:2113?tls=false',
      MONGODB_URL: 'mongodb://127.0.0.1:27017/seo',
    };
    expect(loadConfig({}).servers).toBeNull();
    expect(loadConfig({ ...servers, ROLE: 'worker' })).toMatchObject({
      ROLE: 'worker',
      demo: false,
      servers: { eventStoreUrl: servers.EVENTSTORE_URL, mongoUrl: servers.MONGODB_URL },
    });
    expect(problemsOf({ EVENTSTORE_URL: servers.EVENTSTORE_URL })).toEqual([
      expect.stringContaining('belong together'),
    ]);
    expect(problemsOf({ ROLE: 'http' })).toEqual([expect.stringContaining('the embedded stores are for one process')]);
    expect(problemsOf({ ...servers, ROLE: 'projector', DEMO: 'true' })).toEqual([expect.stringMatching(/^DEMO/)]);
    expect(problemsOf({ EVENTSTORE_URL: 'http://localhost:2113', MONGODB_URL: 'localhost' })).toHaveLength(2);
    expect(problemsOf({ ROLE: 'everything' })).toHaveLength(1);
  });

  it('shows no credentials when a store address is wrong', () => {
    expect(
      problemsOf({ EVENTSTORE_URL: 'http://admin:sesame@host', MONGODB_URL: 'mongo://admin:sesame@host' }).join(),
    ).not.toContain('sesame');
  });

  it('requires the three model settings together', () => {
    expect(problemsOf({ LLM_BASE_URL: 'https://api.x.ai/v1' })).toHaveLength(1);
    expect(problemsOf({ LLM_BASE_URL: 'https://api.x.ai/v1', LLM_API_KEY: 'xai-12345678', LLM_MODEL: 'grok' })).toEqual(
      [],
    );
  });

  it('refuses trial features in production', () => {
    const problems = problemsOf({ NODE_ENV: 'production', DEMO: 'true', METRICS_TOKEN: 'short' });
    expect(problems).toContainEqual(expect.stringContaining('METRICS_TOKEN'));
    const more = problemsOf({ NODE_ENV: 'production', DEMO: 'true' });
    expect(more).toEqual([expect.stringContaining('DEMO'), expect.stringContaining('APP_URL')]);
    expect(loadConfig({ NODE_ENV: 'production', APP_URL: 'https://seo.example.com' }).demo).toBe(false);
  });

  it('accepts either all Stripe settings or none', () => {
    const stripe = {
      STRIPE_SECRET_KEY: 'rk_test_1a',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_1a',
      STRIPE_WEBHOOK_SECRET: 'whsec_1, whsec_2',
      STRIPE_PRICE_ID: 'price_1',
      STRIPE_TIER1_PRICE_ID: 'tier1_monthly',
      STRIPE_TIER2_PRICE_ID: 'price_2',
      STRIPE_TIER3_PRICE_ID: 'price_3',
      STRIPE_TIER4_PRICE_ID: 'price_4',
    };
    const production = { NODE_ENV: 'production', APP_URL: 'https://seo.example.com' };
    expect(loadConfig(stripe).billing).toBe('stripe');
    expect(loadConfig({ ...stripe, ...production }).billing).toBe('stripe');
    expect(loadConfig({ ...stripe, BILLING: 'off' }).billing).toBe('off');
    expect(problemsOf({ STRIPE_SECRET_KEY: 'sk_test_1' })).toEqual([
      expect.stringContaining('missing: STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET'),
    ]);
    expect(problemsOf({ BILLING: 'stripe' })).toEqual([expect.stringContaining('missing: STRIPE_SECRET_KEY')]);
    expect(problemsOf({ ...stripe, STRIPE_SECRET_KEY: 'sk_live_1' })).toEqual([
      expect.stringContaining('another mode'),
    ]);
    expect(problemsOf({ ...stripe, STRIPE_SECRET_KEY: 'pk_test_1', STRIPE_WEBHOOK_SECRET: 'secret' })).toHaveLength(2);
    expect(problemsOf({ STRIPE_TIER5_PRICE_ID: 'x' })).toHaveLength(1);
  });

  it('defaults to the sandbox outside production, for a single process', () => {
    const production = { NODE_ENV: 'production', APP_URL: 'https://seo.example.com' };
    const servers = { EVENTSTORE_URL: 'esdb://127.0.0.1:2113', MONGODB_URL: 'mongodb://127.0.0.1:27017/seo' };
    const shared = { PAYMENT_SANDBOX_URL: 'http://127.0.0.1:12111', PAYMENT_SANDBOX_KEY: 'sk_sandbox_for_all' };
    expect(loadConfig({}).billing).toBe('sandbox');
    expect(loadConfig({ BILLING: 'off' })).toMatchObject({ billing: 'off', unlimited: true });
    expect(loadConfig({ ...production, BILLING: 'off' }).unlimited).toBe(true);
    expect(loadConfig(production)).toMatchObject({ billing: 'off', unlimited: false });
    expect(loadConfig(servers).billing).toBe('off');
    expect(loadConfig({ ...servers, ROLE: 'http', ...shared }).billing).toBe('sandbox');
    expect(problemsOf({ ...production, BILLING: 'sandbox' })).toEqual([
      'BILLING: the payment sandbox is refused in production',
    ]);
    expect(problemsOf({ ...production, ...shared })).toHaveLength(1);
    expect(problemsOf({ ...servers, BILLING: 'sandbox' })).toEqual([expect.stringMatching(/^PAYMENT_SANDBOX_URL/)]);
    expect(problemsOf({ PAYMENT_SANDBOX_URL: shared.PAYMENT_SANDBOX_URL })).toHaveLength(1);
    expect(problemsOf({ BILLING: 'paypal' })).toHaveLength(1);
  });
});

describe('the setting of single sign-on providers', () => {
  const GOOD = {
    id: 'work',
    label: 'Work',
    issuer: 'https://login.example.com/realms/work',
    clientId: 'a',
    clientSecret: 'hidden',
  };
  const problems = (...given: readonly object[]) => problemsOf({ SSO_PROVIDERS: JSON.stringify(given) });

  it('is none, one, or many', () => {
    expect(loadConfig({}).SSO_PROVIDERS).toEqual([]);
    const local = {
      ...GOOD,
      id: 'local',
      issuer: 'http://localhost:8080',
      domains: ['Example.COM'],
      adminGroup: 'seo',
    };
    expect(loadConfig({ SSO_PROVIDERS: JSON.stringify([GOOD, local]) }).SSO_PROVIDERS).toEqual([
      { ...GOOD, createsAccounts: false, domains: [], adminGroup: null, groupsClaim: 'groups' },
      { ...local, createsAccounts: false, domains: ['example.com'], groupsClaim: 'groups' },
    ]);
  });

  it('names what is wrong, and repeats no secret', () => {
    expect(problemsOf({ SSO_PROVIDERS: '[{"clientSecret": "hidden"' })).toEqual([
      'SSO_PROVIDERS: must be a JSON array of providers',
    ]);
    expect(problemsOf({ SSO_PROVIDERS: '{}' })).toEqual(['SSO_PROVIDERS: must be a JSON array of providers']);
    expect(problems(GOOD, GOOD)).toEqual(['SSO_PROVIDERS: two providers have the same id']);
    expect(problems(GOOD, { ...GOOD, id: 'Work Two' })).toEqual([
      'SSO_PROVIDERS: provider 2, id: must have 1 to 40 lower-case letters, digits and hyphens',
    ]);
    for (const issuer of [
      'http://login.example.com',
      'login.example.com',
      'https://a:b@login.example.com',
      'ftp://localhost',
    ])
      expect(problems({ ...GOOD, issuer })).toEqual([
        'SSO_PROVIDERS: provider 1, issuer: must be an https address, or an http address of this machine',
      ]);
    const unknown = problems({ ...GOOD, secret: 'hidden' });
    expect(unknown).toHaveLength(1);
    expect(unknown.join()).not.toContain('hidden');
  });
});

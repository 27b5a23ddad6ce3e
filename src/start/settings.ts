/**
 * Every setting of the environment: its rule, default and meaning. `.env.example` and `docs/settings.md` are generated
 * from it.
 */
import * as z from 'zod';
import { isEmailAddress, withAsciiDomain } from '../model/emailAddress.ts';
import { TALLY_MAX_DAYS } from '../model/limits.ts';
import { ssoProviders } from './ssoProviders.ts';

const number = (min: number, max: number, fallback: number) =>
  z.coerce
    .number(`must be a whole number from ${min} to ${max}`)
    .int(`must be a whole number from ${min} to ${max}`)
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`)
    .default(fallback);
const flag = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .transform((text) => text === 'true' || text === '1');
const email = z.string().trim().overwrite(withAsciiDomain).refine(isEmailAddress, 'must be an email address');
const address = z.url({ protocol: /^https?$/, error: 'must be an http(s) address' });
/**
 * Pages, scripts and the API are served at the root only: links that begin with a path would lead nowhere. The origin,
 * so that links can be appended to it.
 */
const publicAddress = address
  .refine(isOrigin, {
    error:
      'must be an address without a path, query, fragment or user name, such as https://seo.example.com: everything is served at its root',
    // Only of an address that is one.
    when: ({ issues }) => issues.length === 0,
  })
  .transform((text) => new URL(text).origin);
const priceName = z.string().regex(/^[\w.:-]{1,200}$/, 'must be the id or the lookup key of a price');
const modelPrice = z.coerce
  .number('must be a number of US dollars')
  .min(0, 'must be at least 0')
  .max(10_000, 'must be at most 10000')
  .optional();
const storeAddress = (pattern: RegExp, example: string) =>
  z.string().regex(pattern, `must be a connection string that begins with ${example}`);

export const SETTINGS = {
  PORT: number(0, 65_535, 3000).describe(
    'Port of the web app and API. If it is taken, the next free port is used and printed. 0 picks any free port.',
  ),
  HOST: z.string().min(1).default('127.0.0.1').describe('Address to listen on. 0.0.0.0 listens on all.'),
  APP_URL: publicAddress
    .optional()
    .describe('Public address, without a path, e.g. https://seo.example.com. Default: the address it listens on.'),
  DATA_DIR: z.string().min(1).default('./data').describe('Folder of the embedded stores.'),
  BEGIN_ANEW: z
    .string()
    .regex(/^(unnamed|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/, 'must be the id that the refused start printed')
    .optional()
    .describe(
      'Gives up an installation whose log is lost. The value is the id that the refused start printed, so it works only once. See docs/operations.md.',
    ),
  NODE_ENV: z
    .enum(['development', 'production', 'test'], 'must be development, production or test')
    .default('development')
    .describe('production refuses everything that is only for trials.'),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be fatal, error, warn, info, debug, trace or silent',
    )
    .default('warn')
    .describe('Lowest severity that is logged (JSON, to stdout). Security events (level 70) are always logged.'),
  TRUST_PROXY: flag
    .default(false)
    .describe(
      'Trust X-Forwarded-For (or, without it, Forwarded) and X-Forwarded-Proto. Set to true only behind your own proxy, which must set or remove them.',
    ),
  MCP: z
    .enum(['on', 'off'], 'must be on or off')
    .default('on')
    .describe('Whether assistants are served at /api/v1/mcp, by the Model Context Protocol, with API keys.'),
  ROLE: z
    .enum(['all', 'http', 'projector', 'worker'], 'must be all, http, projector or worker')
    .default('all')
    .describe('What this process runs. Every role but all needs EVENTSTORE_URL and MONGODB_URL.'),
  EVENTSTORE_URL: storeAddress(/^(esdb|kurrentdb|kdb)(\+discover)?:\/\/[^/]+/, 'esdb://')
    .optional()
    .describe(
      'EventStoreDB, e.g. esdb://user:password@host:2113. Set together with MONGODB_URL; without both, SQLite files in DATA_DIR are used.',
    ),
  MONGODB_URL: storeAddress(/^mongodb(\+srv)?:\/\/[^/]+/, 'mongodb://')
    .optional()
    .describe(
      'MongoDB for the read models, e.g. mongodb://host:27017/seo?replicaSet=rs0. Set together with EVENTSTORE_URL.',
    ),
  ADMIN_EMAIL: email
    .optional()
    .describe(
      'The first account that signs up with this address becomes admin; where emails are sent or kept, it must confirm the address and then log in. Without it, the first account becomes admin. Alerts about the installation go to this address.',
    ),
  SUPPORT_EMAIL: email
    .default('support@example.com')
    .describe('Where the contact-support link leads, and the links of what plans have on request.'),
  COMPANY_NAME: z
    .string()
    .trim()
    .min(1)
    .max(80)
    .default('SEO Workbench')
    .describe('Company name in sequence emails: {{company_name}}.'),
  SMTP_URL: storeAddress(/^smtps?:\/\/[^/]+/, 'smtp:// or smtps://')
    .optional()
    .describe(
      'Mail server, e.g. smtps://user:password@mail.example.com. Without it, emails are kept in DATA_DIR/outbox; with EVENTSTORE_URL, none are sent.',
    ),
  MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^<>@"\r\n]{1,100} <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
      'must be an address, or a name and an <address>',
    )
    .optional()
    .describe('Sender of the emails, e.g. SEO Workbench <no-reply@seo.example.com>. Set together with SMTP_URL.'),
  SSO_PROVIDERS: ssoProviders.describe(
    'Providers of single sign-on by OpenID Connect: a JSON array of {"id", "label", "issuer", "clientId", "clientSecret"}, and, where wanted, "createsAccounts", "domains", "adminGroup", "groupsClaim". See docs/integrations.md.',
  ),
  DEMO: flag.optional().describe('Demo site and demo admin. On by default outside production; production refuses it.'),
  DEMO_PORT: number(0, 65_535, 3001).describe('Port of the demo site. If it is taken, the next free port is used.'),
  TALLY_DAYS: number(35, TALLY_MAX_DAYS, 90).describe(
    'How many days the counts of refused submissions, opened checkouts, tried codes and refused log-ins of an account are kept. They are deleted by whole months; sums by day, without accounts, stay.',
  ),
  FREE_ANALYSES_PER_MONTH: number(0, 100_000, 3).describe('Free audits per user and calendar month (UTC).'),
  AUDIT_ALLOW_HOSTS: z
    .string()
    .default('')
    .describe(
      'Comma-separated host or host:port entries inside your network that may be audited. Anything else that is not public is refused.',
    ),
  AUDIT_MAX_PAGES: number(1, 5000, 50).describe('Maximum number of pages a job fetches.'),
  AUDIT_MAX_SECONDS: number(10, 3600, 180).describe('Maximum time a job may take.'),
  AUDIT_AS_OTHERS: flag
    .default(true)
    .describe(
      'Ask for three pages of a site again, at the end of an audit, with the user agents of a phone and of Googlebot, each with the name of this program in it, where robots.txt allows both names.',
    ),
  PAGE_RECORDS_RUNS: number(0, 1000, 5).describe(
    'Newest audits of each user and site that keep the records of their pages and links; 0 for all. Older ones keep their findings, pages, and scores.',
  ),
  AUDIT_PARALLEL: number(1, 32, 4).describe(
    'Audits at once in this process (at most 2 per user; above 2, one slot is reserved for users who have had none since 00:00 UTC).',
  ),
  AUDIT_THREADS: number(1, 16, 2).describe('Processes that parse pages, and as many more that judge sites.'),
  CHROMIUM_PATH: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Chromium that renders pages filled by scripts, e.g. /usr/bin/chromium. All its requests pass the same guard. Without it, only the HTML of such pages is checked.',
    ),
  LLM_BASE_URL: address
    .optional()
    .describe(
      'Any OpenAI-compatible endpoint, e.g. https://api.x.ai/v1. Without it, the built-in analyst writes the texts.',
    ),
  LLM_API_KEY: z.string().min(8, 'must be the key itself').optional().describe('API key for that endpoint.'),
  LLM_MODEL: z.string().min(1).optional().describe('Model name at that endpoint.'),
  LLM_INPUT_PRICE: modelPrice.describe(
    'Price of a million input tokens, in US dollars. With both prices set, the usage report and prompt trials show what texts cost.',
  ),
  LLM_OUTPUT_PRICE: modelPrice.describe('Price of a million output tokens, in US dollars.'),
  BILLING: z
    .enum(['stripe', 'sandbox', 'off'], 'must be stripe, sandbox or off')
    .optional()
    .describe(
      'Who takes payments: stripe, sandbox (a built-in provider that moves no money; refused in production) or off (no payments: every account has everything without limits, and no screen mentions money). Default: stripe if its keys are set; otherwise sandbox outside production, and only the free audits in production.',
    ),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[sr]k_(live|test)_\w+$/, 'must begin with sk_live_, sk_test_, rk_live_ or rk_test_')
    .optional()
    .describe(
      'Secret or restricted key of the Stripe account. Set all STRIPE_ settings together; docs/payments.md says where to find each.',
    ),
  STRIPE_PUBLISHABLE_KEY: z
    .string()
    .regex(/^pk_(live|test)_\w+$/, 'must begin with pk_live_ or pk_test_')
    .optional()
    .describe('Publishable key of the same account and mode.'),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\w+(\s*,\s*whsec_\w+)*$/, 'must begin with whsec_; comma-separated during rotation')
    .optional()
    .describe(
      'Signing secret of the webhook endpoint APP_URL/api/v1/stripe/webhook; a comma-separated list while you roll it.',
    ),
  STRIPE_PRICE_ID: priceName.optional().describe('Price of one report, paid once: its id or lookup key.'),
  STRIPE_TIER1_PRICE_ID: priceName
    .optional()
    .describe('Monthly price of Basic: its id or lookup key. Plan prices must be whole amounts of their currency.'),
  STRIPE_TIER2_PRICE_ID: priceName.optional().describe('Monthly price of Professional.'),
  STRIPE_TIER3_PRICE_ID: priceName.optional().describe('Monthly price of Business.'),
  STRIPE_TIER4_PRICE_ID: priceName.optional().describe('Monthly price of Power.'),
  PAYMENT_SANDBOX_URL: address
    .optional()
    .describe(
      'A standalone payment sandbox (npm run payment-sandbox) that several processes share. Without it, each process has its own, in DATA_DIR/payments.',
    ),
  PAYMENT_SANDBOX_KEY: z
    .string()
    .min(16, 'must have at least 16 characters')
    .optional()
    .describe('Secret key of that sandbox.'),
  SHARE_SECRET: z
    .string()
    .min(32, 'must have at least 32 characters')
    .optional()
    .describe(
      'Secret that shared links are made from; the same in every http process. Without it, a file in DATA_DIR is used; with EVENTSTORE_URL, links are then shown in full only once.',
    ),
  ADMIN_MFA: z
    .enum(['required', 'off'], 'must be required or off')
    .optional()
    .describe(
      'Whether admins need two-factor authentication to administer. Default: required in production, off elsewhere.',
    ),
  MFA_SECRET: z
    .string()
    .min(32, 'must have at least 32 characters')
    .optional()
    .describe(
      'Secret that encrypts the secrets of authenticator apps; the same in every http process. Keep it as long as the log. Without it, a file in DATA_DIR is used; with EVENTSTORE_URL, nobody can then turn two-factor authentication on.',
    ),
  PSEUDONYM_SECRET: z
    .string()
    .min(32, 'must have at least 32 characters')
    .optional()
    .describe(
      'Secret that pseudonyms in anonymized exports of events are made from; the same in every http process and for npm run events. Keep it as long as earlier exports: with another one, later exports do not join with them. Without it, a file in DATA_DIR is used; with EVENTSTORE_URL, nothing can then be exported anonymized.',
    ),
  CHECKPOINT_KEY_FILE: z
    .string()
    .min(1)
    .optional()
    .describe(
      'File with the Ed25519 key (PEM) that signs log checkpoints (npm run log -- checkpoint). Default: created in DATA_DIR; required with EVENTSTORE_URL.',
    ),
  CHECKPOINT_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder with log checkpoints (*.checkpoint.gz). The daily log check compares the log with the newest one. Keep it where the server can only read.',
    ),
  CHECKPOINT_PUBLIC_KEY: z
    .string()
    .regex(/^[\w-]{40,100}$/, 'must be a public key as npm run log -- key prints it in its first line')
    .optional()
    .describe(
      'Public key that must have signed them, as printed by npm run log -- key. Default: the key of this installation.',
    ),
  METRICS_TOKEN: z
    .string()
    .min(16, 'must have at least 16 characters')
    .optional()
    .describe(
      'Bearer token for /metrics and the details of /readyz. Without one, they are open to this machine alone.',
    ),
} as const;

/** A single slash at the end is no path. */
function isOrigin(text: string): boolean {
  const { pathname, username, password } = new URL(text);
  return pathname === '/' && username === '' && password === '' && !/[?#]/.test(text);
}

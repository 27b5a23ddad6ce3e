/**
 * The environment, parsed once. Imported only by the programs next to main.ts. Every invalid or unknown value is
 * reported at once, in plain words.
 */
import * as z from 'zod';
import { SETTINGS } from './settings.ts';

const Schema = z.object(SETTINGS);
type Settings = z.infer<typeof Schema>;
type Given = Readonly<Partial<Record<keyof Settings, string>>>;

export type Config = Omit<Settings, 'DEMO' | 'AUDIT_ALLOW_HOSTS' | 'EVENTSTORE_URL' | 'MONGODB_URL'> & {
  /** `BILLING`, or its default. */
  readonly billing: 'stripe' | 'sandbox' | 'off';
  /** Turned off explicitly: every account has everything. By default there are only the free audits. */
  readonly unlimited: boolean;
  /** The servers that keep the data; null: the embedded stores. */
  readonly servers: { readonly eventStoreUrl: string; readonly mongoUrl: string } | null;
  readonly demo: boolean;
  readonly allowHosts: readonly string[];
  readonly production: boolean;
  /** `ADMIN_MFA`, or its default. */
  readonly adminMfa: boolean;
};

/** All problems with the environment, one per line. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`The configuration is not right:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** First words that platforms and other programs use, too: only what is nearly the name of a setting is a typo. */
const SHARED_PREFIXES = ['NODE_', 'APP_', 'DATA_', 'LOG_', 'CHROMIUM_'];
const NAMES = Object.keys(SETTINGS) as (keyof Settings)[];
const prefixOf = (name: string): string => name.slice(0, name.indexOf('_') + 1);
const OUR_PREFIXES = new Set([
  ...NAMES.map(prefixOf).filter((prefix) => prefix !== '' && !SHARED_PREFIXES.includes(prefix)),
  'BILLING_',
]);

function isMistyped(name: string): boolean {
  if (name in SETTINGS) return false;
  if (OUR_PREFIXES.has(prefixOf(name))) return true;
  return NAMES.some((known) => SHARED_PREFIXES.includes(prefixOf(known)) && isOneSlipFrom(known, name));
}

/** One letter missing, added, replaced, or swapped with the next one. */
function isOneSlipFrom(known: string, name: string): boolean {
  let start = 0;
  while (start < known.length && known[start] === name[start]) start += 1;
  const [left, given] = [known.slice(start), name.slice(start)];
  const swapped = left.length > 1 && given === `${left[1]}${left[0]}${left.slice(2)}`;
  return swapped || left.slice(1) === given || left === given.slice(1) || left.slice(1) === given.slice(1);
}

const PLACEHOLDER = /^(change[-_ ]?me|replace[-_ ]?me|your[-_ ].*|xxx+|secret|password|example)$/i;

/** @throws ConfigError naming every invalid or unknown value */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Readonly<Config> {
  const given = Object.fromEntries(NAMES.map((name) => [name, env[name]?.trim() || undefined])) as Given;
  const problems = Object.keys(env)
    .filter((name) => env[name] && isMistyped(name))
    .map((name) => `${name}: there is no such setting in this version`);
  const parsed = Schema.safeParse(given);
  const invalid = new Set(parsed.error?.issues.map((issue) => String(issue.path[0])));
  if (!parsed.success)
    problems.push(...parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
  const production = given.NODE_ENV === 'production';
  const values = parsed.success ? parsed.data : asFarAsValid(given);
  problems.push(
    ...contradictions(values, production).filter((problem) => !invalid.has(problem.slice(0, problem.indexOf(':')))),
  );
  const allowHosts = (given.AUDIT_ALLOW_HOSTS ?? '')
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter(Boolean);
  for (const entry of allowHosts)
    if (!/^(\[[0-9a-f:]+\]|[a-z0-9._-]+)(:\d{1,5})?$/.test(entry))
      problems.push(`AUDIT_ALLOW_HOSTS: "${entry}" is no host or host:port`);
  if (problems.length > 0) throw new ConfigError(problems);
  const { DEMO, AUDIT_ALLOW_HOSTS, EVENTSTORE_URL: eventStoreUrl, MONGODB_URL: mongoUrl, ...rest } = values;
  const servers = eventStoreUrl && mongoUrl ? Object.freeze({ eventStoreUrl, mongoUrl }) : null;
  return Object.freeze({
    ...rest,
    billing: billingOf(values, production),
    unlimited: values.BILLING === 'off',
    servers,
    demo: DEMO ?? (!production && values.ROLE === 'all'),
    allowHosts: Object.freeze(allowHosts),
    production,
    adminMfa: values.ADMIN_MFA ? values.ADMIN_MFA === 'required' : production,
  });
}

/**
 * So that what contradicts each other is listed in the same answer: an invalid value counts as its setting's default,
 * without one as given.
 */
function asFarAsValid(given: Given): Settings {
  const entries = NAMES.map((name) => {
    const value = SETTINGS[name].safeParse(given[name]);
    return [name, value.success ? value.data : (SETTINGS[name].safeParse(undefined).data ?? given[name])];
  });
  return Object.fromEntries(entries) as Settings;
}

function contradictions(values: Settings, production: boolean): string[] {
  const problems: string[] = [];
  const llm = [values.LLM_BASE_URL, values.LLM_API_KEY, values.LLM_MODEL].filter(Boolean).length;
  if (llm !== 0 && llm !== 3)
    problems.push('LLM_BASE_URL, LLM_API_KEY and LLM_MODEL belong together: give all three or none');
  if ((values.LLM_INPUT_PRICE === undefined) !== (values.LLM_OUTPUT_PRICE === undefined))
    problems.push('LLM_INPUT_PRICE and LLM_OUTPUT_PRICE belong together: give both or none');
  const stores = [values.EVENTSTORE_URL, values.MONGODB_URL].filter(Boolean).length;
  if (stores === 1)
    problems.push('EVENTSTORE_URL and MONGODB_URL belong together: give both, or none for the embedded stores');
  if (stores === 0 && values.ROLE !== 'all')
    problems.push(`ROLE: ${values.ROLE} needs EVENTSTORE_URL and MONGODB_URL; the embedded stores are for one process`);
  if (values.SMTP_URL && !values.MAIL_FROM) problems.push('MAIL_FROM: is required with SMTP_URL');
  if (values.DEMO && values.ROLE !== 'all') problems.push('DEMO: the demo site and demo admin are for ROLE=all');
  if (production && values.DEMO) problems.push('DEMO: the demo site and demo admin are refused in production');
  if (production && !values.APP_URL) problems.push('APP_URL: is required in production');
  problems.push(...billingProblems(values, production));
  for (const name of ['LLM_API_KEY', 'METRICS_TOKEN', 'SHARE_SECRET', 'MFA_SECRET', 'PSEUDONYM_SECRET'] as const) {
    if (production && values[name] && PLACEHOLDER.test(values[name]))
      problems.push(`${name}: is a placeholder, not a secret`);
  }
  return problems;
}

const STRIPE_SETTINGS = [
  'STRIPE_SECRET_KEY',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_PRICE_ID',
  'STRIPE_TIER1_PRICE_ID',
  'STRIPE_TIER2_PRICE_ID',
  'STRIPE_TIER3_PRICE_ID',
  'STRIPE_TIER4_PRICE_ID',
] as const;

/** An in-process sandbox requires a single process: others would have separate books. */
const hasSandbox = (values: Settings): boolean =>
  Boolean(values.PAYMENT_SANDBOX_URL) || (values.ROLE === 'all' && !values.EVENTSTORE_URL);

function billingOf(values: Settings, production: boolean): Config['billing'] {
  if (values.BILLING) return values.BILLING;
  if (values.STRIPE_SECRET_KEY) return 'stripe';
  return !production && hasSandbox(values) ? 'sandbox' : 'off';
}

function billingProblems(values: Settings, production: boolean): string[] {
  const problems: string[] = [];
  const missing = STRIPE_SETTINGS.filter((name) => !values[name]);
  if (missing.length > 0 && (values.BILLING === 'stripe' || missing.length < STRIPE_SETTINGS.length))
    problems.push(`BILLING: the STRIPE_ settings belong together, all or none; missing: ${missing.join(', ')}`);
  const modeOf = (key: string | undefined) => key?.split('_')[1];
  if (missing.length === 0 && modeOf(values.STRIPE_SECRET_KEY) !== modeOf(values.STRIPE_PUBLISHABLE_KEY))
    problems.push('STRIPE_PUBLISHABLE_KEY: is of another mode than STRIPE_SECRET_KEY; both are live or both are test');
  if (Boolean(values.PAYMENT_SANDBOX_URL) !== Boolean(values.PAYMENT_SANDBOX_KEY))
    problems.push('PAYMENT_SANDBOX_URL and PAYMENT_SANDBOX_KEY belong together: give both or none');
  if (production && (values.BILLING === 'sandbox' || values.PAYMENT_SANDBOX_URL))
    problems.push('BILLING: the payment sandbox is refused in production');
  else if (values.BILLING === 'sandbox' && !hasSandbox(values))
    problems.push('PAYMENT_SANDBOX_URL: processes that share stores need one payment sandbox, which runs by itself');
  return problems;
}

/** The setting `SSO_PROVIDERS`. Nothing it complains of repeats a value: it holds secrets. */
import * as z from 'zod';
import type { SsoProvider } from '../integrations/sso/sso.ts';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

const issuer = z.string().refine(isIssuer, 'must be an https address, or an http address of this machine');
const domain = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be a domain, such as example.com');

const provider = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]{1,40}$/, 'must have 1 to 40 lower-case letters, digits and hyphens'),
  label: z.string().trim().min(1, 'must not be empty').max(60, 'must have at most 60 characters'),
  issuer,
  clientId: z.string().min(1, 'must not be empty'),
  clientSecret: z.string().min(1, 'must not be empty'),
  createsAccounts: z.boolean().default(false),
  domains: z.array(domain).default([]),
  adminGroup: z.string().min(1, 'must not be empty').nullable().default(null),
  groupsClaim: z.string().min(1, 'must not be empty').default('groups'),
});

function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash, username } = new URL(text);
  if (search || hash || username) return false;
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));
}

/** From the setting's text; each issue names the provider by its place, counted from 1, and its field. */
export const ssoProviders = z
  .string()
  .default('[]')
  .transform((text, context): readonly SsoProvider[] => {
    const complain = (message: string): never => {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    const given = parsed(text);
    if (!Array.isArray(given)) return complain('must be a JSON array of providers');
    const read = z.array(provider).safeParse(given);
    if (!read.success) {
      for (const { path, message } of read.error.issues)
        complain(`${[`provider ${Number(path[0]) + 1}`, ...path.slice(1)].join(', ')}: ${message}`);
      return z.NEVER;
    }
    const ids = read.data.map(({ id }) => id);
    if (new Set(ids).size < ids.length) return complain('two providers have the same id');
    return read.data;
  });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

import type { SignupRequest } from '../../../src/http/contract/auth.ts';

type Campaign = Pick<SignupRequest, 'source' | 'utm_campaign' | 'utm_content'>;

const FIELDS = [
  ['source', 100],
  ['utm_campaign', 100],
  ['utm_content', 200],
] as const;

/** Where the visitor came from, as the address of the sign-up page says; cut to what the server takes. */
export function campaignOf(search: URLSearchParams): Campaign {
  const campaign: Campaign = {};
  for (const [name, length] of FIELDS) {
    const value = search.get(name)?.trim();
    if (value) campaign[name] = value.slice(0, length);
  }
  return campaign;
}

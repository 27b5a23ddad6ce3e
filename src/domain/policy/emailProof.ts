/** Whether an account must prove its email address before it may publish, or use free audits after its first. */
import type { ActiveAccount } from '../account/account.ts';
import { DomainError } from '../decider.ts';

const DAY_MS = 86_400_000;
/** How long accounts from before the rule may go on without a proof. */
export const PROOF_GRACE_DAYS = 30;

/** The installation's part. */
export type ProofRule = {
  /**
   * Emails reach their addresses: they are neither kept in a folder nor left unsent. Otherwise nobody could prove one.
   */
  readonly deliversMail: boolean;
  /** Nobody pays here, so nothing free can be taken advantage of. */
  readonly unlimited: boolean;
  /**
   * Since when the installation has had this rule, UTC ISO. Accounts from before have `PROOF_GRACE_DAYS` from then.
   * Null: there are none.
   */
  readonly since: string | null;
  /** Address of the demo admin. */
  readonly demoAdmin: string | null;
};

type Account = Pick<ActiveAccount, 'email' | 'emailProof' | 'isAdmin' | 'registeredAt'>;

/**
 * What an account is asked for. `later`: nothing is refused until `from`. `now`: publishing is refused, and so is every
 * free audit after the first.
 */
export type ProofDemand = { readonly kind: 'none' } | { readonly kind: 'later' | 'now'; readonly from: string };

/** The only place that decides it. `now`: UTC ISO. */
export function proofDemand(rule: ProofRule, account: Account, now: string): ProofDemand {
  if (!rule.deliversMail || rule.unlimited || account.emailProof === 'confirmed') return { kind: 'none' };
  if (account.isAdmin && account.email === rule.demoAdmin) return { kind: 'none' };
  const from = rule.since !== null && account.registeredAt < rule.since ? graceEnd(rule.since) : account.registeredAt;
  return { kind: now < from ? 'later' : 'now', from };
}

const graceEnd = (since: string): string => new Date(Date.parse(since) + PROOF_GRACE_DAYS * DAY_MS).toISOString();

/** `what` follows 'Confirm your email address to'. */
export function emailNotConfirmed(what: string): DomainError {
  return new DomainError(
    'EMAIL_NOT_CONFIRMED',
    `Confirm your email address to ${what}. Open the link we emailed you, or have it sent again.`,
  );
}

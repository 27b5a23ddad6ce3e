/**
 * What a proof of an account's address is worth, and what ends with it. A stranger may have signed up with the address
 * before its owner: what was set up before the address was proven may be theirs, and must not outlive the moment at
 * which somebody else takes the account over.
 */

/**
 * How an address was proven. `unasked`: signing up, or changing to it, was enough, because no email is sent. `link`:
 * whoever reads the address's email opened a link, and showed nothing else (earlier versions only). `session`,
 * `password`: they also were logged in to the account, or knew its password. `reset`: they set a new password through
 * the address's email. `mail`: they logged in with a code or a link from it. `provider`: the account was created by an
 * identity whose provider says that the address is the person's.
 */
export const PROOF_KINDS = ['unasked', 'link', 'session', 'password', 'reset', 'mail', 'provider'] as const;
export type ProofKind = (typeof PROOF_KINDS)[number];

export type ProofEffect = {
  /** Whether the address is proven by it. */
  readonly counts: boolean;
  readonly endsSessions: boolean;
  /**
   * API keys, webhooks, the second factor, passkeys and identities end if they were set up before this proof, or before
   * the earlier one; null: they stay. So does a password, which a reset replaces.
   */
  readonly endsSetUpBefore: 'this_proof' | 'earlier_proof' | null;
};

const NOTHING_ENDS = { endsSessions: false, endsSetUpBefore: null } as const;

/**
 * The effect of a proof of the kind `by`, given how the address was proven earlier (null: never). What was set up after
 * a proof never ends by one: so only the first proof that the owner alone can give ends anything but sessions. A move
 * to another address that was requested ends with every new password.
 */
export function effectOfProof(earlier: ProofKind | null, by: ProofKind): ProofEffect {
  switch (by) {
    case 'link':
      // Programs open links, and so do people who expect an email of the product: it says nothing about who set the
      // account up.
      return { counts: false, ...NOTHING_ENDS };
    case 'unasked':
    case 'session':
    case 'password':
    case 'provider':
      // Whoever set the account up is who reads the address's email.
      return { counts: true, ...NOTHING_ENDS };
    case 'reset':
      return { counts: true, endsSessions: true, endsSetUpBefore: formerOf(earlier) };
    case 'mail': {
      const endsSetUpBefore = formerOf(earlier);
      return { counts: true, endsSessions: endsSetUpBefore !== null, endsSetUpBefore };
    }
    default:
      return by satisfies never;
  }
}

/** What was there before the owner alone had proven the address. */
const formerOf = (earlier: ProofKind | null): ProofEffect['endsSetUpBefore'] =>
  earlier === null ? 'this_proof' : earlier === 'link' ? 'earlier_proof' : null;

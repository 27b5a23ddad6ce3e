/** An email before its text is written: the recipient, or why it is not sent. */

import type { ContextOf } from '../../commands/context.ts';
import { loadState } from '../../commands/handle.ts';
import type { ActiveAccount } from '../../domain/account/account.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import { accountStream } from '../../domain/account/events.ts';
import type { MailDropReason } from '../../domain/mail/events.ts';
import type { EventStore } from '../../eventStore/eventStore.ts';
import type { Payments } from '../../integrations/payments/payments.ts';
import type { MailContent } from './layout.ts';

export type ComposeDeps = {
  readonly context: ContextOf;
  /** 32 random bytes, base64url. */
  readonly newToken: () => string;
  /** As passwords are. */
  readonly hashCode: (code: string) => Promise<string>;
  readonly appUrl: string;
  readonly supportEmail: string;
  /** The company name in sequence emails. */
  readonly companyName: string;
  /** Null: nothing is sold here. */
  readonly payments: Pick<Payments, 'payment' | 'invoice'> | null;
  /** No allowance applies or is mentioned. */
  readonly unlimited?: boolean;
  /**
   * Version of the score's formula in the user's last judged audit of the site before that time (UTC ISO); null if there
   * is none. Absent: unknown.
   */
  readonly formerFormula?: (job: {
    readonly userId: string;
    readonly host: string;
    readonly before: string;
  }) => Promise<number | null>;
};

export type Draft =
  | { readonly userId: string; readonly drop: MailDropReason }
  | {
      readonly userId: string;
      readonly to: string;
      /**
       * The unsubscribe link is requested only by emails that have one. Null: there is nothing to write about any more.
       */
      readonly write: (unsubscribeUrl: string) => MailContent | Promise<MailContent | null>;
      readonly canTurnOff: boolean;
    };

export type Dropped = Extract<Draft, { readonly drop: MailDropReason }>;

/**
 * For all emails except those whose link proves ownership of the address: nobody may cause email to someone else's
 * address by signing up with it.
 */
export async function reachable(store: EventStore, userId: string): Promise<ActiveAccount | Dropped> {
  const account = await activeAccount(store, userId);
  if (!account) return { userId, drop: 'gone' };
  return account.emailProof === 'confirmed' ? account : { userId, drop: 'not_confirmed' };
}

export async function activeAccount(store: EventStore, userId: string): Promise<ActiveAccount | null> {
  const { state } = await loadState(store, accountDecider, accountStream(userId));
  return state.status === 'active' ? state : null;
}

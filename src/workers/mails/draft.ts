/** What is known of a mail before it is written: to whom, or why it is not sent. */
import type { ContextOf } from '../../commands/context.ts';
import { loadState } from '../../commands/handle.ts';
import { type ActiveAccount, accountStream } from '../../domain/account/account.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import type { MailDropReason } from '../../domain/mail/events.ts';
import type { EventStore } from '../../eventStore/eventStore.ts';
import type { Payments } from '../../integrations/payments/payments.ts';
import type { MailContent } from './layout.ts';

export type ComposeDeps = {
  readonly context: ContextOf;
  /** 32 random bytes, base64url. */
  readonly newToken: () => string;
  readonly appUrl: string;
  readonly supportEmail: string;
  /** As mails of sequences name the company. */
  readonly companyName: string;
  /** Null: nothing is sold here. */
  readonly payments: Pick<Payments, 'payment' | 'invoice'> | null;
  /** Nothing is counted, and nothing is said of it. */
  readonly unlimited?: boolean;
};

export type Draft =
  | { readonly userId: string; readonly drop: MailDropReason }
  | {
      readonly userId: string;
      readonly to: string;
      /** The link that turns such mails off is asked for by those who have one. Null: there is nothing to write about any more. */
      readonly write: (unsubscribeUrl: string) => MailContent | Promise<MailContent | null>;
      readonly canTurnOff: boolean;
    };

export type Dropped = Extract<Draft, { readonly drop: MailDropReason }>;

/** For all mails but those with a link that shows whose the address is: whoever signed up with another's must not have them written to. */
export async function reachable(store: EventStore, userId: string): Promise<ActiveAccount | Dropped> {
  const account = await activeAccount(store, userId);
  if (!account) return { userId, drop: 'gone' };
  return account.emailProof === 'confirmed' ? account : { userId, drop: 'not_confirmed' };
}

export async function activeAccount(store: EventStore, userId: string): Promise<ActiveAccount | null> {
  const { state } = await loadState(store, accountDecider, accountStream(userId));
  return state.status === 'active' ? state : null;
}

/**
 * What operators do about work that was given up: run it again, by the event that opens its kind again, or drop it from
 * the list of such work.
 */

import { accountDecider } from '../../domain/account/decide.ts';
import { accountStream } from '../../domain/account/events.ts';
import { accountExportDecider } from '../../domain/accountExport/accountExport.ts';
import { exportsStream } from '../../domain/accountExport/events.ts';
import { DomainError } from '../../domain/decider.ts';
import { promptTrialStream } from '../../domain/promptTrial/events.ts';
import { promptTrialDecider } from '../../domain/promptTrial/promptTrial.ts';
import { providerEventStream } from '../../domain/providerEvent/events.ts';
import { providerEventDecider } from '../../domain/providerEvent/providerEvent.ts';
import { reworkStream } from '../../domain/rework/events.ts';
import { reworkDecider } from '../../domain/rework/rework.ts';
import { sequenceMailsStream } from '../../domain/sequence/events.ts';
import { sequenceMailsDecider } from '../../domain/sequence/mails.ts';
import { eventsOf } from '../../domain/stored/eventOf.ts';
import { deliveryDecider } from '../../domain/webhooks/delivery.ts';
import { deliveryStream } from '../../domain/webhooks/events.ts';
import { followUpStream, workStream } from '../../domain/work/events.ts';
import { followUpDecider, workDecider } from '../../domain/work/followUp.ts';
import { type Position, StreamDeleted } from '../../eventStore/eventStore.ts';
import { requestAccountExport } from '../accountExport/requestAccountExport.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { handle, loadHistory, loadState } from '../handle.ts';
import { retryJob } from '../job/retryJob.ts';
import { resendMail } from '../mail/resendMail.ts';
import { requestPromptTrial } from '../promptTrial/requestPromptTrial.ts';
import { requestRework } from '../rework/requestRework.ts';

/** As listed. `ownerId`: null if it is nobody's. */
export type GivenUpItem = { readonly kind: string; readonly itemId: string; readonly ownerId: string | null };

type Retry = (ctx: CommandContext, item: GivenUpItem) => Promise<{ readonly position: Position }>;

/**
 * By kind of work. Attempts begin at zero, since the event that opens an item again is newer than what is kept about
 * earlier ones.
 */
const RETRIES: Readonly<Record<string, Retry>> = {
  // One job takes its place, however many operators ask for it.
  audit: (ctx, { itemId: jobId }) => retryJob({ ...ctx, commandId: derivedId(jobId, 'retry') }, { jobId }),
  mail: (ctx, { itemId: mailId }) => resendMail(ctx, { mailId }),
  webhook: (ctx, { itemId }) =>
    handle(ctx, deliveryDecider, deliveryStream(itemId), { type: 'RequeueDelivery', at: ctx.now() }),
  rework: async (ctx, { itemId }) => {
    const { state } = await loadState(ctx.store, reworkDecider, reworkStream(itemId));
    if (state.status === 'none') throw gone();
    const { jobId, userId, subject } = state;
    return requestRework(ctx, { jobId, userId, subject });
  },
  promptTrial: async (ctx, { itemId }) => {
    const { state, events } = await loadHistory(ctx.store, promptTrialDecider, promptTrialStream(itemId));
    const request = eventsOf(events, 'PromptTrialAsked').at(-1);
    if (!request || state.status === 'none' || state.status === 'forgotten') throw gone();
    const { jobId, adminId, key, content } = request.data;
    return requestPromptTrial(ctx, { jobId, adminId, key, content });
  },
  accountExport: async (ctx, { itemId: userId }) => {
    const { state } = await loadState(ctx.store, accountExportDecider, exportsStream(userId));
    if (state.status === 'none' || state.status === 'closed') throw gone();
    return requestAccountExport(ctx, { userId });
  },
  providerEvent: (ctx, { itemId }) =>
    handle(ctx, providerEventDecider, providerEventStream(itemId), { type: 'RequeueProviderEvent', at: ctx.now() }),
  followUp: (ctx, { itemId }) =>
    handle(ctx, followUpDecider, followUpStream(itemId), { type: 'RequeueFollowUp', at: ctx.now() }),
  sequenceMail: async (ctx, { itemId: mailId, ownerId }) => {
    if (ownerId === null) throw gone();
    const { state: account } = await loadState(ctx.store, accountDecider, accountStream(ownerId));
    if (account.status !== 'active') throw new DomainError('ACCOUNT_NOT_FOUND', 'Its account has been deleted.');
    if (account.unwantedMails.includes('sequence'))
      throw new DomainError('WORK_NOT_RETRYABLE', 'Its reader has turned these emails off.');
    return handle(ctx, sequenceMailsDecider, sequenceMailsStream(ownerId), {
      type: 'RequeueSequenceMail',
      mailId,
      at: ctx.now(),
    });
  },
};

const gone = (): DomainError => new DomainError('WORK_NOT_RETRYABLE', 'What it was about has been erased.');

/**
 * Runs given-up work again, with fresh attempts. No effect while it is pending.
 * @throws DomainError NO_SUCH_WORK, WORK_NOT_RETRYABLE; or why its subject takes no other attempt
 */
export async function retryGivenUp(ctx: CommandContext, item: GivenUpItem): Promise<{ readonly position: Position }> {
  const retry = Object.hasOwn(RETRIES, item.kind) ? RETRIES[item.kind] : undefined;
  if (!retry) throw new DomainError('NO_SUCH_WORK', `There is no kind of work called ${item.kind}.`);
  try {
    const { position } = await retry(ctx, item);
    return { position };
  } catch (error) {
    if (error instanceof StreamDeleted) throw gone();
    throw error;
  }
}

/**
 * Removes given-up work from the list: nothing more is to be done about it. The event has no effect on work that is not
 * in the list.
 */
export async function dropGivenUp(
  ctx: CommandContext,
  { kind, itemId }: Omit<GivenUpItem, 'ownerId'>,
): Promise<{ readonly position: Position }> {
  return handle(ctx, workDecider, workStream(kind, itemId), { type: 'DropGivenUp', kind, itemId, at: ctx.now() });
}

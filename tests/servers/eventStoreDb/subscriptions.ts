/**
 * Catch-up subscriptions. A subscriber is a position and at most one page: it reads on when its connection has room, so
 * that a slow one uses no memory, and is notified that it fell behind.
 */
import { randomUUID } from 'node:crypto';
import type * as Streams from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { SendMessage } from './calls.ts';
import type { Context } from './context.ts';
import { eventMessage, streamNameOf } from './conversions.ts';
import { invalidArgument, invalidPosition, streamDeleted } from './errors.ts';
import { since } from './features.ts';
import { passesOf } from './filters.ts';
import { pageOfAll, resolved, stateOf } from './reader.ts';
import { DELETED } from './records.ts';

/** How many events the server reads at a time, and by how many a live subscriber may be behind. */
const PAGE = 32;
/** The versions since which a subscriber is notified that it caught up or fell behind. */
const SENDS_PACE = '23.10';
/**
 * Before this version, a subscription continued after the first event at or after its position, even if its own event
 * there had been scavenged.
 */
const STARTS_EXACTLY = '24.6';

export async function subscribeToAll(
  { log, faults, compiled }: Context,
  options: Streams.ReadReq.Options,
  from: Streams.ReadReq.Options.AllOptions,
  sendMessage: SendMessage<Streams.ReadResp>,
  over: AbortSignal,
): Promise<void> {
  const filter = options.getFilter();
  if (filter?.getCheckpointintervalmultiplier() === 0)
    throw invalidArgument('The checkpoint interval of the filter is 0.');
  const passes = filter && (await passesOf(filter, compiled));
  const window = filter?.hasMax() ? filter.getMax() : PAGE;
  const interval = filter ? window * filter.getCheckpointintervalmultiplier() : Number.POSITIVE_INFINITY;
  // A subscription starts where the last one ended: exclusive.
  let at = from.hasStart() ? 0n : from.hasEnd() ? log.head : BigInt(from.getPosition()?.getCommitPosition() ?? 0);
  if (!log.isPosition(at)) throw invalidPosition();
  if (from.hasPosition() && !since(faults.version, STARTS_EXACTLY))
    at = log.slice(log.indexFrom(at), log.indexFrom(at) + 1)[0]?.position ?? at;
  if (!(await sendMessage(confirmation()))) return;
  let considered = 0;
  const sendsPace = since(faults.version, SENDS_PACE);
  for (let live = false; !over.aborted; ) {
    if (live && log.size - log.indexFrom(at + 1n) > PAGE) {
      if (sendsPace && !(await sendMessage(new streams.ReadResp().setFellBehind(new streams.ReadResp.FellBehind()))))
        return;
      live = false;
    }
    const page = pageOfAll(log, at, {
      limit: PAGE,
      window: Math.min(window, interval - considered),
      passes,
      links: options.getResolveLinks(),
    });
    for (const event of page.events) if (!(await sendMessage(eventMessage(event)))) return;
    at = page.last ?? at;
    considered += page.considered;
    if (considered >= interval) {
      considered = 0;
      if (!(await sendMessage(checkpoint(at)))) return;
    }
    if (log.head > at) continue;
    if (!live && sendsPace && !(await sendMessage(new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp()))))
      return;
    live = true;
    await log.changed(at, over);
  }
}

export async function subscribeToStream(
  { log }: Context,
  options: Streams.ReadReq.Options,
  from: Streams.ReadReq.Options.StreamOptions,
  sendMessage: SendMessage<Streams.ReadResp>,
  over: AbortSignal,
): Promise<void> {
  const name = streamNameOf(from.getStreamIdentifier());
  if (stateOf(log, name) === 'deleted') throw streamDeleted(name);
  let next = from.hasStart() ? 0n : from.hasEnd() ? log.lastRevision(name) + 1n : BigInt(from.getRevision()) + 1n;
  if (!(await sendMessage(confirmation()))) return;
  for (let live = false; !over.aborted; ) {
    const seen = log.head;
    const last = log.lastRevision(name);
    if (last === DELETED) throw streamDeleted(name);
    if (live && last - next >= PAGE) {
      if (!(await sendMessage(new streams.ReadResp().setFellBehind(new streams.ReadResp.FellBehind())))) return;
      live = false;
    }
    const page = log.forward(name, next, PAGE);
    for (const event of resolved(log, page.events, options.getResolveLinks()))
      if (!(await sendMessage(eventMessage(event)))) return;
    next = (page.events.at(-1)?.revision ?? next - 1n) + 1n;
    if (page.next !== undefined || log.lastRevision(name) >= next) continue;
    if (!live && !(await sendMessage(new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp())))) return;
    live = true;
    await log.changed(seen, over);
  }
}

function confirmation(): Streams.ReadResp {
  return new streams.ReadResp().setConfirmation(
    new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(randomUUID()),
  );
}

function checkpoint(position: bigint): Streams.ReadResp {
  return new streams.ReadResp().setCheckpoint(
    new streams.ReadResp.Checkpoint().setCommitPosition(String(position)).setPreparePosition(String(position)),
  );
}

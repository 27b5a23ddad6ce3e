/** What a persistent subscription keeps in the log: its checkpoint, what it parked, and the list of all of them. */
import { originalOf, type Resolved } from './conversions.ts';
import { ALL, fromEntry, type GroupSettings, toEntry } from './groupSettings.ts';
import type { EventLog } from './log.ts';
import { resolve } from './reader.ts';
import { jsonEvent, jsonOf, linkEvent, linkTarget, METADATA_TYPE, metaStreamOf } from './records.ts';
import type { Writer } from './writer.ts';

const CONFIG_STREAM = '$persistentSubscriptionConfig';
/** Without a `$` until version 24.6: told from the product's own events by its stream alone. */
const CHECKPOINT_TYPE = 'SubscriptionCheckpoint';
const ADMINS = { $r: '$admins', $w: '$admins', $d: '$admins', $mr: '$admins', $mw: '$admins' };
/** What the server reads of the parked at a time. */
const PAGE = 100;

export function parkedStream(source: string, group: string): string {
  return `$persistentsubscription-${source}::${group}-parked`;
}

export function checkpointStream(source: string, group: string): string {
  return `$persistentsubscription-${source}::${group}-checkpoint`;
}

/** A place as the server writes it: a revision, or a position in $all. */
export function placeText(source: string, place: bigint): string {
  return source === ALL ? `C:${place}/P:${place}` : String(place);
}

/** The list as it was last written. */
export function loadGroups(log: EventLog): readonly GroupSettings[] {
  const [last] = log.backward(CONFIG_STREAM, log.lastRevision(CONFIG_STREAM), 1).events;
  const config = last && (jsonOf(last) as { entries: Parameters<typeof fromEntry>[0][] });
  return config?.entries.map(fromEntry) ?? [];
}

export function saveGroups(log: EventLog, groups: readonly GroupSettings[]): void {
  log.write(CONFIG_STREAM, [jsonEvent('$PersistentConfig', { version: '2', entries: groups.map(toEntry) })]);
}

export class GroupStreams {
  private readonly log: EventLog;
  private readonly writer: Writer;
  private readonly source: string;
  private readonly parked: string;
  private readonly checkpoints: string;

  constructor(log: EventLog, writer: Writer, { source, group }: Pick<GroupSettings, 'source' | 'group'>) {
    this.log = log;
    this.writer = writer;
    this.source = source;
    this.parked = parkedStream(source, group);
    this.checkpoints = checkpointStream(source, group);
  }

  /** The place up to which everything is settled. */
  loadCheckpoint(): bigint | null {
    if (this.log.isSoftDeleted(this.checkpoints)) return null;
    const [last] = this.log.backward(this.checkpoints, this.log.lastRevision(this.checkpoints), 1).events;
    const found = last && /\d+/.exec(String(jsonOf(last)));
    return found ? BigInt(found[0]) : null;
  }

  saveCheckpoint(place: bigint): void {
    if (this.log.lastRevision(this.checkpoints) < 0n) this.log.write(metaStreamOf(this.checkpoints), [jsonEvent(METADATA_TYPE, { $maxCount: 2 })]);
    this.writer.append(this.checkpoints, [jsonEvent(CHECKPOINT_TYPE, placeText(this.source, place))], 'any');
  }

  /** A link to the event, with the reason in its metadata. A link that leads nowhere is parked as the link it is. */
  park(message: Resolved, reason: string): void {
    const original = originalOf(message);
    const target = message.event ?? linkTarget(original) ?? original;
    const metadata = { added: new Date(this.log.now()).toISOString(), reason, subscriptionEventNumber: Number(original.revision) };
    this.writer.append(this.parked, [linkEvent(target, metadata)], 'any');
  }

  get parkedCount(): bigint {
    const last = this.log.lastRevision(this.parked);
    const { truncateBefore } = this.log.limits(this.parked);
    return last < truncateBefore ? 0n : last - truncateBefore + 1n;
  }

  /** Takes what is parked before `stopAt`, and hides it in its stream at once, whatever becomes of it. */
  takeParked(stopAt: bigint | null): readonly Resolved[] {
    const end = this.log.lastRevision(this.parked) + 1n;
    const stop = stopAt !== null && stopAt < end ? stopAt : end;
    const taken: Resolved[] = [];
    for (let next: bigint | undefined = 0n; next !== undefined && next < stop; ) {
      const page: ReturnType<EventLog['forward']> = this.log.forward(this.parked, next, PAGE);
      taken.push(...page.events.filter((event) => event.revision < stop).map((event) => resolve(this.log, event)));
      next = page.next;
    }
    if (end > 0n) this.log.write(metaStreamOf(this.parked), [jsonEvent(METADATA_TYPE, { $tb: Number(stop), $acl: ADMINS })]);
    return taken;
  }

  delete(): void {
    for (const stream of [this.checkpoints, this.parked]) if (this.log.lastRevision(stream) >= 0n) this.writer.delete(stream, 'any');
  }
}

/** What a persistent subscription was told at its creation, as it came over the wire and as it is kept in the log. */
import type * as Persistent from '@eventstore/db-client/generated/persistent_pb.js';
import { streamNameOf } from './conversions.ts';
import { type Filter, filterOf } from './filters.ts';

export const ALL = '$all';
const STRATEGIES = ['DispatchToSingle', 'RoundRobin', 'Pinned'] as const;
const NO_REVISION = 18_446_744_073_709_551_615n;

export type Strategy = (typeof STRATEGIES)[number];

export type GroupSettings = {
  /** A stream's name, or `$all`. */
  readonly source: string;
  readonly group: string;
  readonly filter: Filter | null;
  /** First place (revision or position) to hand out; 'end' is what comes from the creation on. */
  readonly startFrom: bigint | 'end';
  readonly resolveLinks: boolean;
  readonly extraStatistics: boolean;
  /** 0 is for ever. */
  readonly messageTimeoutMs: number;
  readonly maxRetryCount: number;
  readonly checkpointAfterMs: number;
  readonly minCheckpointCount: number;
  readonly maxCheckpointCount: number;
  /** 0 is without bound. */
  readonly maxSubscriberCount: number;
  readonly liveBufferSize: number;
  readonly historyBufferSize: number;
  readonly readBatchSize: number;
  readonly strategy: Strategy;
};

type OptionsMessage = Persistent.CreateReq.Options | Persistent.UpdateReq.Options;
type SettingsMessage = Persistent.CreateReq.Settings | Persistent.UpdateReq.Settings;

export function sourceOf(options: { hasAll(): boolean; getStreamIdentifier(): Parameters<typeof streamNameOf>[0] }): string {
  return options.hasAll() ? ALL : streamNameOf(options.getStreamIdentifier());
}

export function settingsOf(options: OptionsMessage, before?: GroupSettings): GroupSettings {
  const settings = options.getSettings() as SettingsMessage;
  const all = options.getAll();
  const filter = all && 'getFilter' in all ? all.getFilter() : undefined;
  return {
    source: all ? ALL : streamNameOf(options.getStreamIdentifier() ?? options.getStream()?.getStreamIdentifier()),
    group: options.getGroupName(),
    // An update cannot change the filter.
    filter: filter ? filterOf(filter) : (before?.filter ?? null),
    startFrom: startOf(options, settings),
    resolveLinks: settings.getResolveLinks(),
    extraStatistics: settings.getExtraStatistics(),
    messageTimeoutMs: settings.hasMessageTimeoutMs() ? settings.getMessageTimeoutMs() : Number(BigInt(settings.getMessageTimeoutTicks()) / 10_000n),
    maxRetryCount: settings.getMaxRetryCount(),
    checkpointAfterMs: settings.hasCheckpointAfterMs() ? settings.getCheckpointAfterMs() : Number(BigInt(settings.getCheckpointAfterTicks()) / 10_000n),
    minCheckpointCount: settings.getMinCheckpointCount(),
    maxCheckpointCount: settings.getMaxCheckpointCount(),
    maxSubscriberCount: settings.getMaxSubscriberCount(),
    liveBufferSize: settings.getLiveBufferSize(),
    historyBufferSize: settings.getHistoryBufferSize(),
    readBatchSize: settings.getReadBatchSize(),
    strategy: STRATEGIES[settings.getNamedConsumerStrategy()] ?? 'RoundRobin',
  };
}

function startOf(options: OptionsMessage, settings: SettingsMessage): bigint | 'end' {
  const all = options.getAll();
  if (all) return all.hasStart() ? 0n : all.hasEnd() ? 'end' : BigInt(all.getPosition()?.getCommitPosition() ?? 0);
  const stream = options.getStream();
  if (stream && !options.hasStreamIdentifier()) return stream.hasStart() ? 0n : stream.hasEnd() ? 'end' : BigInt(stream.getRevision());
  const revision = BigInt.asUintN(64, BigInt(settings.getRevision()));
  return revision === NO_REVISION ? 'end' : revision;
}

/** Why these settings are refused; null when they are fine. */
export function problemWith(settings: GroupSettings): string | null {
  if (settings.historyBufferSize <= 0) return 'Buffer Size must be positive';
  if (settings.liveBufferSize <= 0) return 'Live Buffer Size must be positive';
  if (settings.readBatchSize <= 0) return 'Read Batch Size must be positive';
  if (settings.readBatchSize >= settings.historyBufferSize) return 'Read Batch Size must be less than Buffer Size';
  if (settings.maxCheckpointCount < settings.minCheckpointCount) return 'Max Checkpoint Count must not be less than Min Checkpoint Count';
  return null;
}

/** For the log: bigints as text. */
export function toEntry(settings: GroupSettings): object {
  return { ...settings, startFrom: String(settings.startFrom) };
}

export function fromEntry(entry: Omit<GroupSettings, 'startFrom'> & { readonly startFrom: string }): GroupSettings {
  return { ...entry, startFrom: entry.startFrom === 'end' ? 'end' : BigInt(entry.startFrom) };
}

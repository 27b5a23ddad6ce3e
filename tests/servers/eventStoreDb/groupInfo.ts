/** What the server tells of a persistent subscription. */
import type * as Persistent from '@eventstore/db-client/generated/persistent_pb.js';
import persistent from '@eventstore/db-client/generated/persistent_pb.js';
import type { Group } from './group.ts';
import { ALL } from './groupSettings.ts';
import { placeText } from './groupStreams.ts';

export function infoOf(group: Group): Persistent.SubscriptionInfo {
  const { settings, stats } = group;
  const place = (at: bigint | null): string => (at === null ? '' : placeText(settings.source, at));
  const start = settings.startFrom === 'end' ? (settings.source === ALL ? 'C:-1/P:-1' : '-1') : placeText(settings.source, settings.startFrom);
  return new persistent.SubscriptionInfo()
    .setEventSource(settings.source)
    .setGroupName(settings.group)
    .setStatus(stats.live ? 'Live' : 'Behind')
    .setConnectionsList(group.consumers.map(connectionOf))
    .setTotalItems(String(stats.handedOut))
    .setCountSinceLastMeasurement('0')
    .setLastCheckpointedEventPosition(place(stats.checkpoint))
    .setLastKnownEventPosition(place(stats.lastKnown))
    .setResolveLinkTos(settings.resolveLinks)
    .setStartFrom(start)
    .setMessageTimeoutMilliseconds(settings.messageTimeoutMs)
    .setExtraStatistics(settings.extraStatistics)
    .setMaxRetryCount(settings.maxRetryCount)
    .setLiveBufferSize(settings.liveBufferSize)
    .setBufferSize(settings.historyBufferSize)
    .setReadBatchSize(settings.readBatchSize)
    .setCheckPointAfterMilliseconds(settings.checkpointAfterMs)
    .setMinCheckPointCount(settings.minCheckpointCount)
    .setMaxCheckPointCount(settings.maxCheckpointCount)
    .setReadBufferCount(stats.buffered)
    .setLiveBufferCount('0')
    .setRetryBufferCount(stats.retries)
    .setTotalInFlightMessages(group.consumers.reduce((sum, { held }) => sum + held.size, 0))
    .setOutstandingMessagesCount(stats.outstanding)
    .setNamedConsumerStrategy(settings.strategy)
    .setMaxSubscriberCount(settings.maxSubscriberCount)
    .setParkedMessageCount(String(stats.parked));
}

function connectionOf(consumer: Group['consumers'][number]): Persistent.SubscriptionInfo.ConnectionInfo {
  return new persistent.SubscriptionInfo.ConnectionInfo()
    .setFrom(consumer.from)
    .setUsername('anonymous')
    .setTotalItems(String(consumer.total))
    .setCountSinceLastMeasurement('0')
    .setAvailableSlots(consumer.free)
    .setInFlightMessages(consumer.held.size)
    .setConnectionName(consumer.name);
}

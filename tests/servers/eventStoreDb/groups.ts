/**
 * Persistent subscriptions to $all that an earlier version of the product left behind: they can only be listed and
 * deleted.
 */
import type { IPersistentSubscriptionsServer } from '@eventstore/db-client/generated/persistent_grpc_pb.js';
import type * as Persistent from '@eventstore/db-client/generated/persistent_pb.js';
import persistent from '@eventstore/db-client/generated/persistent_pb.js';
import { type Context, unary } from './context.ts';
import { groupDoesNotExist } from './errors.ts';

const ALL = '$all';

/** By name: how many consumers are connected. */
export type Groups = Map<string, number>;

export function groupCalls(context: Context): Pick<IPersistentSubscriptionsServer, 'list' | 'delete'> {
  const { groups } = context;
  return {
    // A server without any refuses to list them.
    list: unary(context, (_request: Persistent.ListReq) => {
      if (groups.size === 0) throw groupDoesNotExist(ALL, '');
      return new persistent.ListResp().setSubscriptionsList(
        [...groups].map(([name, consumers]) => infoOf(name, consumers)),
      );
    }),
    delete: unary(context, (request: Persistent.DeleteReq) => {
      const name = request.getOptions()?.getGroupName() ?? '';
      if (!groups.delete(name)) throw groupDoesNotExist(ALL, name);
      return new persistent.DeleteResp();
    }),
  };
}

function infoOf(name: string, consumers: number): Persistent.SubscriptionInfo {
  const connection = () =>
    new persistent.SubscriptionInfo.ConnectionInfo().setTotalItems('0').setCountSinceLastMeasurement('0');
  return new persistent.SubscriptionInfo()
    .setEventSource(ALL)
    .setGroupName(name)
    .setStatus('Live')
    .setConnectionsList(Array.from({ length: consumers }, connection))
    .setTotalItems('0')
    .setCountSinceLastMeasurement('0')
    .setLiveBufferCount('0')
    .setParkedMessageCount('0');
}

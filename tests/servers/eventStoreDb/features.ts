/** Server information: its version with the methods of that version, and the one member of its cluster. */
import type { IGossipServer } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import type { IServerFeaturesServer } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import { status } from '@grpc/grpc-js';
import type { Context } from './context.ts';
import { uuid } from './conversions.ts';
import { callError, unavailable } from './errors.ts';

export const VERSION = '23.10.0';

const STREAMS = 'event_store.client.streams.streams';
const GROUPS = 'event_store.client.persistent_subscriptions.persistentsubscriptions';

/** The versions that introduced each method and each of its features. */
const METHODS: readonly (readonly [
  service: string,
  method: string,
  since: string,
  features?: Readonly<Record<string, string>>,
])[] = [
  [STREAMS, 'read', '20.6', { position: '21.10', events: '21.10' }],
  [STREAMS, 'append', '20.6'],
  [STREAMS, 'delete', '20.6'],
  [STREAMS, 'tombstone', '20.6'],
  [STREAMS, 'batchappend', '21.10', { deadline_duration: '21.10' }],
  [GROUPS, 'delete', '20.6', { stream: '20.6', all: '21.10' }],
  [GROUPS, 'list', '22.6', { stream: '22.6', all: '22.6' }],
];

/** Whether `version` is `other` or later. */
export function since(version: string, other: string): boolean {
  const [year = 0, month = 0] = version.split('.').map(Number);
  const [otherYear = 0, otherMonth = 0] = other.split('.').map(Number);
  return year > otherYear || (year === otherYear && month >= otherMonth);
}

export function serverFeatures({ faults }: Context): Pick<IServerFeaturesServer, 'getSupportedMethods'> {
  return {
    getSupportedMethods: (_call, callback) => {
      if (faults.refuses()) return callback(unavailable());
      const { version } = faults;
      if (version === 'unknown') return callback(callError(status.UNIMPLEMENTED, 'Service is unimplemented.'));
      const methods = METHODS.filter(([, , from]) => since(version, from)).map(([service, method, , can = {}]) =>
        new features.SupportedMethod()
          .setServiceName(service)
          .setMethodName(method)
          .setFeaturesList(Object.keys(can).filter((feature) => since(version, can[feature] ?? ''))),
      );
      callback(null, new features.SupportedMethods().setEventStoreServerVersion(version).setMethodsList(methods));
    },
  };
}

export function gossipOf({ faults }: Context, host: string, port: () => number): Pick<IGossipServer, 'read'> {
  const instance = crypto.randomUUID();
  return {
    read: (_call, callback) => {
      if (faults.refuses()) return callback(unavailable());
      const member = new gossip.MemberInfo()
        .setInstanceId(uuid(instance))
        .setTimeStamp(String(BigInt(Date.now()) * 10_000n))
        .setState(gossip.MemberInfo.VNodeState.LEADER)
        .setIsAlive(true)
        .setHttpEndPoint(new gossip.EndPoint().setAddress(host).setPort(port()));
      callback(null, new gossip.ClusterInfo().setMembersList([member]));
    },
  };
}

/**
 * The EventStoreDB connection string: `esdb://user:password@host:2113,host:2113?tls=false`. Parsed here rather than by
 * the client, whose warnings print all of it. Errors are reported without credentials.
 */
import { readFileSync } from 'node:fs';
import type {
  ChannelCredentialOptions,
  Credentials,
  DNSClusterOptions,
  GossipClusterOptions,
  SingleNodeOptions,
} from '@eventstore/db-client';
import { EventStoreError } from '../eventStore.ts';

export type EventStoreDbAddress = {
  readonly settings: DNSClusterOptions | GossipClusterOptions | SingleNodeOptions;
  readonly channel: ChannelCredentialOptions;
  readonly credentials: Credentials | undefined;
  /** Hosts and ports, for display. */
  readonly label: string;
  /** The timeout of a call, ms. */
  readonly deadlineMs: number;
};

type Options = ReadonlyMap<string, string>;

const DEFAULT_PORT = 2113;
const DEFAULT_DEADLINE_MS = 10_000;
const NUMBERS = [
  'defaultDeadline',
  'keepAliveInterval',
  'keepAliveTimeout',
  'maxDiscoverAttempts',
  'discoveryInterval',
  'gossipTimeout',
] as const;
const TEXTS = [
  'tls',
  'tlsCaFile',
  'tlsVerifyCert',
  'userCertFile',
  'userKeyFile',
  'connectionName',
  'nodePreference',
  'throwOnAppendFailure',
];
const KNOWN = new Set([...NUMBERS, ...TEXTS].map((name) => name.toLowerCase()));
const NODE_PREFERENCES = ['leader', 'follower', 'read_only_replica', 'random'] as const;

/** @throws EventStoreError INVALID_STORE_URL */
export function parseEventStoreDbUrl(url: string): EventStoreDbAddress {
  const match = /^(?:esdb|kurrentdb|kdb)(\+discover)?:\/\/(?:([^@]*)@)?([^/?@]+)\/?(?:\?(.*))?$/.exec(url.trim());
  if (match === null) throw invalid('it is not of the form esdb://user:password@host:2113?option=value');
  const [, discover, userInfo, hostList = '', query = ''] = match;
  const hosts = hostList.split(',').map(endPoint);
  const [first] = hosts;
  if (first === undefined) throw invalid('it names no host');
  const options = optionsOf(query);
  const numbers = Object.fromEntries(NUMBERS.flatMap((name) => present(name, integer(options, name))));
  const texts = Object.fromEntries([
    ...present('connectionName', options.get('connectionname')),
    ...present('nodePreference', nodePreference(options)),
  ]);
  const common = { defaultDeadline: DEFAULT_DEADLINE_MS, ...numbers, ...texts };
  return {
    settings: discover
      ? { ...common, discover: first }
      : hosts.length > 1
        ? { ...common, endpoints: hosts }
        : { ...common, endpoint: first },
    channel: channelOf(options),
    credentials: credentialsOf(userInfo),
    label: hosts.map(({ address, port }) => `${address}:${port}`).join(','),
    deadlineMs: common.defaultDeadline,
  };
}

function invalid(why: string): EventStoreError {
  return new EventStoreError('INVALID_STORE_URL', `The event store's address cannot be used: ${why}.`);
}

function endPoint(text: string) {
  const match = /^(\[[0-9a-fA-F:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(text.trim());
  const port = Number(match?.[2] ?? DEFAULT_PORT);
  if (match?.[1] === undefined || port > 65_535) throw invalid(`${JSON.stringify(text)} is no host and port`);
  return { address: match[1], port };
}

function credentialsOf(userInfo: string | undefined): Credentials | undefined {
  if (userInfo === undefined) return undefined;
  const [username = '', password = ''] = userInfo.split(/:(.*)/s);
  try {
    return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    throw invalid('its user name or password is not percent-encoded');
  }
}

function optionsOf(query: string): Options {
  const options = new Map<string, string>();
  for (const pair of query.split('&').filter(Boolean)) {
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    const key = name.trim().toLowerCase().replace(/[_-]/g, '');
    if (!KNOWN.has(key)) throw invalid(`it has the option ${JSON.stringify(name)}, which is not known`);
    options.set(key, decodeURIComponent(value.trim()));
  }
  if (options.get('tlsverifycert') === 'false')
    throw invalid('tlsVerifyCert=false is not supported; give tlsCaFile instead');
  return options;
}

function channelOf(options: Options): ChannelCredentialOptions {
  const tls = options.get('tls') ?? 'true';
  if (tls !== 'true' && tls !== 'false') throw invalid('tls is neither true nor false');
  if (tls === 'false') return { insecure: true };
  const [certificate, key] = [options.get('usercertfile'), options.get('userkeyfile')];
  if ((certificate === undefined) !== (key === undefined))
    throw invalid('userCertFile and userKeyFile belong together');
  const files = { rootCertificate: options.get('tlscafile'), userCertFile: certificate, userKeyFile: key };
  return {
    insecure: false,
    ...Object.fromEntries(
      Object.entries(files).flatMap(([name, path]) => (path === undefined ? [] : [[name, file(path)]])),
    ),
  };
}

function file(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw invalid(`the file ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
  }
}

function integer(options: Options, name: string): number | undefined {
  const text = options.get(name.toLowerCase());
  const value = Number(text);
  if (text !== undefined && (!Number.isSafeInteger(value) || value < -1 || value === 0))
    throw invalid(`${name} is no positive number`);
  return text === undefined ? undefined : value;
}

function nodePreference(options: Options): string | undefined {
  const text = options.get('nodepreference');
  const found = NODE_PREFERENCES.find((one) => one.replaceAll('_', '') === text?.toLowerCase().replace(/[_-]/g, ''));
  if (text !== undefined && found === undefined)
    throw invalid(`nodePreference is none of ${NODE_PREFERENCES.join(', ')}`);
  return found;
}

function present<V>(key: string, value: V | undefined): readonly (readonly [string, V])[] {
  return value === undefined ? [] : [[key, value]];
}

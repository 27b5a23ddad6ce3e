/**
 * The connection string of EventStoreDB: `esdb://user:password@host:2113,host:2113?tls=false`. Read here and not by the client, whose
 * warnings print all of it. What goes wrong is told without the credentials.
 */
import { readFileSync } from 'node:fs';
import type { ChannelCredentialOptions, Credentials, DNSClusterOptions, GossipClusterOptions, SingleNodeOptions } from '@eventstore/db-client';
import { EventStoreError } from './eventStore.ts';

export type EventStoreDbAddress = {
  readonly settings: DNSClusterOptions | GossipClusterOptions | SingleNodeOptions;
  readonly channel: ChannelCredentialOptions;
  readonly credentials: Credentials | undefined;
  /** The hosts and ports, for people. */
  readonly label: string;
  /** How long a call may take, ms. */
  readonly deadlineMs: number;
};

type EndPoint = { readonly address: string; readonly port: number };
type Options = ReadonlyMap<string, string>;

const DEFAULT_PORT = 2113;
const DEFAULT_DEADLINE_MS = 10_000;
const OPTIONS = new Set(
  [
    ...['tls', 'tlsCaFile', 'userCertFile', 'userKeyFile', 'connectionName', 'defaultDeadline', 'keepAliveInterval', 'keepAliveTimeout'],
    ...['nodePreference', 'maxDiscoverAttempts', 'discoveryInterval', 'gossipTimeout', 'tlsVerifyCert', 'throwOnAppendFailure'],
  ].map((name) => name.toLowerCase()),
);
const NODE_PREFERENCES = ['leader', 'follower', 'read_only_replica', 'random'] as const;

/** @throws EventStoreError INVALID_STORE_URL */
export function parseEventStoreDbUrl(url: string): EventStoreDbAddress {
  const match = /^(?:esdb|kurrentdb|kdb)(\+discover)?:\/\/(?:([^@]*)@)?([^/?@]+)\/?(?:\?(.*))?$/.exec(url.trim());
  if (match === null) throw invalid('it is not of the form esdb://user:password@host:2113?option=value');
  const [, discover, userInfo, hostList = '', query = ''] = match;
  const hosts = hostList.split(',').map(endPoint);
  const options = optionsOf(query);
  const [first] = hosts;
  if (first === undefined) throw invalid('it names no host');
  const deadlineMs = integer(options, 'defaultDeadline') ?? DEFAULT_DEADLINE_MS;
  const common = {
    defaultDeadline: deadlineMs,
    ...present('keepAliveInterval', integer(options, 'keepAliveInterval')),
    ...present('keepAliveTimeout', integer(options, 'keepAliveTimeout')),
    ...present('connectionName', options.get('connectionname')),
  };
  const cluster = {
    ...common,
    ...present('maxDiscoverAttempts', integer(options, 'maxDiscoverAttempts')),
    ...present('discoveryInterval', integer(options, 'discoveryInterval')),
    ...present('gossipTimeout', integer(options, 'gossipTimeout')),
    ...present('nodePreference', nodePreference(options)),
  };
  return {
    settings: discover ? { ...cluster, discover: first } : hosts.length > 1 ? { ...cluster, endpoints: hosts } : { ...common, endpoint: first },
    channel: channelOf(options),
    credentials: credentialsOf(userInfo),
    label: hosts.map(({ address, port }) => `${address}:${port}`).join(','),
    deadlineMs,
  };
}

function invalid(why: string): EventStoreError {
  return new EventStoreError('INVALID_STORE_URL', `The event store's address cannot be used: ${why}.`);
}

function endPoint(text: string): EndPoint {
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
    if (!OPTIONS.has(key)) throw invalid(`it has the option ${JSON.stringify(name)}, which is not known`);
    options.set(key, decodeURIComponent(value.trim()));
  }
  if (options.get('tlsverifycert') === 'false') throw invalid('tlsVerifyCert=false is not supported; give tlsCaFile instead');
  return options;
}

function channelOf(options: Options): ChannelCredentialOptions {
  const tls = options.get('tls') ?? 'true';
  if (tls !== 'true' && tls !== 'false') throw invalid('tls is neither true nor false');
  if (tls === 'false') return { insecure: true };
  const certificate = options.get('usercertfile');
  const key = options.get('userkeyfile');
  if ((certificate === undefined) !== (key === undefined)) throw invalid('userCertFile and userKeyFile belong together');
  return {
    insecure: false,
    ...present('rootCertificate', file(options.get('tlscafile'))),
    ...present('userCertFile', file(certificate)),
    ...present('userKeyFile', file(key)),
  };
}

function file(path: string | undefined): Buffer | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(path);
  } catch (error) {
    throw invalid(`the file ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
  }
}

function integer(options: Options, name: string): number | undefined {
  const text = options.get(name.toLowerCase());
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < -1 || value === 0) throw invalid(`${name} is no positive number`);
  return value;
}

function nodePreference(options: Options): (typeof NODE_PREFERENCES)[number] | undefined {
  const text = options.get('nodepreference');
  if (text === undefined) return undefined;
  const found = NODE_PREFERENCES.find((one) => one.replaceAll('_', '') === text.toLowerCase().replace(/[_-]/g, ''));
  if (found === undefined) throw invalid(`nodePreference is none of ${NODE_PREFERENCES.join(', ')}`);
  return found;
}

function present<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]: V });
}

/** What is spoken over the app's one socket: sign in, subscribe from a position, hand rows on. */
import type { ClientMessage, ServerMessage } from '../../src/http/contract/realtime.ts';
import { renewSession } from '../api/renewal.ts';
import { accessToken } from '../api/tokens.ts';
import { lastingSocket } from './socket.ts';

export type RowEvent = Extract<ServerMessage, { type: 'event' }>;

export interface LiveChannel {
  readonly name: string;
  /** What the screen shows now reflects the log up to here. Null: it could not be read; try the whole connection again. */
  readonly position: () => Promise<string | null>;
  readonly apply: (event: RowEvent) => void;
  /** After a time without a socket: read the truth once more. */
  readonly reload: () => void;
}

interface RealtimeOptions {
  /** The first one decides whether the app is live. */
  readonly channels: readonly LiveChannel[];
  readonly onState: (state: 'live' | 'offline') => void;
  readonly onSessionEnded: () => void;
}

export const UNAUTHORIZED = 4401;
/** Too many messages, too many sockets: the server asks for patience. */
export const TOO_MANY: readonly number[] = [4429, 4430];
const PATIENCE_MS = 30_000;

/** Runs until the returned function is called. */
export function startRealtime({ channels, onState, onSessionEnded }: RealtimeOptions): () => void {
  const positions = new Map<string, string>();
  let connection = 0;
  let lived = false;

  const send = (message: ClientMessage): unknown => socket.send(JSON.stringify(message));
  const note = (channel: string, position: string): void => {
    if (position > (positions.get(channel) ?? '')) positions.set(channel, position);
  };

  const subscribe = async (own: number): Promise<void> => {
    for (const { name, position } of channels) {
      const known = positions.get(name) ?? (await position());
      if (own !== connection) return;
      if (known === null) return socket.drop();
      note(name, known);
      send({ type: 'subscribe', channel: name, since: positions.get(name) });
    }
  };

  const subscribed = (name: string, position: string): void => {
    note(name, position);
    if (name !== channels[0]?.name) return;
    socket.settled();
    if (lived) for (const channel of channels) channel.reload();
    lived = true;
    onState('live');
  };

  /** A position that the server cannot resume from: begin again with the truth of now. */
  const restart = (name: string): void => {
    const channel = channels.find((each) => each.name === name);
    if (!channel || !positions.delete(name)) return;
    send({ type: 'subscribe', channel: name });
    channel.reload();
  };

  const receive = (message: ServerMessage): void => {
    if (message.type === 'ready') void subscribe(connection);
    else if (message.type === 'ping') send({ type: 'pong' });
    else if (message.type === 'subscribed') subscribed(message.channel, message.position);
    else if (message.type === 'error' && message.channel) restart(message.channel);
    // Which of two states of a row is the later one is told by its own position: a row that was held back comes after others.
    else if (message.type === 'event') {
      note(message.channel, message.position);
      channels.find((channel) => channel.name === message.channel)?.apply(message);
    }
  };

  const socket = lastingSocket({
    url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/v1/realtime`,
    // No token ever stands in an address.
    onOpen: () => send({ type: 'auth', token: accessToken() ?? '' }),
    onMessage: (data) => {
      const message = parse(data);
      if (message) receive(message);
    },
    onDown: async (code) => {
      connection += 1;
      onState('offline');
      if (code !== UNAUTHORIZED) return TOO_MANY.includes(code) ? PATIENCE_MS : 0;
      if ((await renewSession(accessToken())) !== 'ended') return 0;
      onSessionEnded();
      return null;
    },
    ping: () => send({ type: 'ping' }),
  });
  return () => {
    connection += 1;
    socket.close();
  };
}

function parse(data: string): ServerMessage | null {
  try {
    const message: unknown = JSON.parse(data);
    return typeof message === 'object' && message !== null && 'type' in message ? (message as ServerMessage) : null;
  } catch {
    return null;
  }
}

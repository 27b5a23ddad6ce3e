/** The realtime protocol: logs in, subscribes from a position, passes rows on. */
import type { ClientMessage, ServerMessage } from '../../src/http/contract/realtime.ts';
import { CLOSE } from '../../src/model/socket.ts';
import type { ChannelList, LiveChannel } from '../api/live.ts';
import { renewSession } from '../api/renewal.ts';
import { lastingSocket, parseMessage, realtimeUrl, TIMEOUT_MS, TOO_MANY } from '../api/socket.ts';
import { accessToken } from '../api/tokens.ts';
import { rowsByFrame } from './rowsByFrame.ts';

interface RealtimeOptions {
  /** The first one determines whether the app is live. */
  readonly channels: readonly LiveChannel[];
  /** Channels that pages add and remove. */
  readonly more?: ChannelList;
  readonly onState: (state: 'live' | 'offline') => void;
  readonly onSessionEnded: () => void;
}

/** Runs until the returned function is called. */
export function startRealtime({ channels, more, onState, onSessionEnded }: RealtimeOptions): () => void {
  const positions = new Map<string, string>();
  const all = (): readonly LiveChannel[] => [...channels, ...(more?.all() ?? [])];
  const channelOf = (name: string): LiveChannel | undefined => all().find((channel) => channel.name === name);
  let connection = 0;
  /** The server has accepted this connection's token. */
  let signedIn = false;
  let lived = false;

  const send = (message: ClientMessage): unknown => socket.send(JSON.stringify(message));
  /** What still arrives for a page that was left is shown by no page, so the next one must not begin after it. */
  const note = (channel: string, position: string): void => {
    if (channelOf(channel) && position > (positions.get(channel) ?? '')) positions.set(channel, position);
  };

  const subscribe = async (own: number): Promise<void> => {
    for (const { name, position } of channels) {
      const known = positions.get(name) ?? (await position?.()) ?? null;
      if (own !== connection) return;
      if (known === null) return socket.drop();
      note(name, known);
      send({ type: 'subscribe', channel: name, since: positions.get(name) });
    }
    signedIn = true;
    for (const channel of more?.all() ?? []) void begin(channel);
  };
  /** Channels subscribed without a position: what was shown before may be stale. */
  const blind = new Set<string>();
  const begin = async (channel: LiveChannel): Promise<void> => {
    const own = connection;
    const since = positions.get(channel.name) ?? (await channel.position?.()) ?? undefined;
    if (own !== connection || !more?.all().includes(channel)) return;
    if (since) note(channel.name, since);
    else blind.add(channel.name);
    send({ type: 'subscribe', channel: channel.name, since });
  };

  const subscribed = (name: string, position: string): void => {
    if (blind.delete(name)) channelOf(name)?.reload();
    note(name, position);
    if (name !== channels[0]?.name) return;
    socket.settled();
    if (lived) for (const channel of channels) channel.reload();
    lived = true;
    onState('live');
  };

  /**
   * The server cannot resume from this position: subscribe from now and reload, also once subscribed, as what changed
   * until then is not sent.
   */
  const restart = (name: string): void => {
    const channel = channelOf(name);
    if (!channel || !positions.delete(name)) return;
    blind.add(name);
    send({ type: 'subscribe', channel: name });
    channel.reload();
  };

  const rows = rowsByFrame({
    // A row's own position says which of two states is newer, since delayed rows arrive after later ones.
    apply: (name, events) => {
      for (const { position } of events) note(name, position);
      channelOf(name)?.apply(events);
    },
    reload: (name) => channelOf(name)?.reload(),
  });

  /** Rows wait for the next frame. Everything else is handled at once, after the rows before it. */
  const receive = (message: ServerMessage): void => {
    if (message.type === 'ready') void subscribe(connection);
    else if (message.type === 'ping') send({ type: 'pong' });
    else if (message.type === 'event') rows.add(message);
    else if (message.type === 'subscribed') {
      rows.flush();
      subscribed(message.channel, message.position);
    } else if (message.type === 'error' && message.channel) {
      rows.flush();
      restart(message.channel);
    }
  };

  const socket = lastingSocket({
    url: realtimeUrl(),
    // Tokens never appear in a URL.
    onOpen: () => send({ type: 'auth', token: accessToken() ?? '' }),
    onMessage: (data) => {
      const message = parseMessage(data);
      if (message) receive(message);
    },
    onDown: async (code) => {
      // The next connection continues after them.
      rows.flush();
      connection += 1;
      signedIn = false;
      onState('offline');
      if (code !== CLOSE.unauthorized) return TOO_MANY.includes(code) ? TIMEOUT_MS : 0;
      if ((await renewSession(accessToken())) !== 'ended') return 0;
      onSessionEnded();
      return null;
    },
    ping: () => send({ type: 'ping' }),
  });
  const unwatch = more?.watch((channel, here) => {
    if (!here) {
      positions.delete(channel.name);
      rows.forget(channel.name);
    }
    if (!signedIn) return;
    if (here) void begin(channel);
    else send({ type: 'unsubscribe', channel: channel.name });
  });
  return () => {
    connection += 1;
    unwatch?.();
    rows.close();
    socket.close();
  };
}

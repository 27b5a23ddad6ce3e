/** The app's one socket: signs in, subscribes, hands rows on, and comes back by itself. */
import type { ClientMessage, ServerMessage } from '../../src/http/contract/realtime.ts';
import { renewSession } from '../api/renewal.ts';
import { accessToken } from '../api/tokens.ts';

export type RowEvent = Extract<ServerMessage, { type: 'event' }>;

export interface LiveChannel {
  readonly name: string;
  /** What the screen shows now reflects the log up to here. Null: load failed, try the whole connection again later. */
  readonly position: () => Promise<string | null>;
  readonly apply: (event: RowEvent) => void;
  /** After a time without a socket: read the truth once more. */
  readonly reload: () => void;
}

interface RealtimeOptions {
  readonly channels: readonly LiveChannel[];
  readonly onState: (state: 'live' | 'offline') => void;
  readonly onSessionEnded: () => void;
}

const FIRST_RETRY_MS = 200;
const LAST_RETRY_MS = 10_000;
/** The server asked for patience: too many sockets or messages. */
const PATIENCE_MS = 30_000;
/** A socket that says nothing for so long is asked, and given up when it stays silent as long again. */
const SILENCE_MS = 30_000;

const UNAUTHORIZED = 4401;
const TOO_MANY: readonly number[] = [4429, 4430];

/** Runs until the returned function is called. */
export function startRealtime({ channels, onState, onSessionEnded }: RealtimeOptions): () => void {
  const positions = new Map<string, string>();
  let socket: WebSocket | null = null;
  let retry = FIRST_RETRY_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  let lived = false;
  let stopped = false;

  const send = (message: ClientMessage): void => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };

  const connect = (): void => {
    clearTimeout(timer);
    if (stopped || socket || document.hidden) return;
    const own = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/v1/realtime`);
    socket = own;
    listen(own);
    own.onopen = () => send({ type: 'auth', token: accessToken() ?? '' });
    own.onmessage = (event) => {
      if (own !== socket) return;
      listen(own);
      const message = parse(event.data);
      if (message) receive(message, own);
    };
    own.onclose = (event) => own === socket && closed(event.code);
  };

  /** Takes note that the server lives, and looks again later. */
  const listen = (own: WebSocket): void => {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => {
      send({ type: 'ping' });
      watchdog = setTimeout(() => own === socket && drop(), SILENCE_MS);
    }, SILENCE_MS);
  };

  const receive = (message: ServerMessage, own: WebSocket): void => {
    if (message.type === 'ready') void subscribe(own);
    else if (message.type === 'ping') send({ type: 'pong' });
    else if (message.type === 'subscribed') subscribed(message.channel, message.position);
    else if (message.type === 'event') applyRow(message);
    else if (message.type === 'error' && message.channel) restart(message.channel);
  };

  const subscribe = async (own: WebSocket): Promise<void> => {
    for (const channel of channels) {
      const position = positions.get(channel.name) ?? (await channel.position());
      if (own !== socket) return;
      if (position === null) return drop();
      note(channel.name, position);
      send({ type: 'subscribe', channel: channel.name, since: positions.get(channel.name) });
    }
  };

  const subscribed = (name: string, position: string): void => {
    note(name, position);
    if (name !== channels[0]?.name) return;
    retry = FIRST_RETRY_MS;
    if (lived) for (const channel of channels) channel.reload();
    lived = true;
    onState('live');
  };

  const applyRow = (event: RowEvent): void => {
    // Older than what is known: an echo of the past. Several rows may share one position.
    if (event.position < (positions.get(event.channel) ?? '')) return;
    note(event.channel, event.position);
    channels.find((channel) => channel.name === event.channel)?.apply(event);
  };

  /** A position the server cannot resume from: begin again with the truth of now. */
  const restart = (name: string): void => {
    const channel = channels.find((each) => each.name === name);
    if (!channel || !positions.delete(name)) return;
    send({ type: 'subscribe', channel: name });
    channel.reload();
  };

  const note = (name: string, position: string): void => {
    if (position > (positions.get(name) ?? '')) positions.set(name, position);
  };

  const drop = (): void => {
    const own = socket;
    if (!own) return;
    own.onclose = null;
    own.close();
    closed(1006);
  };

  const closed = (code: number): void => {
    socket = null;
    clearTimeout(watchdog);
    if (stopped) return;
    onState('offline');
    if (code === UNAUTHORIZED) return void signInAgain();
    again(TOO_MANY.includes(code) ? PATIENCE_MS : retry);
  };

  const again = (wait: number): void => {
    clearTimeout(timer);
    // Spread out, so that a thousand browsers do not return in the same moment.
    timer = setTimeout(connect, wait * (0.75 + Math.random() / 2));
    retry = Math.min(retry * 2, LAST_RETRY_MS);
  };

  const signInAgain = async (): Promise<void> => {
    const outcome = await renewSession(accessToken());
    if (stopped) return;
    if (outcome === 'ended') onSessionEnded();
    else again(retry);
  };

  const wake = (): void => {
    if (!document.hidden) connect();
  };

  connect();
  document.addEventListener('visibilitychange', wake);
  window.addEventListener('online', wake);
  return () => {
    stopped = true;
    clearTimeout(timer);
    clearTimeout(watchdog);
    document.removeEventListener('visibilitychange', wake);
    window.removeEventListener('online', wake);
    socket?.close();
    socket = null;
  };
}

function parse(data: unknown): ServerMessage | null {
  try {
    const message: unknown = JSON.parse(String(data));
    return typeof message === 'object' && message !== null && 'type' in message ? (message as ServerMessage) : null;
  } catch {
    return null;
  }
}

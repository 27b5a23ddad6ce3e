/** What happens to the session, for whoever has to follow it in this tab and in the others. */
import { callEach } from './listeners.ts';

const SESSION_EVENTS = [
  'initial_session',
  'signed_in',
  'signed_out',
  'token_refreshed',
  'user_updated',
  'password_recovery',
  'mfa_challenge_verified',
] as const;
export type SessionEvent = (typeof SESSION_EVENTS)[number];

/** `elsewhere`: in another tab. */
type Listener = (event: SessionEvent, elsewhere: boolean) => void;

const listeners = new Set<Listener>();

/** Opened when somebody listens; null in browsers without it, which have only what the tabs store. */
let channel: BroadcastChannel | null = null;

function open(): void {
  if (channel || !('BroadcastChannel' in globalThis)) return;
  channel = new BroadcastChannel('session_events');
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    const event = SESSION_EVENTS.find((each) => each === data);
    if (event) tell(event, true);
  };
}

const tell = (event: SessionEvent, elsewhere: boolean): void =>
  callEach(listeners, (listener) => listener(event, elsewhere));

/** The first session of a tab is its own; everything else concerns all tabs. */
export function raiseSessionEvent(event: SessionEvent): void {
  tell(event, false);
  if (event !== 'initial_session') channel?.postMessage(event);
}

/** Returns an unsubscribe function; the channel is closed with the last listener. */
export function onSessionEvent(listener: Listener): () => void {
  open();
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    channel?.close();
    channel = null;
  };
}

/**
 * While a shared page is open, the server reports over a socket when its link ends or shows more. Without a socket, the
 * page polls.
 */
import type { ClientMessage } from '../../../src/http/contract/realtime.ts';
import type { ShareStateResponse } from '../../../src/http/contract/share.ts';
import { CLOSE } from '../../../src/model/socket.ts';
import { callApi } from '../../api/call.ts';
import { lastingSocket, parseMessage, realtimeUrl, TIMEOUT_MS, TOO_MANY } from '../../api/socket.ts';

/** Polling interval without a socket. */
const ASK_EVERY_MS = 30_000;

export interface VisitListeners {
  readonly onEnded: () => void;
  /** Called for every report, changed or not. */
  readonly onState: (isPreview: boolean) => void;
}

/** Runs until the returned function is called, or the link has ended. */
export function visitShare(token: string, statePath: string, { onEnded, onState }: VisitListeners): () => void {
  const left = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const end = (): void => {
    stop();
    onEnded();
  };
  const ask = async (): Promise<void> => {
    const { failure, data } = await callApi({ path: statePath }, null, left.signal);
    if (left.signal.aborted) return;
    if (failure?.status === 404 || failure?.status === 400) end();
    else {
      if (!failure) onState((data as ShareStateResponse).isPreview);
      askLater();
    }
  };
  const askLater = (): void => {
    // Repeated socket failures must not postpone the poll.
    timer ??= setTimeout(() => {
      timer = undefined;
      // Hidden pages do not poll; the socket reconnects when the page becomes visible.
      if (document.hidden) askLater();
      else void ask();
    }, ASK_EVERY_MS);
  };
  const send = (message: ClientMessage): unknown => socket.send(JSON.stringify(message));
  const socket = lastingSocket({
    url: realtimeUrl(),
    // Tokens never appear in a URL.
    onOpen: () => send({ type: 'visit', token }),
    onMessage: (data) => {
      const message = parseMessage(data);
      if (message?.type === 'ended') end();
      else if (message?.type === 'ping') send({ type: 'pong' });
      else if (message?.type === 'visiting') {
        clearTimeout(timer);
        timer = undefined;
        socket.settled();
        onState(message.isPreview);
      }
    },
    onDown: async (code) => {
      if (code === CLOSE.gone) {
        end();
        return null;
      }
      askLater();
      return TOO_MANY.includes(code) ? TIMEOUT_MS : 0;
    },
    ping: () => send({ type: 'ping' }),
  });
  const stop = (): void => {
    left.abort();
    clearTimeout(timer);
    socket.close();
  };
  askLater();
  return stop;
}

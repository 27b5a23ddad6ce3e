/** Stands in for the browser's WebSocket; the test plays the server. */
import { act } from '@testing-library/react';
import { vi } from 'vitest';
import type { ClientMessage, ServerMessage } from '../../../src/http/contract/realtime.ts';

export class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  readonly sent: ClientMessage[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  readonly url: string;

  constructor(url: string) {
    this.url = url;
    FakeSocket.all.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as ClientMessage);
  }

  close(): void {
    this.readyState = 3;
  }

  opened(): void {
    this.readyState = FakeSocket.OPEN;
    this.onopen?.();
  }

  says(message: ServerMessage): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  breaks(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }
}

export function fakeSockets(): { readonly latest: () => FakeSocket; readonly count: () => number } {
  FakeSocket.all = [];
  vi.stubGlobal('WebSocket', FakeSocket);
  return {
    count: () => FakeSocket.all.length,
    latest: () => {
      const socket = FakeSocket.all.at(-1);
      if (!socket) throw new Error('no socket was opened');
      return socket;
    },
  };
}

/** Until the rows that have arrived are on the screen: the app applies them once a frame. */
export const nextFrame = (): Promise<void> =>
  act(() => new Promise<void>((resolve) => void requestAnimationFrame(() => resolve())));

/** Until 'subscribed' on every channel requested. */
export async function goLive(socket: FakeSocket): Promise<void> {
  await act(async () => {
    socket.opened();
    socket.says({ type: 'ready' });
    await vi.waitFor(() => {
      if (socket.sent.filter((message) => message.type === 'subscribe').length < 3)
        throw new Error('not subscribed yet');
    });
    for (const message of socket.sent) {
      if (message.type === 'subscribe')
        socket.says({ type: 'subscribed', channel: message.channel, position: message.since ?? '0'.repeat(20) });
    }
  });
}

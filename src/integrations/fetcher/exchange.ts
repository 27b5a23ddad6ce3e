/**
 * One request and its answer, without redirects, with the body as sent over the wire. Always ends in time and never
 * throws.
 */
import type { Dispatcher } from 'undici';
import { BodyBuffer } from './bodyBuffer.ts';
import { type Failure, failureOf } from './failures.ts';

export type ExchangeRequest = {
  readonly url: URL;
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Maximum bytes read from the wire. */
  readonly maxWireBytes: number;
  /** Truncate a longer body instead of failing. */
  readonly cut: boolean;
  /** Connecting and response headers; ms. */
  readonly headersMs: number;
  /** The whole exchange; ms. */
  readonly totalMs: number;
  readonly signal: AbortSignal | undefined;
  /** True if the body of an answer with this status and these headers is not needed. */
  readonly skipBody: (status: number, headers: Headers) => boolean;
};

export type Headers = Readonly<Record<string, readonly string[]>>;

export type Exchange =
  | {
      readonly ok: true;
      readonly status: number;
      readonly headers: Headers;
      readonly wire: Uint8Array;
      readonly cut: boolean;
      readonly ttfbMs: number;
    }
  | ({ readonly ok: false; readonly answered: boolean } & Failure);

/** An unneeded body is read and discarded up to this size, so that the connection can be reused. */
const SKIP_BYTES = 64 * 1024;
/** Each piece of an answer costs the same however small it is. Servers send pieces of kilobytes. */
const MOST_PIECES = 4096;
const LEAST_OF_A_PIECE = 64;
/** Interim answers (100, 103). Servers send one or two, and no other limit counts them. */
const MOST_INTERIM = 100;
const ABANDONED = new Error('abandoned');

const TIMEOUT_HEADERS: Failure = { failure: 'timeout', message: 'The server did not answer in time.' };
const TIMEOUT_BODY: Failure = { failure: 'timeout', message: 'The answer did not arrive in time.' };
const TOO_LARGE: Failure = { failure: 'too_large', message: 'The answer is larger than the limit.' };
const TOO_MANY_PIECES: Failure = {
  failure: 'bad_response',
  message: 'The answer arrives in too many tiny pieces.',
};
const TOO_MANY_INTERIM: Failure = {
  failure: 'bad_response',
  message: 'The server sends interim answers only.',
};
const ABORTED: Failure = { failure: 'aborted', message: 'The request was stopped.' };

export function exchange(dispatcher: Dispatcher, request: ExchangeRequest, now: () => number): Promise<Exchange> {
  return new Promise((resolve) => {
    const running = new RunningExchange(request, now, resolve);
    try {
      dispatcher.dispatch(
        {
          origin: request.url.origin,
          path: request.url.pathname + request.url.search,
          method: request.method,
          headers: request.headers,
          ...(request.body === undefined ? {} : { body: request.body }),
        },
        running,
      );
    } catch (error) {
      running.fail(failureOf(error));
    }
  });
}

class RunningExchange implements Dispatcher.DispatchHandler {
  readonly #request: ExchangeRequest;
  readonly #now: () => number;
  readonly #resolve: (result: Exchange) => void;
  readonly #startedAt: number;
  readonly #body: BodyBuffer;
  readonly #onAbort = (): void => this.fail(ABORTED);
  #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | null = null;
  #settled = false;
  #sentAt: number;
  #answer: { status: number; headers: Headers; ttfbMs: number; skip: boolean } | null = null;
  #size = 0;
  #pieces = 0;
  #interim = 0;

  constructor(request: ExchangeRequest, now: () => number, resolve: (result: Exchange) => void) {
    this.#request = request;
    this.#body = new BodyBuffer(request.maxWireBytes);
    this.#now = now;
    this.#resolve = resolve;
    this.#startedAt = now();
    this.#sentAt = this.#startedAt;
    this.#timer = setTimeout(() => this.fail(TIMEOUT_HEADERS), Math.min(request.headersMs, request.totalMs));
    request.signal?.addEventListener('abort', this.#onAbort, { once: true });
    if (request.signal?.aborted) this.fail(ABORTED);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#sentAt = this.#now();
    if (this.#settled) controller.abort(ABANDONED);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    fields: Record<string, string | string[] | undefined>,
  ): void {
    if (this.#settled) return;
    // They precede the final one.
    if (status < 200) {
      this.#interim += 1;
      if (this.#interim > MOST_INTERIM) this.fail(TOO_MANY_INTERIM);
      return;
    }
    const headers = headersOf(fields);
    this.#answer = {
      status,
      headers,
      ttfbMs: this.#now() - this.#sentAt,
      skip: this.#request.skipBody(status, headers),
    };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => this.fail(TIMEOUT_BODY),
      Math.max(0, this.#request.totalMs - (this.#now() - this.#startedAt)),
    );
    const announced = Number(headers['content-length']?.[0] ?? 0);
    if (this.#request.method === 'HEAD') return;
    if (this.#answer.skip && announced > SKIP_BYTES) this.#finish(false, true);
    else if (!this.#answer.skip && !this.#request.cut && announced > this.#request.maxWireBytes) this.fail(TOO_LARGE);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled || !this.#answer) return;
    const room = this.#request.maxWireBytes - this.#size;
    this.#size += chunk.length;
    this.#pieces += 1;
    if (this.#pieces > MOST_PIECES && this.#size < this.#pieces * LEAST_OF_A_PIECE) this.fail(TOO_MANY_PIECES);
    else if (this.#answer.skip) {
      if (this.#size > SKIP_BYTES) this.#finish(false, true);
    } else if (chunk.length <= room) this.#body.add(chunk);
    else if (!this.#request.cut) this.fail(TOO_LARGE);
    else {
      this.#body.add(chunk.subarray(0, room));
      this.#size = this.#request.maxWireBytes;
      this.#finish(true, true);
    }
  }

  onResponseEnd(): void {
    if (this.#answer) this.#finish(false, false);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(failureOf(error));
  }

  onRequestUpgrade(): void {
    this.fail({ failure: 'bad_response', message: 'The server switched to another protocol.' });
  }

  fail(failure: Failure): void {
    this.#settle({ ok: false, answered: this.#answer !== null, ...failure }, true);
  }

  #finish(cut: boolean, abort: boolean): void {
    if (!this.#answer) return;
    const { status, headers, ttfbMs, skip } = this.#answer;
    const wire = skip ? new Uint8Array() : this.#body.whole();
    this.#settle({ ok: true, status, headers, wire, cut, ttfbMs }, abort);
  }

  #settle(result: Exchange, abort: boolean): void {
    if (this.#settled) return;
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#request.signal?.removeEventListener('abort', this.#onAbort);
    // First: whatever becomes of the connection, the request has ended.
    this.#resolve(result);
    if (abort) this.#controller?.abort(ABANDONED);
  }
}

function headersOf(fields: Record<string, string | string[] | undefined>): Headers {
  const headers: Record<string, readonly string[]> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || name === '__proto__') continue;
    headers[name.toLowerCase()] = Array.isArray(value) ? value : [value];
  }
  return headers;
}

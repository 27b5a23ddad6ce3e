/** A local server with the chat completions protocol that misbehaves on demand. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ChatRequest = {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly response_format?: {
    readonly type: string;
    readonly json_schema?: { readonly name: string; readonly strict: boolean; readonly schema: object };
  };
  readonly max_completion_tokens?: number;
  readonly max_tokens?: number;
};

/** The response to one request. */
export type Reply =
  | { readonly kind: 'answer'; readonly content: string; readonly finishReason?: string; readonly refusal?: string }
  | {
      readonly kind: 'error';
      readonly status: number;
      readonly error: { message: string; type: string; param?: string | null; code?: string | null };
      readonly headers?: Record<string, string>;
    }
  /** Accepts and never answers. */
  | { readonly kind: 'hang' }
  /** Sends headers and the first bytes, then stalls. */
  | { readonly kind: 'stall' }
  | { readonly kind: 'reset' }
  /** Closes the connection in the middle of the body. */
  | { readonly kind: 'cut'; readonly content: string }
  /** Any bytes as the whole body. */
  | {
      readonly kind: 'raw';
      readonly status?: number;
      readonly type: string;
      readonly body: string;
      readonly headers?: Record<string, string>;
    }
  /** A valid start, then filler up to this many bytes. */
  | { readonly kind: 'huge'; readonly bytes: number };

export type LlmServer = {
  /** Base URL with the version path. */
  readonly url: string;
  readonly requests: readonly { readonly body: ChatRequest; readonly authorization: string | undefined }[];
  /** Bytes of the last 'huge' response that the client read before it disconnected. */
  readonly hugeBytesSent: () => number;
  /** Replies for the next requests, in order; afterwards `otherwise` answers. */
  reply(...replies: readonly Reply[]): void;
  otherwise(answer: (request: ChatRequest) => Reply): void;
  /** Resolves when the n-th request (from 1) has arrived. */
  received(n: number): Promise<void>;
  close(): Promise<void>;
};

export function tooMany(headers: Record<string, string> = {}, code: string | null = 'rate_limit_exceeded'): Reply {
  return {
    kind: 'error',
    status: 429,
    error: { message: 'Rate limit reached for requests', type: 'requests', param: null, code },
    headers,
  };
}

export function serverError(status = 500): Reply {
  return {
    kind: 'error',
    status,
    error: {
      message: 'The server had an error while processing your request.',
      type: 'server_error',
      param: null,
      code: null,
    },
  };
}

export function answerWith(value: unknown): Reply {
  return { kind: 'answer', content: JSON.stringify(value) };
}

function completion(model: string, reply: Extract<Reply, { kind: 'answer' }>): string {
  return JSON.stringify({
    id: 'chatcmpl-local',
    object: 'chat.completion',
    created: 1_790_000_000,
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: reply.refusal ? null : reply.content, refusal: reply.refusal ?? null },
        logprobs: null,
        finish_reason: reply.finishReason ?? 'stop',
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  request.setEncoding('utf8');
  let text = '';
  for await (const part of request) text += part;
  return text;
}

/** Waits until the client has read everything written, or is gone. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}

export async function startLlmServer({ apiKey }: { readonly apiKey: string }): Promise<LlmServer> {
  const requests: { body: ChatRequest; authorization: string | undefined }[] = [];
  const queue: Reply[] = [];
  const waiting: { readonly n: number; readonly resolve: () => void }[] = [];
  let fallback: (request: ChatRequest) => Reply = () => serverError();
  let hugeBytes = 0;

  async function sendHuge(response: ServerResponse, bytes: number): Promise<void> {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(
      '{"id":"chatcmpl-local","object":"chat.completion","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"',
    );
    const part = 'x'.repeat(64 * 1024);
    hugeBytes = 0;
    while (hugeBytes < bytes && !response.destroyed) {
      hugeBytes += part.length;
      // Backpressure: sends only as fast as the client reads.
      if (!response.write(part)) await drained(response);
    }
    if (!response.destroyed) response.end('"}}]}');
  }

  function send(response: ServerResponse, reply: Reply, model: string): void {
    const json = { 'content-type': 'application/json' };
    switch (reply.kind) {
      case 'answer':
        response.writeHead(200, json).end(completion(model, reply));
        return;
      case 'error':
        response
          .writeHead(reply.status, { ...json, ...reply.headers })
          .end(JSON.stringify({ error: { param: null, code: null, ...reply.error } }));
        return;
      case 'hang':
        return;
      case 'stall':
        response.writeHead(200, json).write('{"id":"chatcmpl-local",');
        return;
      case 'reset':
        response.destroy();
        return;
      case 'cut': {
        const body = completion(model, { kind: 'answer', content: reply.content });
        response.writeHead(200, { ...json, 'content-length': Buffer.byteLength(body) });
        response.write(body.slice(0, Math.floor(body.length / 2)), () => response.destroy());
        return;
      }
      case 'raw':
        response.writeHead(reply.status ?? 200, { 'content-type': reply.type, ...reply.headers }).end(reply.body);
        return;
      case 'huge':
        void sendHuge(response, reply.bytes);
        return;
      default:
        reply satisfies never;
    }
  }

  const server = createServer(async (request, response) => {
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
      send(
        response,
        {
          kind: 'error',
          status: 404,
          error: { message: `Unknown request URL: ${request.method} ${request.url}.`, type: 'invalid_request_error' },
        },
        '',
      );
      return;
    }
    const text = await bodyOf(request);
    const { authorization } = request.headers;
    if (authorization !== `Bearer ${apiKey}`) {
      // Like real endpoints, the message repeats the key.
      const error = {
        message: `Incorrect API key provided: ${authorization}.`,
        type: 'invalid_request_error',
        code: 'invalid_api_key',
      };
      send(response, { kind: 'error', status: 401, error }, '');
      return;
    }
    const body = JSON.parse(text) as ChatRequest;
    requests.push({ body, authorization });
    for (const waiter of waiting) if (requests.length >= waiter.n) waiter.resolve();
    send(response, queue.shift() ?? fallback(body), body.model);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    hugeBytesSent: () => hugeBytes,
    reply: (...replies) => void queue.push(...replies),
    otherwise(answer) {
      fallback = answer;
    },
    received: (n) =>
      requests.length >= n ? Promise.resolve() : new Promise((resolve) => waiting.push({ n, resolve })),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

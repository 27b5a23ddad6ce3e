/**
 * One question to an OpenAI-compatible endpoint, limited in time, attempts and size: returns an answer of the requested
 * shape or fails with a reason.
 */
import OpenAI, { APIConnectionError, APIError } from 'openai';
import * as z from 'zod';

export type Endpoint = {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
  /** Per attempt, ms. */
  readonly timeoutMs: number;
  readonly maxAttempts: number;
  /** For all attempts and the delays between them, ms. */
  readonly maxTotalMs: number;
  readonly maxOutputTokens: number;
  readonly maxAnswerBytes: number;
  /** Rejects when the signal aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Milliseconds. */
  readonly now: () => number;
};

export type Question<T> = {
  /** Name of the shape: letters and underscores. */
  readonly name: string;
  readonly shape: z.ZodType<T>;
  readonly system: string;
  readonly user: string;
  readonly signal?: AbortSignal | undefined;
  /** The caller's limit for all attempts; ms. */
  readonly budgetMs?: number | undefined;
  /** Default: the endpoint's. */
  readonly maxAttempts?: number;
  /** Called with each raw answer, usable or not. */
  readonly onAnswer?: (answer: RawAnswer) => void;
};

/** `text` is null if there is none; token counts are the endpoint's, null if it does not count. */
export type RawAnswer = {
  readonly text: string | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
};

/** Why there is no usable answer, as a readable sentence. Never contains the endpoint's text or the key. */
export class ModelFailure extends Error {
  /** The endpoint itself is the problem, so the next question would fail, too. */
  readonly endpoint: boolean;
  constructor(message: string, endpoint: boolean) {
    super(message);
    this.name = 'ModelFailure';
    this.endpoint = endpoint;
  }
}

/** How the shape is requested; not every endpoint supports every way. */
type Dialect = { schema: boolean; tokens: 'max_completion_tokens' | 'max_tokens' };
type Trouble = {
  readonly kind: 'again' | 'stop' | 'simpler';
  readonly text: string;
  readonly endpoint: boolean;
  readonly waitMs?: number;
};

const LONGEST_WAIT_MS = 60_000;

const Completion = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
});

const Tokens = z.number().int().nonnegative().nullish().catch(null);
const Usage = z.object({ usage: z.object({ prompt_tokens: Tokens, completion_tokens: Tokens }).nullish().catch(null) });

function rawAnswer(answer: unknown): RawAnswer {
  const usage = Usage.safeParse(answer).data?.usage;
  const text = Completion.safeParse(answer).data?.choices[0]?.message.content ?? null;
  return { text, inputTokens: usage?.prompt_tokens ?? null, outputTokens: usage?.completion_tokens ?? null };
}

class AnswerTooLong extends Error {}

/** The global fetch without redirects, which could send the text elsewhere, and with a size limit on the answer. */
function boundedFetch(maxBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'error' });
    if (!response.body) return response;
    let bytes = 0;
    const bound = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > maxBytes) controller.error(new AnswerTooLong());
        else controller.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(bound), {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
  };
}

/** `Retry-After` in ms: seconds or a date. */
function retryAfter(error: APIError, now: number): number | undefined {
  const value = error.headers?.get('retry-after');
  if (!value) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

function refusal(error: APIError, dialect: Dialect, now: number): Trouble {
  const status = error.status ?? 0;
  const detail = `${error.message} ${error.param ?? ''}`;
  if (status === 429 && error.code === 'insufficient_quota')
    return { kind: 'stop', text: 'The language model’s quota is used up.', endpoint: true };
  if (status === 429) {
    const waitMs = retryAfter(error, now);
    return {
      kind: 'again',
      text: 'The language model had too many requests.',
      endpoint: true,
      ...(waitMs === undefined ? {} : { waitMs }),
    };
  }
  if (status >= 500 || status === 408)
    return { kind: 'again', text: `The language model’s server failed (${status}).`, endpoint: true };
  if (status === 400 || status === 422) {
    if (dialect.tokens === 'max_completion_tokens' && /max_completion_tokens/i.test(detail))
      return { kind: 'simpler', text: 'tokens', endpoint: false };
    if (dialect.schema && /response_format|json_?schema|structured/i.test(detail))
      return { kind: 'simpler', text: 'schema', endpoint: false };
    return { kind: 'stop', text: `The language model refused the request (${status}).`, endpoint: false };
  }
  if (status === 401 || status === 403)
    return { kind: 'stop', text: `The language model refused the key (${status}).`, endpoint: true };
  if (status === 404)
    return { kind: 'stop', text: 'The language model was not found at its address (404).', endpoint: true };
  return { kind: 'stop', text: `The language model refused the request (${status}).`, endpoint: false };
}

function troubleOf(error: unknown, timedOut: boolean, dialect: Dialect, now: number): Trouble {
  if (timedOut) return { kind: 'again', text: 'The language model did not answer in time.', endpoint: true };
  if (error instanceof ModelFailure) return { kind: 'again', text: error.message, endpoint: false };
  if (error instanceof AnswerTooLong)
    return { kind: 'stop', text: 'The language model’s answer was too long.', endpoint: false };
  if (error instanceof APIConnectionError)
    return { kind: 'again', text: 'The language model could not be reached.', endpoint: true };
  if (error instanceof APIError && error.status !== undefined) return refusal(error, dialect, now);
  return { kind: 'again', text: 'The language model’s answer was interrupted or could not be read.', endpoint: false };
}

/** Parses the text between the first and the last brace: some models wrap JSON in prose or a code block. */
function readAnswer<T>(answer: unknown, shape: z.ZodType<T>): T {
  const unusable = new ModelFailure('The language model’s answer could not be used.', false);
  const completion = Completion.safeParse(answer);
  const choice = completion.data?.choices[0];
  if (choice?.finish_reason === 'length') throw new ModelFailure('The language model’s answer was cut off.', false);
  if (choice?.message.refusal) throw new ModelFailure('The language model refused to answer.', false);
  const text = choice?.message.content ?? '';
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')];
  if (from < 0 || to < from) throw unusable;
  let value: unknown;
  try {
    value = JSON.parse(text.slice(from, to + 1));
  } catch {
    throw unusable;
  }
  const parsed = shape.safeParse(value);
  if (!parsed.success) throw unusable;
  return parsed.data;
}

function request<T>(
  endpoint: Endpoint,
  question: Question<T>,
  dialect: Dialect,
): OpenAI.ChatCompletionCreateParamsNonStreaming {
  const { $schema: _, ...schema } = z.toJSONSchema(question.shape);
  const user = dialect.schema
    ? question.user
    : `${question.user}\n\nAnswer with one JSON object of this JSON schema and nothing else:\n${JSON.stringify(schema)}`;
  return {
    model: endpoint.model,
    messages: [
      { role: 'system', content: question.system },
      { role: 'user', content: user },
    ],
    [dialect.tokens]: endpoint.maxOutputTokens,
    response_format: dialect.schema
      ? { type: 'json_schema', json_schema: { name: question.name, strict: true, schema } }
      : { type: 'json_object' },
  };
}

/** @throws ModelFailure; the signal's reason when aborted */
export type Complete = <T>(question: Question<T>) => Promise<T>;

export function createCompletion(endpoint: Endpoint): Complete {
  const client = new OpenAI({
    baseURL: endpoint.baseUrl,
    apiKey: endpoint.apiKey,
    adminAPIKey: null,
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: endpoint.timeoutMs + 5_000,
    logLevel: 'off',
    fetch: boundedFetch(endpoint.maxAnswerBytes),
  });
  // Remembers what the endpoint does not support, so that it is not requested again.
  const dialect: Dialect = { schema: true, tokens: 'max_completion_tokens' };

  /** One attempt, with its own timeout. */
  async function attempt<T>(
    question: Question<T>,
    timeoutMs: number,
  ): Promise<{ readonly answer: T } | { readonly trouble: Trouble }> {
    const stop = new AbortController();
    const done = new AbortController();
    void endpoint.sleep(timeoutMs, done.signal).then(
      () => stop.abort(),
      () => undefined,
    );
    const signal = question.signal ? AbortSignal.any([stop.signal, question.signal]) : stop.signal;
    try {
      const answer: unknown = await client.chat.completions.create(request(endpoint, question, dialect), { signal });
      question.onAnswer?.(rawAnswer(answer));
      return { answer: readAnswer(answer, question.shape) };
    } catch (error) {
      question.signal?.throwIfAborted();
      return { trouble: troubleOf(error, stop.signal.aborted, dialect, endpoint.now()) };
    } finally {
      done.abort();
    }
  }

  return async (question) => {
    const deadline = endpoint.now() + Math.min(endpoint.maxTotalMs, question.budgetMs ?? endpoint.maxTotalMs);
    for (let tries = 1; ; ) {
      question.signal?.throwIfAborted();
      const outcome = await attempt(question, Math.max(1, Math.min(endpoint.timeoutMs, deadline - endpoint.now())));
      if ('answer' in outcome) return outcome.answer;
      const { kind, text, endpoint: atEndpoint, waitMs } = outcome.trouble;
      if (kind === 'simpler') {
        if (text === 'tokens') dialect.tokens = 'max_tokens';
        else dialect.schema = false;
        continue;
      }
      const wait = waitMs ?? (atEndpoint ? 1000 * 2 ** (tries - 1) : 0);
      const tooLate = wait > LONGEST_WAIT_MS || endpoint.now() + wait >= deadline;
      if (kind === 'stop' || tries >= (question.maxAttempts ?? endpoint.maxAttempts) || tooLate) {
        throw new ModelFailure(tries === 1 ? text : `${text} (${tries} tries)`, atEndpoint);
      }
      tries += 1;
      if (wait > 0) await endpoint.sleep(wait, question.signal);
    }
  };
}

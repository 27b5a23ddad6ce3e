/** The server of the Model Context Protocol for one request, or for one connection: it lists and calls tools. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  acceptedContent,
  type CallToolResult,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  isInputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { ascending } from '../../model/order.ts';
import type { ApiKeyScope } from '../../model/programs.ts';
import { HttpError, issuesOf, UNEXPECTED_TEXT } from '../request/errors.ts';
import { getChecks } from '../routes/checks.ts';
import { getJobs } from '../routes/jobs.ts';
import { type CallRoute, RouteRefusal } from './callRoute.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { PROMPTS } from './prompts.ts';
import { RESOURCE_TEMPLATES, RESOURCES, readResource } from './resources.ts';
import { TOOLS } from './tools/all.ts';
import type { Reply, Tool, ToolContext } from './tools/tool.ts';

export type Outcome = 'answered' | 'refused' | 'failed';

export type AssistantParts = {
  readonly version: string;
  /** Names of tools that are not there. */
  readonly without?: ReadonlySet<string>;
  readonly era: 'legacy' | 'modern';
  /** Aborted when the client is gone. Default: the library's signal, which also knows of calls that are withdrawn. */
  readonly gone?: AbortSignal;
  /** Called before a resource of that many characters is sent; tools answer with less. @throws HttpError */
  readonly sends?: (chars: number) => void;
  /** `signal`: aborted when nobody waits for the answer. */
  readonly callsFor: (signal: AbortSignal) => CallRoute;
  /** Null: only the routes know. */
  readonly scope: ApiKeyScope | null;
  /** Identifies who calls: a question that one was asked is not answered by another. */
  readonly callerId: string;
  /** At least 32 bytes, the same in all processes. */
  readonly stateKey: Uint8Array;
  /** Null while too many calls of the same caller wait; otherwise what ends this one. */
  readonly takeWait: (signal: AbortSignal) => (() => void) | null;
  readonly newId: () => string;
  readonly called: (tool: string, outcome: Outcome) => void;
  readonly failed: (error: unknown) => void;
};

const HOUR_MS = 3_600_000;
const LISTS = { ttlMs: HOUR_MS, cacheScope: 'public' } as const;
const POLL_MS = 1_000;
const COMPLETIONS_MAX = 50;
const ARGUMENT_MAX = 2_000;

/** Converted once: the conversion costs more than a call. */
const LISTED_TOOLS = TOOLS.map(({ name, title, description, input, annotations }) => {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: 'input' });
  return { name, title, description, inputSchema: inputSchema as { type: 'object' }, annotations };
});
const TOOL_BY_NAME: ReadonlyMap<string, Tool> = new Map(TOOLS.map((each) => [each.name, each]));

const NONE: ReadonlySet<string> = new Set();

/** What was asked, in the state that comes back with the answer. */
type Asked = { readonly about: string; readonly key: string };

export function createAssistantServer(parts: AssistantParts): Server {
  const { version, era, callerId, without = NONE } = parts;
  const codec = createRequestStateCodec<Asked>({ key: parts.stateKey, bind: () => callerId });
  const server = new Server(
    { name: 'seo-audit-workbench', title: 'SEO audit', version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
      instructions: INSTRUCTIONS,
      cacheHints: {
        'tools/list': LISTS,
        'prompts/list': LISTS,
        'resources/list': LISTS,
        'resources/templates/list': LISTS,
        'server/discover': LISTS,
      },
      requestState: { verify: (state, ctx) => codec.verify(state, ctx) },
      inputRequired: { legacyShim: false },
    },
  );
  const signalOf = ({ mcpReq: { signal } }: ServerContext): AbortSignal => parts.gone ?? signal;
  const callOf = (ctx: ServerContext): CallRoute => parts.callsFor(signalOf(ctx));
  const contextOf = (ctx: ServerContext): ToolContext => ({
    call: callOf(ctx),
    signal: signalOf(ctx),
    scope: parts.scope,
    ask: ({ message, about }) => {
      const canAsk = era === 'modern' && server.getClientCapabilities()?.elicitation !== undefined;
      return canAsk ? ask(codec, ctx, { message, about: digestOf(about), key: parts.newId() }) : CANNOT;
    },
    progress: (percent, message) => notifyProgress(ctx, percent, message),
    until: (seconds, read, isDone) => readUntil(parts, signalOf(ctx), { seconds, read, isDone }),
  });

  server.setRequestHandler('tools/list', () => ({ tools: LISTED_TOOLS.filter(({ name }) => !without.has(name)) }));
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const called = TOOL_BY_NAME.get(params.name);
    if (!called || without.has(params.name))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name.slice(0, 100)}`);
    return callTool(called, params.arguments ?? {}, { parts, context: contextOf(ctx) });
  });
  server.setRequestHandler('prompts/list', () => ({
    prompts: PROMPTS.map(({ text: _, arguments: taken, ...prompt }) => ({ ...prompt, arguments: [...taken] })),
  }));
  server.setRequestHandler('prompts/get', ({ params }) => promptOf(params.name, params.arguments ?? {}));
  server.setRequestHandler('resources/list', () => ({ resources: [...RESOURCES] }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [...RESOURCE_TEMPLATES] }));
  server.setRequestHandler('resources/read', async ({ params }, ctx) => {
    const read = async () => {
      const found = await readResource(params.uri, callOf(ctx));
      for (const { text } of found?.contents ?? []) parts.sends?.(text.length);
      return found;
    };
    const found = await read().catch((error: unknown) =>
      error instanceof RouteRefusal && error.status === 404 ? null : refuseAsProtocol(parts, error),
    );
    if (found === null) throw new ResourceNotFoundError(params.uri);
    return found;
  });
  server.setRequestHandler('completion/complete', async ({ params }, ctx) => {
    const call = callOf(ctx);
    const all = await completionsOf(params.argument.name, call).catch((error: unknown) =>
      refuseAsProtocol(parts, error),
    );
    const values = all.filter((each) => each.startsWith(params.argument.value));
    return {
      completion: {
        values: values.slice(0, COMPLETIONS_MAX),
        total: values.length,
        hasMore: values.length > COMPLETIONS_MAX,
      },
    };
  });
  return server;
}

/** Where there is no tool that could answer with an error. */
function refuseAsProtocol({ failed }: AssistantParts, error: unknown): never {
  const known = knownError(error);
  if (known) throw new ProtocolError(ProtocolErrorCode.InvalidRequest, known.message, { code: known.code });
  failed(error);
  throw new ProtocolError(ProtocolErrorCode.InternalError, UNEXPECTED_TEXT);
}

type Calling = { readonly parts: AssistantParts; readonly context: ToolContext };

async function callTool(
  called: Tool,
  given: unknown,
  { parts, context }: Calling,
): Promise<CallToolResult | InputRequiredResult> {
  const input = called.input.safeParse(given);
  if (!input.success) {
    parts.called(called.name, 'refused');
    const issues = issuesOf(input.error).slice(0, 10);
    const message = issues.map(({ path, message }) => `${path || 'arguments'}: ${message.slice(0, 200)}`).join('; ');
    return refusal({ code: 'INVALID_INPUT', message, next: 'Correct the arguments and call again.' });
  }
  try {
    const result = await called.run(input.data as never, context);
    parts.called(called.name, 'answered');
    return isInputRequiredResult(result) ? result : answer(result as Record<string, unknown>);
  } catch (error) {
    // Nobody reads an answer.
    if (context.signal.aborted) throw error;
    const known = knownError(error);
    parts.called(called.name, known ? 'refused' : 'failed');
    if (known) return refusal(known);
    parts.failed(error);
    return refusal({ code: 'UNEXPECTED', message: UNEXPECTED_TEXT, next: '' });
  }
}

type Refusal = {
  readonly code: string;
  readonly message: string;
  readonly next: string;
  readonly retry_after_seconds?: number;
};

/** Null: a fault of ours. */
function knownError(error: unknown): Refusal | null {
  if (error instanceof HttpError) return { code: error.code, message: error.message, next: NEXT[error.code] ?? '' };
  if (!(error instanceof RouteRefusal) || error.status === 500) return null;
  const { code = 'REFUSED', issues = [] } = error.body;
  const details = issues.map(({ path, message }) => `${path}: ${message}`).join('; ');
  const message =
    details === '' || details.includes(error.message) ? details || error.message : `${error.message} (${details})`;
  return {
    code,
    message: message.slice(0, 1_000),
    next: NEXT[code] ?? '',
    ...(error.retryAfter === undefined ? {} : { retry_after_seconds: Number(error.retryAfter) }),
  };
}

/** What an assistant can do about it, by the codes of the API. */
const NEXT: Readonly<Record<string, string>> = {
  JOB_NOT_FOUND: 'Use an audit_id that list_audits shows.',
  ACTION_NOT_FOUND: 'Use a task_id that list_tasks shows, with its audit_id.',
  PAGE_NOT_FOUND: 'Use an address as query_pages shows it.',
  CHECK_NOT_FOUND: 'Use the check that list_findings names.',
  FINDINGS_NOT_FOUND: 'Call get_audit with wait_seconds until done is true.',
  JOB_NOT_FINISHED: 'Call get_audit with wait_seconds until done is true.',
  INVALID_CURSOR: 'Start again without a cursor, or keep the same arguments.',
  INVALID_URL: 'Pass a public address, such as https://example.com/.',
  API_KEY_READ_ONLY: 'Ask the user for an API key with the scope "write".',
  API_KEY_REPORTS_ONLY: 'Ask the user for an API key with the scope "read" or "write".',
  INSUFFICIENT_CREDITS: 'Tell the user; only they can get more audits.',
  RATE_LIMITED: 'Wait as many seconds as retry_after_seconds says.',
  NOT_COMPARABLE: 'Name another audit of the same site as with.',
  IDEMPOTENCY_KEY_REUSED: 'Use a new idempotency_key.',
  EMAIL_NOT_CONFIRMED: 'Ask the user to confirm the email address of the account.',
};

const answer = (result: Record<string, unknown>): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(result) }],
  structuredContent: result,
});

const refusal = (error: Refusal): CallToolResult => ({ ...answer({ error }), isError: true });

function promptOf(name: string, given: Readonly<Record<string, string>>) {
  const prompt = PROMPTS.find((each) => each.name === name);
  if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${name.slice(0, 100)}`);
  const missing = prompt.arguments.find((each) => each.required && !given[each.name]);
  if (missing) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The prompt needs ${missing.name}`);
  const taken = Object.fromEntries(
    prompt.arguments.map((each) => [each.name, (given[each.name] ?? '').slice(0, ARGUMENT_MAX)]),
  );
  const content = { type: 'text' as const, text: prompt.text(taken) };
  return { description: prompt.description, messages: [{ role: 'user' as const, content }] };
}

/** Values that an argument can have, by its name. */
async function completionsOf(argument: string, call: CallRoute): Promise<readonly string[]> {
  if (argument === 'check') return (await call(getChecks)).data.map(({ id }) => id);
  if (argument !== 'site' && argument !== 'audit_id') return [];
  const { data } = await call(getJobs);
  const jobs = [...data.active, ...data.completed];
  return argument === 'audit_id'
    ? jobs.map(({ id }) => id)
    : [...new Set(jobs.map(({ host }) => host))].sort(ascending);
}

const CANNOT = Promise.resolve({ is: 'cannot' } as const);
const CONFIRM = 'confirm';
const CONFIRM_SCHEMA = {
  type: 'object' as const,
  properties: { [CONFIRM]: { type: 'boolean' as const, title: 'Use up an audit' } },
  required: [CONFIRM],
};

/** Asks, or takes the answer that came with the question's own state. */
async function ask(
  codec: ReturnType<typeof createRequestStateCodec<Asked>>,
  ctx: ServerContext,
  { message, about, key }: Asked & { readonly message: string },
): Promise<Reply> {
  const asked = ctx.mcpReq.requestState<Asked>();
  const given = inputResponse(ctx.mcpReq.inputResponses, CONFIRM);
  if (asked && asked.about === about && given.kind === 'elicit') {
    const content = acceptedContent(ctx.mcpReq.inputResponses, CONFIRM);
    return content?.[CONFIRM] === true ? { is: 'yes', key: asked.key } : { is: 'no' };
  }
  return {
    is: 'asked',
    result: inputRequired({
      inputRequests: { [CONFIRM]: inputRequired.elicit({ message, requestedSchema: CONFIRM_SCHEMA }) },
      requestState: await codec.mint({ about, key }, ctx),
    }),
  };
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

async function notifyProgress(ctx: ServerContext, progress: number, message: string): Promise<void> {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return;
  await ctx.mcpReq.notify({
    method: 'notifications/progress',
    params: { progressToken, progress, total: 100, message },
  });
}

async function readUntil<T>(
  { takeWait }: AssistantParts,
  signal: AbortSignal,
  {
    seconds,
    read,
    isDone,
  }: { readonly seconds: number; readonly read: () => Promise<T>; readonly isDone: (value: T) => boolean },
): Promise<T> {
  let value = await read();
  if (seconds === 0 || isDone(value)) return value;
  const end = takeWait(signal);
  if (!end) return value;
  try {
    for (let left = (seconds * 1_000) / POLL_MS; left > 0 && !isDone(value); left -= 1) {
      await sleep(POLL_MS, undefined, { signal });
      value = await read();
    }
    return value;
  } finally {
    end();
  }
}

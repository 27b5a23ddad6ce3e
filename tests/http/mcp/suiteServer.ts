/** A server with the tools, resources and prompts that the conformance suite calls, to be mounted as the product's is. */
import { randomBytes } from 'node:crypto';
import {
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';
const FIXED = { listChanged: false };
const HINT = { ttlMs: 60_000, cacheScope: 'public' } as const;

const text = (value: string) => ({ type: 'text' as const, text: value });
const image = { type: 'image' as const, data: PIXEL, mimeType: 'image/png' };
const told = (...content: (ReturnType<typeof text> | typeof image)[]) => ({ content });
const resource = (uri: string, value: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType: 'text/plain', text: value },
});

const Named = z.object({ name: z.string() });
const asksFor = (message: string, requestedSchema: z.ZodObject) => inputRequired.elicit({ message, requestedSchema });
const samples = (question: string) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: question } }],
    maxTokens: 100,
  });

const codec = createRequestStateCodec<{ readonly step: number }>({ key: randomBytes(32), bind: () => 'the suite' });

/** Makes one for each request. */
export function createSuiteServer(): McpServer {
  const server = new McpServer(
    { name: 'suite', version: '1' },
    {
      // As the product's: what it lists does not change while it runs.
      capabilities: { tools: FIXED, resources: FIXED, prompts: FIXED, completions: {}, logging: {} },
      cacheHints: {
        'tools/list': HINT,
        'prompts/list': HINT,
        'resources/list': HINT,
        'resources/templates/list': HINT,
        'resources/read': HINT,
        'server/discover': HINT,
      },
      requestState: { verify: (state, ctx) => codec.verify(state, ctx) },
      inputRequired: { legacyShim: false },
    },
  );
  addTools(server);
  addQuestions(server);
  addResources(server);
  addPrompts(server);
  server.server.setRequestHandler('completion/complete', () => ({
    completion: { values: ['test'], total: 1, hasMore: false },
  }));
  return server;
}

/** Those that answer at once. */
function addTools(server: McpServer): void {
  const answers = (name: string, content: { content: object[] }): void => {
    server.registerTool(name, { description: name }, () => content as ReturnType<typeof told>);
  };
  answers('test_simple_text', told(text('This is a simple text response for testing.')));
  answers('test_image_content', told(image));
  answers('test_audio_content', { content: [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }] });
  answers('test_embedded_resource', { content: [resource('test://embedded', 'An embedded resource.')] });
  answers('test_multiple_content_types', { content: [text('Several.'), image, resource('test://mixed', 'A third.')] });
  server.registerTool('test_error_handling', { description: 'Fails' }, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  server.registerTool('test_tool_with_progress', { description: 'Tells how far it is' }, async (ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100])
      if (progressToken !== undefined)
        await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
    return told(text('Done'));
  });
  for (const name of ['test_logging_tool', 'test_tool_with_logging'])
    server.registerTool(name, { description: 'Logs' }, async (ctx) => {
      for (const at of ['started', 'processing', 'completed']) await ctx.mcpReq.log('info', `Tool ${at}`);
      return told(text('Logged'));
    });
}

const canDo = (server: McpServer) => server.server.getClientCapabilities() ?? {};

/** Those that ask the client first. */
function addQuestions(server: McpServer): void {
  const named = asksFor('What is your name?', Named);
  const askName = (ctx: ServerContext) => {
    const name = acceptedContent(ctx.mcpReq.inputResponses, 'user_name', Named);
    return name ? told(text(`Hello, ${name.name}!`)) : inputRequired({ inputRequests: { user_name: named } });
  };
  server.registerTool('test_input_required_result_elicitation', { description: 'Asks for a name' }, askName);
  server.registerTool('test_streaming_elicitation', { description: 'Asks for a name' }, askName);
  // The library itself refuses to ask a client that cannot answer.
  for (const name of ['test_input_required_result_sampling', 'test_missing_capability'])
    server.registerTool(name, { description: 'Asks a model' }, (ctx) => {
      const given = inputResponse(ctx.mcpReq.inputResponses, 'capital_question');
      return given.kind === 'sampling'
        ? told(text(JSON.stringify(given.result.content)))
        : inputRequired({ inputRequests: { capital_question: samples('What is the capital of France?') } });
    });
  server.registerTool('test_input_required_result_list_roots', { description: 'Asks for roots' }, (ctx) => {
    const given = inputResponse(ctx.mcpReq.inputResponses, 'client_roots');
    return given.kind === 'roots'
      ? told(text(given.roots.map(({ uri }) => uri).join(' ')))
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
  server.registerTool('test_input_required_result_capabilities', { description: 'Asks as it can' }, () => {
    const { elicitation, sampling, roots } = canDo(server);
    const inputRequests = {
      ...(elicitation ? { user_name: named } : {}),
      ...(sampling ? { greeting: samples('Write a greeting') } : {}),
      ...(roots ? { client_roots: inputRequired.listRoots() } : {}),
    };
    return Object.keys(inputRequests).length > 0 ? inputRequired({ inputRequests }) : told(text('Nobody to ask'));
  });
  const confirm = asksFor('Please confirm', z.object({ ok: z.boolean() }));
  for (const name of ['test_input_required_result_request_state', 'test_input_required_result_tampered_state'])
    server.registerTool(name, { description: 'Asks with a state' }, async (ctx) =>
      stepOf(ctx) === 1
        ? told(text('state-ok'))
        : inputRequired({ inputRequests: { confirm }, requestState: await codec.mint({ step: 1 }, ctx) }),
    );
  server.registerTool('test_input_required_result_multiple_inputs', { description: 'Asks three' }, async (ctx) =>
    stepOf(ctx) === 1
      ? told(text('All three'))
      : inputRequired({
          inputRequests: {
            user_name: named,
            greeting: samples('Write a greeting'),
            client_roots: inputRequired.listRoots(),
          },
          requestState: await codec.mint({ step: 1 }, ctx),
        }),
  );
  const color = asksFor('What is your favorite color?', z.object({ color: z.string() }));
  server.registerTool('test_input_required_result_multi_round', { description: 'Asks twice' }, async (ctx) => {
    const step = stepOf(ctx);
    if (step === 2) return told(text('Both'));
    const inputRequests = step === 0 ? { step1: named } : { step2: color };
    return inputRequired({ inputRequests, requestState: await codec.mint({ step: step + 1 }, ctx) });
  });
}

/** How often it was asked before. */
const stepOf = ({ mcpReq }: ServerContext): number => mcpReq.requestState<{ readonly step: number }>()?.step ?? 0;

function addResources(server: McpServer): void {
  const plain = { mimeType: 'text/plain' };
  server.registerResource('text', 'test://static-text', plain, ({ href }) => ({
    contents: [{ uri: href, ...plain, text: 'A text' }],
  }));
  const binary = { mimeType: 'image/png' };
  server.registerResource('binary', 'test://static-binary', binary, ({ href }) => ({
    contents: [{ uri: href, ...binary, blob: PIXEL }],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, plain, ({ href }, { id }) => ({
    contents: [{ uri: href, ...plain, text: JSON.stringify({ id, data: `Data for ID: ${id}` }) }],
  }));
}

function addPrompts(server: McpServer): void {
  const says = (...all: object[]) => ({
    messages: all.map((content) => ({ role: 'user' as const, content: content as ReturnType<typeof text> })),
  });
  server.registerPrompt('test_simple_prompt', { description: 'Says a text' }, () =>
    says(text('This is a simple prompt for testing.')),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'Shows a picture' }, () =>
    says(image, text('Look at it.')),
  );
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'Says what it is given', argsSchema: z.object({ arg1: z.string(), arg2: z.string() }) },
    ({ arg1, arg2 }) => says(text(`arg1='${arg1}', arg2='${arg2}'`)),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Says what it is given', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => says(resource(resourceUri, 'Embedded')),
  );
  const Context = z.object({ context: z.string() });
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks' }, (ctx) => {
    const given = acceptedContent(ctx.mcpReq.inputResponses, 'user_context', Context);
    return given
      ? says(text(given.context))
      : inputRequired({ inputRequests: { user_context: asksFor('What context should the prompt use?', Context) } });
  });
}

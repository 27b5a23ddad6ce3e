/** The official client of the Model Context Protocol, connected to the product. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { TestApp, TestUser } from './http.ts';

export const ERAS = ['legacy', 'modern'] as const;
export type Era = (typeof ERAS)[number];

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
type Told = any;

export type Assistant = {
  readonly client: Client;
  /** What a tool answers; fails if it is an error. */
  readonly call: (tool: string, args?: object) => Promise<Told>;
  /** The error that a tool answers; fails if it is none. */
  readonly refused: (tool: string, args?: object) => Promise<Told>;
  readonly close: () => Promise<void>;
};

export async function keyOf(user: TestUser, scope: 'read' | 'write' = 'write'): Promise<string> {
  const { body } = await user.call('POST', '/api/v1/api-keys', { name: 'Assistant', scope });
  return body.key;
}

/** `confirm`: what the user says when asked; without it, the client cannot ask. */
export async function connect(
  app: Pick<TestApp, 'url'>,
  key: string,
  { era = 'modern', confirm }: { readonly era?: Era; readonly confirm?: boolean } = {},
): Promise<Assistant> {
  const client = new Client(
    { name: 'test', version: '1' },
    {
      versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } },
      ...(confirm === undefined ? {} : { capabilities: { elicitation: { form: {} } } }),
    },
  );
  if (confirm !== undefined)
    client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { confirm } }));
  const transport = new StreamableHTTPClientTransport(new URL(`${app.url}/api/v1/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  await client.connect(transport);
  return assistantOf(client);
}

export function assistantOf(client: Client): Assistant {
  const ask = (name: string, args: object) => client.callTool({ name, arguments: args as Record<string, unknown> });
  return {
    client,
    call: async (name, args = {}) => {
      const { isError, structuredContent, content } = await ask(name, args);
      if (isError) throw new Error(`${name}: ${JSON.stringify(content)}`);
      return structuredContent;
    },
    refused: async (name, args = {}) => {
      const { isError, structuredContent } = await ask(name, args);
      if (!isError) throw new Error(`${name} was not refused: ${JSON.stringify(structuredContent)}`);
      return (structuredContent as Told).error;
    },
    close: () => client.close(),
  };
}

/**
 * Answers requests over HTTP by a server of the Model Context Protocol, made for each request: of the revision 2026-07-28,
 * and of those of 2025 without sessions.
 */
import { createMcpHandler, type McpServerFactory } from '@modelcontextprotocol/server';
import type { Mcp, McpRequest } from '../deps/mcp.ts';
import { API } from '../request/apiPrefix.ts';

const REVISION = '2026-07-28';
/** Read by the library alone. */
const ADDRESS = `http://localhost${API}/mcp`;
const PASSED_ON = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'] as const;

type Asked = {
  readonly era: 'legacy' | 'modern';
  /** Undefined: the installation asks itself whether it answers. */
  readonly request: McpRequest | undefined;
};

export type Mounted = Pick<Mcp, 'handle' | 'discover'>;

type Mounting = {
  /** Of the product. */
  readonly version: string;
  readonly refused: (error: Error) => void;
};

/** `serverFor`: runs with every request, so it should be cheap. `refused`: told of what the library does not accept. */
export function mountMcp(
  serverFor: (asked: Asked) => ReturnType<McpServerFactory>,
  { version, refused }: Mounting,
): Mounted {
  const handler = createMcpHandler(
    ({ era, authInfo }) => serverFor({ era, request: authInfo?.extra?.request as McpRequest | undefined }),
    { legacy: 'stateless', onerror: refused },
  );

  const fetched = (headers: Readonly<Record<string, string>>, body: unknown, request?: McpRequest): Promise<Response> =>
    // Without the request's signal, which costs the library more than the call: what is called listens to it itself.
    handler.fetch(new Request(ADDRESS, { method: 'POST', headers }), {
      parsedBody: body,
      ...(request
        ? {
            authInfo: { token: '', clientId: request.apiKey.keyId, scopes: [request.apiKey.scope], extra: { request } },
          }
        : {}),
    });

  return {
    handle: (request) => {
      const headers = PASSED_ON.flatMap((name) => {
        const value = request.headers[name];
        return value === undefined ? [] : [[name, value] as const];
      });
      return fetched(Object.fromEntries(headers), request.body, request);
    },
    discover: async () => {
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': REVISION,
        'io.modelcontextprotocol/clientCapabilities': {},
        'io.modelcontextprotocol/clientInfo': { name: 'monitor', version },
      };
      const response = await fetched(
        {
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          'mcp-protocol-version': REVISION,
          'mcp-method': 'server/discover',
        },
        { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta } },
      );
      const answer = (await response.json()) as {
        readonly result?: object;
        readonly error?: { readonly message: string };
      };
      if (!answer.result) throw new Error(answer.error?.message ?? `It answered ${response.status}.`);
    },
  };
}

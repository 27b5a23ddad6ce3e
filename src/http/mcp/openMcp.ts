/** Answers the requests of assistants over HTTP: of the revision 2026-07-28, and of those of 2025 without sessions. */
import { createHmac } from 'node:crypto';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Mcp, McpRequest } from '../deps/mcp.ts';
import { createDispatch, type DispatchDeps } from '../dispatch/dispatch.ts';
import { API } from '../request/apiPrefix.ts';
import { takeSlot } from '../request/slots.ts';
import { productGroup } from '../routes/productGroup.ts';
import { createAssistantServer, type Outcome } from './assistantServer.ts';
import { callsWithin } from './callRoute.ts';

/** Calls of one key that wait for an audit or a verification at once. */
const WAITING = 4;
const REVISION = '2026-07-28';
/** Read by the library alone. */
const ADDRESS = `http://localhost${API}/mcp`;
const PASSED_ON = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'] as const;

/** `called`: told of every call of a tool. */
export function openMcp(given: DispatchDeps, called: (tool: string, outcome: Outcome) => void): Omit<Mcp, 'calls'> {
  const { deps } = given;
  const dispatch = createDispatch(given, productGroup());
  const stateKey = createHmac('sha256', deps.sharing.secret).update('questions to assistants').digest();
  const handler = createMcpHandler(
    ({ era, authInfo }) => {
      const request = authInfo?.extra?.request as McpRequest | undefined;
      const keyId = request?.apiKey.keyId ?? '';
      return createAssistantServer({
        version: deps.config.version,
        era,
        scope: request?.apiKey.scope ?? null,
        ...(request ? { gone: request.signal, sends: request.sends } : {}),
        callerId: keyId,
        stateKey,
        newId: deps.newId,
        called,
        failed: (error) => deps.log.error({ err: error, requestId: request?.id }, 'a tool failed unexpectedly'),
        callsFor: (signal) =>
          callsWithin(dispatch, {
            requestId: request?.id ?? '',
            authorization: request?.headers.authorization ?? '',
            agent: request?.headers['user-agent'] ?? '',
            address: request?.address ?? '',
            signal,
          }),
        takeWait: (signal) => takeSlot(deps.readModels, `assistants of ${keyId}`, WAITING, signal),
      });
    },
    {
      legacy: 'stateless',
      onerror: (error) => deps.log.debug({ err: error }, 'a request of an assistant was refused'),
    },
  );

  const fetched = (headers: Readonly<Record<string, string>>, body: unknown, request?: McpRequest): Promise<Response> =>
    handler.fetch(new Request(ADDRESS, { method: 'POST', headers, ...(request ? { signal: request.signal } : {}) }), {
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
        'io.modelcontextprotocol/clientInfo': { name: 'monitor', version: deps.config.version },
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

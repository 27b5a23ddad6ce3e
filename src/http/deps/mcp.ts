/** The server for assistants, as the rest of the HTTP layer knows it. It is loaded when it is first needed. */
import type { Caller } from '../request/caller.ts';
import type { IncomingRequest } from '../request/exchange.ts';

/** From a program with an API key. `body`: the parsed JSON. */
export type McpRequest = Pick<IncomingRequest, 'id' | 'body' | 'headers' | 'address' | 'signal'> & {
  readonly apiKey: NonNullable<Caller['apiKey']>;
  /** Called before a text of that many characters is sent. @throws HttpError BUSY */
  readonly sends: (chars: number) => void;
};

/** Calls of a tool since the process started: `refused` with a reason that the assistant is told, `failed` by a fault. */
export type ToolCalls = { readonly answered: number; readonly refused: number; readonly failed: number };

export type Mcp = {
  /** Never rejects. The body may be a stream of events. */
  handle(request: McpRequest): Promise<Response>;
  /** Rejects, with the reason, if the server does not answer its own discovery. */
  discover(): Promise<void>;
  /** By the names of tools that were called. */
  calls(): ReadonlyMap<string, ToolCalls>;
  /** Writes what is still to be counted. */
  close(): Promise<void>;
};

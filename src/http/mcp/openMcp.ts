/** The product's own server for assistants. */
import { createHmac } from 'node:crypto';
import type { Mcp } from '../deps/mcp.ts';
import { createDispatch, type DispatchDeps } from '../dispatch/dispatch.ts';
import { takeSlot } from '../request/slots.ts';
import { productGroup } from '../routes/productGroup.ts';
import { createAssistantServer, type Outcome } from './assistantServer.ts';
import { callsWithin } from './callRoute.ts';
import { mountMcp } from './mountMcp.ts';

/** Calls of one key that wait for an audit or a verification at once. */
const WAITING = 4;

/** `called`: told of every call of a tool. */
export function openMcp(given: DispatchDeps, called: (tool: string, outcome: Outcome) => void): Omit<Mcp, 'calls'> {
  const { deps } = given;
  const dispatch = createDispatch(given, productGroup());
  const stateKey = createHmac('sha256', deps.sharing.secret).update('questions to assistants').digest();
  return mountMcp(
    ({ era, request }) => {
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
      version: deps.config.version,
      refused: (error) => deps.log.debug({ err: error }, 'a request of an assistant was refused'),
    },
  );
}

/** The product's own server for assistants. */
import { createHmac } from 'node:crypto';
import { createDispatch, type DispatchDeps } from '../dispatch/dispatch.ts';
import { takeSlot } from '../request/slots.ts';
import { productGroup } from '../routes/productGroup.ts';
import { createAssistantServer, type Outcome } from './assistantServer.ts';
import { callsWithin } from './callRoute.ts';
import { type Mounted, mountMcp } from './mountMcp.ts';

/** Calls of one key that wait for an audit or a verification at once. */
const WAITING = 4;

type Called = (tool: string, outcome: Outcome, keyId: string) => void;

/** `called`: told of every call of a tool. */
export function openMcp(given: DispatchDeps, called: Called): Mounted {
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
        called: (tool, outcome) => called(tool, outcome, keyId),
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

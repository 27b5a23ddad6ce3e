/** Requests of a user of the storm, repeated under the same key until they are decided. */
import { setTimeout as wait } from 'node:timers/promises';
import { ask, type Outcome, type Request } from '../history/historyApi.ts';
import type { Random } from '../random.ts';

type Wish = Omit<Request, 'address' | 'token' | 'timeoutMs'>;

export type Decide = {
  /** Whatever the decision. */
  decided(request: Wish): Promise<Outcome>;
  /** @throws when it is refused */
  done(request: Wish): Promise<Outcome['body']>;
};

/** Timeout of one attempt, ms. */
const TRY_MS = 30_000;
const AGAIN_MS = 200;
const MOST_AGAIN_MS = 5_000;
/** Longer than any outage, ms. */
const TIMEOUT_MS = 180_000;

type Of = {
  readonly url: () => string | null;
  readonly random: Random;
  readonly address: string;
  readonly token: () => string | undefined;
};

export function decider({ url, random, address, token }: Of): Decide {
  /** Also after an answer to come back later. */
  async function decided(request: Wish): Promise<Outcome> {
    const key = random.hex();
    const end = Date.now() + TIMEOUT_MS;
    for (;;) {
      const to = url();
      const answer =
        to === null ? null : await ask(to, { ...request, key, address, token: token(), timeoutMs: TRY_MS });
      if (answer && answer.outcome !== 'unknown' && answer.status !== 429) return answer;
      if (Date.now() > end)
        throw new Error(
          `${request.method} ${request.path} was not decided within ${TIMEOUT_MS} ms: ${answer?.status} ${answer?.code}`,
        );
      await wait(Math.min(answer?.retryAfterMs ?? AGAIN_MS, MOST_AGAIN_MS));
    }
  }
  return {
    decided,
    async done(request) {
      const answer = await decided(request);
      if (answer.outcome !== 'ok')
        throw new Error(
          `${request.method} ${request.path} from ${address} was refused: ${answer.status} ${answer.code}`,
        );
      return answer.body;
    },
  };
}

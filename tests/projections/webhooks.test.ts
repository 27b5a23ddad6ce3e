import { describe, expect, it } from 'vitest';
import type { WebhookDeliveryEvent, WebhooksEvent } from '../../src/domain/webhooks/events.ts';
import { webhooks } from '../../src/projections/webhooks.ts';
import { project } from '../given/stores/projection.ts';

type Taken = WebhooksEvent | Extract<WebhookDeliveryEvent, { readonly type: 'WebhookTried' | 'WebhookForgotten' }>;

const at = (second: number): string => `2026-03-01T00:00:${String(second).padStart(2, '0')}.000Z`;
const ids = { endpointId: 'endpoint-1', userId: 'user-1' };
const added: Taken = {
  type: 'WebhookAdded',
  data: { ...ids, url: 'https://hooks.example.com/', events: ['job.completed'], addedAt: at(0) },
};
const failing = (second: number): Taken => ({ type: 'WebhookFailing', data: { ...ids, failingSince: at(second) } });
const recovered = (second: number): Taken => ({ type: 'WebhookRecovered', data: { ...ids, recoveredAt: at(second) } });
const tried = (second: number, ok: boolean): Taken => ({
  type: 'WebhookTried',
  data: {
    deliveryId: 'd',
    endpointId: 'endpoint-1',
    attempt: 1,
    ok,
    status: null,
    ms: 1,
    error: null,
    triedAt: at(second),
    nextTryAt: null,
  },
});
const forgotten = (arrivedAt?: string, endpointId = 'endpoint-1'): Taken => ({
  type: 'WebhookForgotten',
  data: { deliveryId: 'd', endpointId, ...(arrivedAt === undefined ? {} : { arrivedAt }), forgottenAt: at(59) },
});
const standing = (...events: readonly Taken[]) => {
  const { last_success_at, failing_since } = project(webhooks, added, ...events)['endpoint-1'] ?? {};
  return { last_success_at, failing_since };
};

describe('a webhook', () => {
  it('has the start of its failures as in its own stream, and the last delivery', () => {
    expect(standing()).toEqual({ last_success_at: null, failing_since: null });
    expect(standing(tried(1, true))).toEqual({ last_success_at: at(1), failing_since: null });
    expect(standing(tried(1, true), tried(2, false), failing(2), tried(3, false))).toEqual({
      last_success_at: at(1),
      failing_since: at(2),
    });
    expect(standing(tried(2, false), failing(2), tried(4, true), recovered(4))).toEqual({
      last_success_at: at(4),
      failing_since: null,
    });
    expect(
      standing(failing(2), { type: 'WebhookEnabled', data: { ...ids, enabledAt: at(3) } }).failing_since,
    ).toBeNull();
  });

  it('has the same after deliveries to it were deleted', () => {
    expect(standing(forgotten(at(1)), failing(2))).toEqual(
      standing(tried(1, true), tried(2, false), failing(2), forgotten(at(1))),
    );
    // The older one is deleted last.
    expect(standing(forgotten(at(5)), forgotten(at(1))).last_success_at).toBe(at(5));
    expect(standing(forgotten())).toEqual({ last_success_at: null, failing_since: null });
    // With its account: the webhook is no longer named.
    expect(standing(forgotten(at(5), '')).last_success_at).toBeNull();
    expect(project(webhooks, forgotten(at(5)))).toEqual({});
  });
});

import { describe, it } from 'vitest';
import type { WebhooksEvent } from '../../../src/domain/webhooks/events.ts';
import { type WebhooksCommand, webhooksDecider } from '../../../src/domain/webhooks/webhooks.ts';
import { specOf } from '../../given/decider.ts';

const given = specOf(webhooksDecider);
const at = (second: number): string => `2026-03-01T00:00:${String(second).padStart(2, '0')}.000Z`;
const ids = { endpointId: 'endpoint-1', userId: 'user-1' };
const added: WebhooksEvent = {
  type: 'WebhookAdded',
  data: { ...ids, url: 'https://hooks.example.com/', events: ['job.completed'], addedAt: at(0) },
};
const enabled = (second: number): WebhooksEvent => ({
  type: 'WebhookEnabled',
  data: { ...ids, enabledAt: at(second) },
});
const failing = (second: number): WebhooksEvent => ({
  type: 'WebhookFailing',
  data: { ...ids, failingSince: at(second) },
});
const recovered = (second: number): WebhooksEvent => ({
  type: 'WebhookRecovered',
  data: { ...ids, recoveredAt: at(second) },
});
const tried = (second: number, ok: boolean): WebhooksCommand => ({ type: 'NoteTry', ...ids, ok, triedAt: at(second) });

describe('a webhook', () => {
  it('records the first failed attempt once, and its recovery with the first that arrives', () => {
    given(added).when(tried(1, true)).thenNothing();
    given(added).when(tried(1, false)).then(failing(1));
    given(added, failing(1)).when(tried(2, false)).thenNothing();
    given(added, failing(1)).when(tried(2, true)).then(recovered(2));
    given(added, failing(1), recovered(2)).when(tried(3, true)).thenNothing();
    given(added, failing(1), recovered(2)).when(tried(3, false)).then(failing(3));
  });

  it('starts over when its owner enables it', () => {
    const off: WebhooksEvent = { type: 'WebhookDisabled', data: { ...ids, reason: 'failing', disabledAt: at(2) } };
    given(added, failing(1), off, enabled(3)).when(tried(4, true)).thenNothing();
    given(added, failing(1), off, enabled(3)).when(tried(4, false)).then(failing(4));
  });

  it('ignores attempts from before it was last enabled, and after its deletion', () => {
    given(added, failing(1), recovered(3)).when(tried(2, false)).thenNothing();
    given(added, failing(4)).when(tried(3, true)).thenNothing();
    given(added, { type: 'WebhookRemoved', data: { ...ids, removedAt: at(1) } })
      .when(tried(2, false))
      .thenNothing();
    given(added, {
      type: 'WebhooksClosed',
      data: { userId: ids.userId, endpointIds: [ids.endpointId], closedAt: at(1) },
    })
      .when(tried(2, false))
      .thenNothing();
    given().when(tried(1, false)).thenNothing();
  });
});

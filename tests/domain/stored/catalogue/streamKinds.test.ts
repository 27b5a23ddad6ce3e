import { describe, expect, it } from 'vitest';
import { accountStream, INSTALLATION_STREAM } from '../../../../src/domain/account/events.ts';
import { apiKeysStream, apiKeyUseStream } from '../../../../src/domain/apiKeys/events.ts';
import { EVENT_TYPES } from '../../../../src/domain/eventTypes.ts';
import { jobDeletionsStream, jobStream } from '../../../../src/domain/job/events.ts';
import { STREAM_KINDS, streamKindOf } from '../../../../src/domain/stored/catalogue/streamKinds.ts';
import { deliveryStream, webhooksStream } from '../../../../src/domain/webhooks/events.ts';
import { workStream } from '../../../../src/domain/work/events.ts';

const kindOf = (stream: string) => {
  const known = streamKindOf(stream);
  return known && [known.kind.kind, known.rest];
};

describe('the kinds of streams', () => {
  it('include every type of event once', () => {
    expect(STREAM_KINDS.flatMap(({ types }) => Object.keys(types)).toSorted()).toEqual([...EVENT_TYPES].sort());
  });

  it('are determined by the name of a stream', () => {
    const streams: readonly (readonly [stream: string, kind: string])[] = [
      [accountStream('1-2'), 'account'],
      [jobStream('1-2'), 'job'],
      [jobDeletionsStream('1-2'), 'job-deletions'],
      [apiKeysStream('1-2'), 'api-keys'],
      [apiKeyUseStream('1-2'), 'api-key-use'],
      [webhooksStream('1-2'), 'webhooks'],
      [deliveryStream('1-2'), 'webhook-delivery'],
    ];
    for (const [stream, kind] of streams) expect(kindOf(stream)).toEqual([kind, '1-2']);
    expect(kindOf(workStream('mail', '1-2'))).toEqual(['work', 'mail-1-2']);
    expect(kindOf(INSTALLATION_STREAM)).toEqual(['installation', '']);
    expect(kindOf('installation-1')).toBeNull();
    expect(kindOf('thing-1')).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { createCallRecord } from '../../../src/integrations/analyst/calls.ts';

const start = Date.UTC(2026, 2, 10, 12);

describe('the record of model calls', () => {
  it('has the last success, the last failure and its reason', () => {
    let ms = start;
    const calls = createCallRecord(() => ms);
    expect(calls.read(false)).toEqual({
      lastSuccessAt: null,
      lastFailureAt: null,
      failure: null,
      coolingDown: false,
      asked: 0,
      fellBack: 0,
    });
    calls.fellBack('The language model could not be reached.');
    expect(calls.read(true)).toMatchObject({
      failure: 'The language model could not be reached.',
      coolingDown: true,
      asked: 1,
      fellBack: 1,
    });
    ms += 1_000;
    calls.succeeded();
    expect(calls.read(false)).toMatchObject({
      lastSuccessAt: '2026-03-10T12:00:01.000Z',
      lastFailureAt: '2026-03-10T12:00:00.000Z',
      failure: null,
      asked: 2,
    });
  });

  it('counts only the last fifty', () => {
    const calls = createCallRecord(() => start);
    for (let nth = 0; nth < 40; nth += 1) calls.fellBack('no');
    for (let nth = 0; nth < 50; nth += 1) calls.succeeded();
    expect(calls.read(false)).toMatchObject({ asked: 50, fellBack: 0 });
  });
});

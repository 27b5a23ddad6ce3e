import { renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { useClock } from '../../../../web/ui/text/clock.ts';

afterEach(() => vi.useRealTimers());

it('is current at the first draw after a time without observers', () => {
  const drawn: string[] = [];
  const draw = () => renderHook(() => void drawn.push(new Date(useClock()).toISOString()));
  vi.useFakeTimers({ now: Date.parse('2126-03-10T12:00:00.000Z') });
  draw().unmount();
  vi.setSystemTime(Date.parse('2126-03-10T13:00:00.000Z'));
  drawn.length = 0;
  draw();
  expect(drawn[0]).toBe('2126-03-10T13:00:00.000Z');
});

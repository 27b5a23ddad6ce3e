import { vi } from 'vitest';

/** The moments at which tones are started from now on: jsdom has no sound. */
export function listenForTones(): number[] {
  const started: number[] = [];
  const node = {
    connect: () => node,
    start: (at: number) => started.push(at),
    stop: () => undefined,
    frequency: { value: 0 },
    gain: { setValueAtTime: vi.fn(), linearRampToValueAtTime: vi.fn(), exponentialRampToValueAtTime: vi.fn() },
  };
  vi.stubGlobal(
    'AudioContext',
    class {
      currentTime = 0;
      destination = {};
      createOscillator = () => node;
      createGain = () => node;
      close = async () => undefined;
    },
  );
  return started;
}

import { useState } from 'react';

/**
 * State of a field initialized with `given`; a new `given` (a search that was run, the moment now shown) replaces it.
 * The element stays mounted and keeps its focus, unlike with a new key.
 */
export function useTyped(given: string): readonly [typed: string, type: (text: string) => void] {
  const [typed, setTyped] = useState(given);
  const [taken, setTaken] = useState(given);
  if (given !== taken) {
    setTaken(given);
    setTyped(given);
  }
  return [typed, setTyped];
}

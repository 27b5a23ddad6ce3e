import { useState } from 'react';

/**
 * What is typed into a field that begins with `given`. Another `given` (a search that was carried out, the moment that is shown by now) is taken over.
 * The field itself stays, and the focus with it: under a new key both would be gone.
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

/** Progress of reading a long log, on one terminal line; no output if it is not a terminal. */

export type ProgressLine = { readonly show: (events: number, part: number) => void; readonly clear: () => void };

const MINUTE_S = 60;

/** `now`: ms, monotonic. The remaining time is estimated from the pace so far. */
export function progressLine(
  what: string,
  out: { readonly isTTY?: boolean; write(text: string): unknown },
  now: () => number,
): ProgressLine {
  const began = now();
  return {
    show(events, part) {
      if (!out.isTTY) return;
      const seconds = (now() - began) / 1_000;
      // The first second is not representative.
      const left = part > 0 && seconds >= 1 ? `, ${leftOf((seconds / part) * (1 - part))}` : '';
      out.write(`\r\u001b[K${what} ${Math.floor(part * 100)}% (${events} events${left})`);
    },
    clear: () => void (out.isTTY && out.write('\r\u001b[K')),
  };
}

function leftOf(seconds: number): string {
  return seconds < MINUTE_S * 2
    ? `about ${Math.ceil(seconds)} s left`
    : `about ${Math.ceil(seconds / MINUTE_S)} min left`;
}

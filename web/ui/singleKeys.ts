/** Whether single letters work as shortcuts, kept in this browser. They interfere with dictation, so they can be off. */

/** Named when only the board had them. */
const KEY = 'board_shortcuts';

export function singleKeysOff(): boolean {
  try {
    return localStorage.getItem(KEY) === 'off';
  } catch {
    return false;
  }
}

export function setSingleKeysOff(off: boolean): void {
  try {
    if (off) localStorage.setItem(KEY, 'off');
    else localStorage.removeItem(KEY);
  } catch {
    // Storage is blocked: they stay on.
  }
}

/**
 * Copies a text to the clipboard; rejects where the browser refuses. Call it directly from the event of a click or key.
 */
export async function copyText(text: string): Promise<void> {
  try {
    // Missing on plain http.
    await navigator.clipboard.writeText(text);
  } catch {
    if (!copySelection(text)) throw new Error('the browser refused to copy');
  }
}

/** The older way, which needs a selection. Focus stays where it is, and what was selected is selected again. */
function copySelection(text: string): boolean {
  const selection = getSelection();
  if (!selection || !document.execCommand) return false;
  const focused = document.activeElement;
  const before = Array.from({ length: selection.rangeCount }, (_, index) => selection.getRangeAt(index));
  const copied = document.createElement('span');
  copied.textContent = text;
  copied.ariaHidden = 'true';
  // Out of sight without being hidden: hidden text cannot be selected.
  Object.assign(copied.style, {
    position: 'fixed',
    top: '0',
    clipPath: 'inset(50%)',
    whiteSpace: 'pre',
    userSelect: 'text',
  });
  // A dialog keeps everything outside from being selected.
  (focused?.closest('[role=dialog], [role=alertdialog]') ?? document.body).append(copied);
  const write = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', text);
    // Only the text, without the markup around it.
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener('copy', write, { capture: true, once: true });
  try {
    selection.selectAllChildren(copied);
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    document.removeEventListener('copy', write, { capture: true });
    selection.removeAllRanges();
    for (const range of before) selection.addRange(range);
    copied.remove();
    if (focused instanceof HTMLElement && focused !== document.activeElement) focused.focus({ preventScroll: true });
  }
}

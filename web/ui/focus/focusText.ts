/** Focuses what is no control, such as a heading, so that the keyboard and a screen reader go on from there. */
export function focusText(element: HTMLElement | null | undefined): void {
  if (!element) return;
  element.tabIndex = -1;
  element.focus();
}

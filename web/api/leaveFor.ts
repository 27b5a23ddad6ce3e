/** Leads the browser to a page of another site. */
export function leaveFor(url: string): void {
  location.assign(url);
}

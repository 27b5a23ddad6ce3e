/** Error texts for past views by status; for an invalid address (`at=`) the server's message. */
export const pastFailure =
  (missing: string) =>
  (status: number, message: string, code: string): string => {
    if (code === 'NOTHING_YET') return 'There were no events yet at that time.';
    if (status === 404) return missing;
    if (status === 0) return 'The server did not answer.';
    return message || `The server answered ${status}.`;
  };

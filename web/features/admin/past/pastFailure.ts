/** Error texts for past views by status; for an invalid address (`at=`) the server's message. */
export const pastFailure =
  (missing: string) =>
  (status: number, message: string): string => {
    if (status === 404) return `${missing} Or nothing had happened yet at that time.`;
    if (status === 0) return 'The server did not answer.';
    return message || `The server answered ${status}.`;
  };

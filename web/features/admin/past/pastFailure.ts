/** What went wrong with a question about the past, by the status of the answer; of a wrong address (`at=`) in the server's words. */
export const pastFailure =
  (missing: string) =>
  (status: number, message: string): string => {
    if (status === 404) return `${missing} Or nothing had happened yet at that time.`;
    if (status === 0) return 'The server did not answer.';
    return message || `The server answered ${status}.`;
  };

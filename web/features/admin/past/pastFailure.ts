/** What went wrong with a question about the past, by the status of the answer. */
export const pastFailure =
  (missing: string) =>
  (status: number): string => {
    if (status === 404) return `${missing} Or nothing had happened yet at that time.`;
    return status === 0 ? 'The server did not answer.' : `The server answered ${status}.`;
  };

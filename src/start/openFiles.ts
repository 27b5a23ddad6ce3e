/** How many files this process may have open. Looked at before the rest is loaded: with too few, loading breaks off anywhere, with a text that says nothing of it. */

/** The modules and stores of a server that nobody uses take some 300. */
const FEWEST = 512;

/** Null where the system has no such limit, or none that can be told. */
export function openFilesLimit(): number | null {
  const { report } = process;
  // Without this it looks up the names of all its connections.
  Object.assign(report, { excludeNetwork: true });
  const { userLimits } = report.getReport() as { readonly userLimits?: { readonly open_files?: { readonly soft?: unknown } } };
  const limit = Number(userLimits?.open_files?.soft);
  return Number.isFinite(limit) ? limit : null;
}

/** Why the program cannot run, for people; null: it can. */
export function tooFewOpenFiles(limit: number | null): string | null {
  if (limit === null || limit >= FEWEST) return null;
  return (
    `This process may have ${limit} files open at once, and needs at least ${FEWEST}; 4096 or more are usual, as each browser takes one.\n` +
    'Raise the limit and start again: `ulimit -n 4096` in a shell, LimitNOFILE= in a systemd unit, ulimits: nofile: in compose.yaml.\n'
  );
}

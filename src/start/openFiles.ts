/**
 * The process's limit of open files. Checked before anything else is loaded: with too few, loading fails anywhere, with
 * an unrelated message.
 */

/** The modules and stores of an idle server use about 300. */
const FEWEST = 512;

/** Null if the system has no such limit, or none that can be determined. */
export function openFilesLimit(): number | null {
  const { report } = process;
  // Without this the report looks up the host names of all connections.
  Object.assign(report, { excludeNetwork: true });
  const { userLimits } = report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft?: unknown } };
  };
  const limit = Number(userLimits?.open_files?.soft);
  return Number.isFinite(limit) ? limit : null;
}

/** Why the program cannot run, for display; null: it can. */
export function tooFewOpenFiles(limit: number | null): string | null {
  if (limit === null || limit >= FEWEST) return null;
  return (
    `This process may have ${limit} files open at once, and needs at least ${FEWEST}; 4096 or more are usual, as each browser takes one.\n` +
    'Raise the limit and start again: `ulimit -n 4096` in a shell, LimitNOFILE= in a systemd unit, ulimits: nofile: in compose.yaml.\n'
  );
}

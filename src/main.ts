/** The entry: whether there is room to load the rest, and then the rest. */
import { openFilesLimit, tooFewOpenFiles } from './start/openFiles.ts';

const refusal = tooFewOpenFiles(openFilesLimit());
if (refusal === null) await import('./start/program.ts');
else {
  process.stderr.write(refusal);
  process.exitCode = 1;
}

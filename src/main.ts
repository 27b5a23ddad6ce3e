/** The entry: whether there is room to load the rest, and then the rest. */
import { openFilesLimit, tooFewOpenFiles } from './start/openFiles.ts';

const refusal = tooFewOpenFiles(openFilesLimit());
if (refusal === null) await (await import('./start/program.ts')).run();
else {
  process.stderr.write(refusal);
  process.exitCode = 1;
}

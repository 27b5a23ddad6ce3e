/**
 * Preloaded into an export by its test: the process kills itself just before or just after it saves its progress
 * (`KILL_MOMENT`).
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { renameSync } = fs;
fs.renameSync = (from, to) => {
  const isNote = String(to).endsWith('.progress.json');
  if (isNote && process.env.KILL_MOMENT === 'before') process.kill(process.pid, 'SIGKILL');
  renameSync(from, to);
  if (isNote) process.kill(process.pid, 'SIGKILL');
};
syncBuiltinESMExports();

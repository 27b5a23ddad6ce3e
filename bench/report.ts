/** The table of figures, and the page that keeps it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Row } from './measure.ts';

export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const ratio = row.ratio === null ? '–' : row.ratio < 10 ? row.ratio.toFixed(2) : row.ratio.toFixed(1);
    return `| ${row.what} | ${row.ours} | ${row.limit} | ${ratio} | ${row.goal} | ${row.met ? 'yes' : 'no'} |`;
  });
  return [
    '| What | Ours | Raw limit, same run | Ratio | Goal | Met |',
    '| --- | ---: | ---: | ---: | ---: | --- |',
    ...lines,
  ].join('\n');
}

function machine(): string {
  const [first] = cpus();
  return `${first?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, ${Math.round(totalmem() / 1e9)} GB, ${process.platform} ${process.arch}, Node ${process.version}`;
}

/** `shown`: the rows for the README. */
export function writeReport(
  rows: readonly Row[],
  shown: readonly Row[],
  run: { readonly rounds: number; readonly full: boolean; readonly seconds: number },
): void {
  const docs = fileURLToPath(new URL('../docs', import.meta.url));
  mkdirSync(docs, { recursive: true });
  const date = new Date().toISOString().slice(0, 10);
  const text = `# Benchmarks

Written by \`npm run bench\`. Each figure is measured beside its raw limit in the same run, in turns, on the same machine and disk; figures are medians of ${run.rounds} rounds, and the ratio is the median of the rounds' ratios. Absolute figures move with the machine, ratios much less; read ratios within 1.3 × of each other as equal.

Machine: ${machine()}. Date: ${date}. ${run.full ? 'Full run' : 'Short run'}, ${run.seconds} s.

${tableOf(rows)}
`;
  writeFileSync(`${docs}/benchmarks.md`, text);
  const readme = fileURLToPath(new URL('../README.md', import.meta.url));
  writeFileSync(readme, withFigures(readFileSync(readme, 'utf8'), `${machine()}, ${date}.\n\n${tableOf(shown)}`));
}

const BEGIN = '<!-- figures: written by npm run bench -->';
const END = '<!-- end of figures -->';

/** The README with its figures renewed; as it was when it has no place for them. */
function withFigures(readme: string, figures: string): string {
  const [before, rest] = readme.split(BEGIN);
  const after = rest?.split(END)[1];
  return before === undefined || after === undefined ? readme : `${before}${BEGIN}\n${figures}\n${END}${after}`;
}

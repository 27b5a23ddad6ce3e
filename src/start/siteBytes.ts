/** How much of the process's memory an audit may use for a site. */
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { PARSER_MEMORY_MB } from '../audit/memory.ts';

/**
 * Of the heap, for what all audits at once keep of their sites. While the checks run and the files are written, each
 * takes as much again for a while.
 */
const SHARE = 0.3;
/** A few pages fit in, whatever the settings are. */
const LEAST = 4_000_000;

/** For each of `parallel` audits, bytes. */
export function siteBytesOf(parallel: number, heapBytes = getHeapStatistics().heap_size_limit): number {
  return Math.max(LEAST, Math.round((heapBytes * SHARE) / parallel));
}

const MB = 1024 * 1024;
/** Of the memory that the machine or its container has, for all processes that parse pages. */
const PARSERS_SHARE = 0.2;
const LEAST_PARSER_MB = 48;

/** For each of `parsers`, MB. */
export function parserMemoryOf(parsers: number, memoryBytes = memoryHere()): number {
  const share = Math.floor((memoryBytes * PARSERS_SHARE) / parsers / MB);
  return Math.max(LEAST_PARSER_MB, Math.min(PARSER_MEMORY_MB, share));
}

/** Besides what it reads of the site: the program, and what the checks gather. */
const JUDGE_MB = 96;
/** As text it is read from, as data, and what the checks gather of it. */
const JUDGE_FACTOR = 4;

/** For a process that judges a site of at most `siteBytes`, MB. */
export function judgeMemoryOf(siteBytes: number): number {
  return Math.ceil(JUDGE_MB + (siteBytes * JUDGE_FACTOR) / MB);
}

/** The container's, where it has less than the machine. */
function memoryHere(): number {
  const container = process.constrainedMemory() ?? 0;
  return container > 0 ? Math.min(container, totalmem()) : totalmem();
}

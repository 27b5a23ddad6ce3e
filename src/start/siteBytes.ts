/** How much of the process's memory an audit may use for a site. */
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { THREAD_MEMORY_MB } from '../audit/memory.ts';

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
/** Of the memory that the machine or its container has, for all threads that parse pages. */
const THREADS_SHARE = 0.2;
const LEAST_THREAD_MB = 48;

/** For each of `threads` that parse pages, MB. */
export function threadMemoryOf(threads: number, memoryBytes = memoryHere()): number {
  const share = Math.floor((memoryBytes * THREADS_SHARE) / threads / MB);
  return Math.max(LEAST_THREAD_MB, Math.min(THREAD_MEMORY_MB, share));
}

/** Besides what it reads of the site: the program, and what the checks gather. */
const JUDGE_MB = 96;
/** As text it is read from, as data, and what the checks gather of it. */
const JUDGE_FACTOR = 4;

/** For a thread that judges a site of at most `siteBytes`, MB. */
export function judgeMemoryOf(siteBytes: number): number {
  return Math.ceil(JUDGE_MB + (siteBytes * JUDGE_FACTOR) / MB);
}

/** The container's, where it has less than the machine. */
function memoryHere(): number {
  const container = process.constrainedMemory() ?? 0;
  return container > 0 ? Math.min(container, totalmem()) : totalmem();
}

/** DuckDB in this process, if its native module is available for the platform. */
export type DuckDb = { readonly ask: (sql: string) => Promise<readonly Record<string, unknown>[]> };

/** Null, with a message, if it is not available; with TEST_REQUIRE_ALL that is a failure. */
export async function duckDb(): Promise<DuckDb | null> {
  try {
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    return {
      ask: async (sql) =>
        (await connection.runAndReadAll(sql)).getRowObjectsJson() as readonly Record<string, unknown>[],
    };
  } catch (error) {
    if (process.env.TEST_REQUIRE_ALL) throw error;
    process.stderr.write(`skipped: DuckDB does not run on this platform: ${(error as Error).message}\n`);
    return null;
  }
}

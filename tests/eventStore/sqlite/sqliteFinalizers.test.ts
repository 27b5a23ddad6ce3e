import { describe, expect, it } from 'vitest';
import { abortsOnFinalizers } from '../../../src/eventStore/sqlite/sqliteFinalizers.ts';

describe('Node versions that abort when the driver is finalized', () => {
  it.each(['24.19.0', '24.21.0'])('%s does', (version) => expect(abortsOnFinalizers(version)).toBe(true));
  it.each(['20.19.0', '22.23.2', '24.18.1', '26.1.0'])('%s does not', (version) =>
    expect(abortsOnFinalizers(version)).toBe(false),
  );
});

/**
 * Before every test file: the driver is guarded against a fault of some Node versions, also where a test opens read
 * models or a file by itself.
 */
import Database from 'better-sqlite3';
import { keepFromFinalizers } from '../src/eventStore/sqlite/sqliteFinalizers.ts';

const first = new Database(':memory:');
keepFromFinalizers(first);
first.close();

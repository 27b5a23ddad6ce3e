/** Writes while the projector is stopped, on the embedded stores. */
import { laggingWrites } from '../contract/laggingWrites.ts';
import { memoryEventStore } from '../given/stores/eventStore.ts';
import { preparedReadModels } from '../given/stores/readModels.ts';

laggingWrites(async () => ({ store: memoryEventStore(), readModels: await preparedReadModels() }));

/** All persistent subscriptions of the server: created, changed, deleted, woken by what is written and by the clock. */
import { groupError } from './errors.ts';
import { Group } from './group.ts';
import { type GroupSettings, problemWith } from './groupSettings.ts';
import { loadGroups, saveGroups } from './groupStreams.ts';
import type { EventLog } from './log.ts';
import type { Writer } from './writer.ts';

export class Groups {
  private readonly log: EventLog;
  private readonly writer: Writer;
  private readonly groups = new Map<string, Group>();
  private readonly unsubscribe: () => void;
  private readonly timer: NodeJS.Timeout;
  private woken = false;
  private closed = false;

  constructor(log: EventLog, writer: Writer, tickMs: number) {
    this.log = log;
    this.writer = writer;
    this.load();
    this.unsubscribe = log.onWrite(() => this.wake());
    this.timer = setInterval(() => this.tick(), tickMs).unref();
  }

  get all(): readonly Group[] {
    return [...this.groups.values()];
  }

  get(source: string, group: string): Group {
    const found = this.groups.get(keyOf(source, group));
    if (!found) throw groupError('does-not-exist', source, group);
    return found;
  }

  create(settings: GroupSettings): void {
    const { source, group } = settings;
    const key = keyOf(source, group);
    if (this.groups.has(key)) throw groupError('exists', source, group);
    this.checked(settings);
    this.groups.set(key, new Group(this.log, this.writer, settings));
    this.save();
  }

  /** Drops the consumers, and goes on from the checkpoint. */
  update(settings: GroupSettings): void {
    const { source, group } = settings;
    const before = this.get(source, group);
    this.checked(settings);
    before.shutdown(groupError('dropped', source, group));
    this.groups.set(keyOf(source, group), new Group(this.log, this.writer, settings));
    this.save();
  }

  delete(source: string, group: string): void {
    const found = this.get(source, group);
    this.groups.delete(keyOf(source, group));
    found.shutdown(groupError('dropped', source, group));
    found.streams.delete();
    this.save();
  }

  /** Everything that is only in memory is gone. */
  restart(): void {
    const before = this.all;
    for (const group of before) group.shutdown(groupError('dropped', group.settings.source, group.settings.group));
    this.load();
  }

  tick(): void {
    for (const group of this.all) group.tick();
  }

  close(): void {
    this.closed = true;
    clearInterval(this.timer);
    this.unsubscribe();
    for (const group of this.all) group.close();
  }

  private load(): void {
    this.groups.clear();
    for (const settings of loadGroups(this.log)) this.groups.set(keyOf(settings.source, settings.group), new Group(this.log, this.writer, settings));
  }

  private save(): void {
    saveGroups(
      this.log,
      this.all.map((group) => group.settings),
    );
  }

  private checked(settings: GroupSettings): void {
    const problem = problemWith(settings);
    if (problem) throw groupError('failed', settings.source, settings.group, problem);
  }

  /** Once for all that is written in this turn: a checkpoint is a write too. */
  private wake(): void {
    if (this.woken) return;
    this.woken = true;
    setImmediate(() => {
      this.woken = false;
      if (!this.closed) for (const group of this.all) group.pump();
    });
  }
}

function keyOf(source: string, group: string): string {
  return `${source}::${group}`;
}

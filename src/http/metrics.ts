/** What the process counts, in Prometheus' text format. The library stays behind this file. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

type RequestFacts = { readonly method: string; readonly route: string; readonly status: number; readonly seconds: number };

export type Metrics = {
  observeRequest(facts: RequestFacts): void;
  socketOpened(): void;
  socketClosed(code: number): void;
  /** Frames sent to sockets. */
  messagesSent(count: number): void;
  readonly contentType: string;
  render(lag: Readonly<Record<string, number>>): Promise<string>;
  close(): void;
};

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request’s first byte handled to its answer’s last byte sent',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  new Gauge({
    name: 'event_loop_delay_p99_seconds',
    help: 'Event-loop delay since the last scrape, 99th percentile',
    registers: [registry],
    collect() {
      this.set(delay.percentile(99) / 1e9);
      delay.reset();
    },
  });
  const lagging = new Gauge({ name: 'projection_lag_events', help: 'Events a read model is behind the log', labelNames: ['model'], registers: [registry] });
  const sockets = new Gauge({ name: 'realtime_sockets', help: 'Open websockets', registers: [registry] });
  const closed = new Counter({ name: 'realtime_sockets_closed_total', help: 'Websockets closed, by close code', labelNames: ['code'], registers: [registry] });
  const sent = new Counter({ name: 'realtime_messages_total', help: 'Messages sent to websockets', registers: [registry] });
  return {
    observeRequest: ({ method, route, status, seconds }) => requests.observe({ method, route, status }, seconds),
    socketOpened: () => sockets.inc(),
    socketClosed: (code) => {
      sockets.dec();
      closed.inc({ code });
    },
    messagesSent: (count) => sent.inc(count),
    contentType: registry.contentType,
    render: (lag) => {
      for (const [model, events] of Object.entries(lag)) lagging.set({ model }, events);
      return registry.metrics();
    },
    close: () => {
      delay.disable();
      registry.clear();
    },
  };
}

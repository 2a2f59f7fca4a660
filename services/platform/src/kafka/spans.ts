import type { KafkaMessage } from 'kafkajs';
import { traceparentKey } from '../grpc/spans.ts';
import type { Span, SpanAttributes, SpanStart } from '../telemetry/spans.ts';
import { tracing } from '../telemetry/tracing.ts';

const attributesOf = (topic: string, operation: 'send' | 'process'): SpanAttributes => ({
  'messaging.system': 'kafka',
  'messaging.destination.name': topic,
  'messaging.operation.name': operation,
  'messaging.operation.type': operation,
});

/** Spans of messages that are sent together, each in the trace of the call that it comes from. */
export class SendSpans {
  readonly #topic: string;
  readonly #spans: Span[] = [];

  constructor(topic: string) {
    this.#topic = topic;
  }

  /** The headers by which the consumer goes on with the trace. */
  begin(parent: string | undefined): Record<string, string> {
    if (parent === undefined) return {};
    const attributes = attributesOf(this.#topic, 'send');
    const span = tracing()?.start({ name: `send ${this.#topic}`, kind: 'producer', parent, attributes });
    if (span === undefined) return { [traceparentKey]: parent };
    this.#spans.push(span);
    return { [traceparentKey]: span.traceparent };
  }

  end(fault?: string): void {
    for (const span of this.#spans) span.end(undefined, fault);
  }
}

/**
 * Runs `work` on messages that are processed together. Each gets a span in its own trace; what `work` does meanwhile,
 * which cannot be told apart, is shown in the trace of the first.
 */
export async function inProcessSpans<T>(
  topic: string,
  messages: readonly KafkaMessage[],
  work: () => Promise<T>,
): Promise<T> {
  const running = tracing();
  if (running === undefined) return work();
  const start: Omit<SpanStart, 'parent'> = {
    name: `process ${topic}`,
    kind: 'consumer',
    attributes: attributesOf(topic, 'process'),
  };
  const parents = messages.flatMap(({ headers }) => headers?.[traceparentKey]?.toString() ?? []);
  const spans = parents.map((parent) => running.start({ ...start, parent }));
  let fault: string | undefined = 'process_failed';
  try {
    const done = await (spans[0] === undefined ? work() : spans[0].within(work));
    fault = undefined;
    return done;
  } finally {
    for (const span of spans) span.end(undefined, fault);
  }
}

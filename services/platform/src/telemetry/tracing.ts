import type { Env } from '../process/env.ts';
import { delay } from '../retry.ts';
import type { Span, SpanEnd, SpanStart, Tracing } from './spans.ts';

let running: Tracing | undefined;

/** The process's tracing; undefined while it is off, and then nothing of it is even loaded. */
export const tracing = (): Tracing | undefined => running;

/**
 * Turns tracing on where an OTLP endpoint is set (`OTEL_EXPORTER_OTLP_ENDPOINT` or `…_TRACES_ENDPOINT`). The other
 * standard variables are read by the SDK: headers, sampler, resource attributes, limits of the batches.
 */
export async function startTracing(service: string, env: Env): Promise<void> {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!endpoint || env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || env.OTEL_TRACES_EXPORTER === 'none') return;
  const { createTracing } = await import('./tracing-otlp.ts');
  running = createTracing(env.OTEL_SERVICE_NAME || `tallycard-${service}`);
}

const flushMsMax = 3_000;

/** Sends what is left and turns tracing off. Never fails, nor takes long: a collector that is away stops nobody. */
export async function stopTracing(): Promise<void> {
  const stopped = running;
  running = undefined;
  if (stopped === undefined) return;
  const given = new AbortController();
  await Promise.race([stopped.stop().catch(() => undefined), delay(flushMsMax, given.signal)]);
  given.abort();
}

/**
 * Runs `work` in a span when tracing is on, and just runs it when it is off.
 * @param start called only when tracing is on
 * @param endOf called with what `work` threw, or with nothing when it succeeded
 */
export function traced<T>(
  start: () => SpanStart,
  work: (span: Span | undefined) => Promise<T>,
  endOf: (error?: unknown) => SpanEnd,
): Promise<T> {
  return running === undefined ? work(undefined) : runTraced(running.start(start()), work, endOf);
}

async function runTraced<T>(
  span: Span,
  work: (span: Span) => Promise<T>,
  endOf: (error?: unknown) => SpanEnd,
): Promise<T> {
  let end: SpanEnd = {};
  try {
    const result = await span.within(() => work(span));
    end = endOf();
    return result;
  } catch (error) {
    end = endOf(error);
    throw error;
  } finally {
    span.end(end.attributes, end.fault);
  }
}

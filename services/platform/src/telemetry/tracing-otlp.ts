import {
  type Context,
  context,
  type Span as OtelSpan,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { Span, SpanStart, Tracing } from './spans.ts';

const kinds: Readonly<Record<SpanStart['kind'], SpanKind>> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

/** Loaded only when traces are wanted; see `startTracing`. */
export function createTracing(serviceName: string): Tracing {
  const provider = new NodeTracerProvider({
    resource: detectResources({ detectors: [envDetector] }).merge(
      resourceFromAttributes({ 'service.name': serviceName, 'service.namespace': 'tallycard' }),
    ),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  // For its context manager; spans are always started on the provider's own tracer.
  provider.register({ propagator: null });
  const tracer = provider.getTracer('tallycard');
  return {
    start({ name, kind, parent, attributes }) {
      const spanContext = parent === undefined ? undefined : parseTraceparent(parent);
      const parentContext = spanContext ? trace.setSpanContext(context.active(), spanContext) : context.active();
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, parentContext);
      return toSpan(span, trace.setSpan(parentContext, span));
    },
    traceparent() {
      const active = trace.getSpanContext(context.active());
      return active && formatTraceparent(active);
    },
    async stop() {
      await provider.shutdown();
      context.disable();
    },
  };
}

function toSpan(span: OtelSpan, within: Context): Span {
  return {
    traceparent: formatTraceparent(span.spanContext()),
    within: (work) => context.with(within, work),
    end(attributes, fault) {
      if (attributes !== undefined) span.setAttributes(attributes);
      if (fault !== undefined)
        span.setStatus({ code: SpanStatusCode.ERROR, message: fault }).setAttribute('error.type', fault);
      span.end();
    },
  };
}

function formatTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** W3C Trace Context, level 1; a malformed header begins a trace of its own. */
function parseTraceparent(header: string): SpanContext | undefined {
  const [, version, traceId = '', spanId = '', flags = ''] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/.exec(header) ?? [];
  if (version === undefined || version === 'ff' || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
}

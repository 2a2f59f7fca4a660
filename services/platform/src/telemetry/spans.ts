/** What a span tells of itself. Never a secret, a card number or the value of a record. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

export interface SpanStart {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'producer' | 'consumer';
  /** The parent's W3C traceparent; without it the span is a child of the one under way. */
  readonly parent?: string | undefined;
  readonly attributes: SpanAttributes;
}

export interface Span {
  /** W3C Trace Context, for whoever goes on with the trace. */
  readonly traceparent: string;
  /** Runs `work` as part of the span. */
  within<T>(work: () => T): T;
  /** @param fault what went wrong on our side, as a word; absent: nothing. */
  end(attributes?: SpanAttributes, fault?: string): void;
}

/** OpenTelemetry, as far as we use it. */
export interface Tracing {
  start(span: SpanStart): Span;
  /** Of the span under way. */
  traceparent(): string | undefined;
  /** Sends what is left. */
  stop(): Promise<void>;
}

/** How a span ended: what to tell of it, and what went wrong on our side, as a word. */
export interface SpanEnd {
  readonly attributes?: SpanAttributes;
  readonly fault?: string | undefined;
}

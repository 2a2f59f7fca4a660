import type { z } from 'zod';
import type { Scope } from '#platform/scopes.ts';
import type { Context } from '../context.ts';
import type { ErrorCode } from '../errors.ts';
import type { WithoutRedis } from '../limits/limiter.ts';
import type { LimitName } from '../limits/request-limits.ts';
import type { BodyType } from '../middleware/read-body.ts';
import type { StaticDocument } from '../middleware/static-document.ts';
import type { SchemaVersion } from '../schemas/service.ts';

/** The shapes of what a request may carry. */
export interface RequestShapes {
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType;
}

type Parsed<Shape> = Shape extends z.ZodType ? z.output<Shape> : undefined;

/** What a handler is given: every part parsed by its shape. */
export interface Input<Shapes extends RequestShapes> {
  readonly params: Parsed<Shapes['params']>;
  readonly query: Parsed<Shapes['query']>;
  readonly headers: Parsed<Shapes['headers']>;
  readonly body: Parsed<Shapes['body']>;
}

/** What a handler gives back: a body to send as JSON, a text as it is, or a document that never changes. */
export type Answer<Body> = (
  | { readonly body: Body }
  | { readonly text: string; readonly contentType: string }
  | { readonly document: StaticDocument }
) & {
  readonly headers?: Readonly<Record<string, string>>;
  /** Another status than the route's usual one. */
  readonly status?: number;
};

/** Turns a parsed request into an answer; throws an `AppError` to refuse. `Body` is a response schema. */
export type Handler<Shapes extends RequestShapes, Body extends z.ZodType> = (
  input: Input<Shapes>,
  context: Context,
) => Promise<Answer<z.input<Body>>>;

/** A limit that a route counts against; without `subject` the client's address is counted, before anything else. */
export interface RouteLimit<Shapes extends RequestShapes> {
  readonly limit: LimitName;
  /** Who is counted once the request is known to be valid; undefined: nobody. */
  subject?(input: Input<Shapes>, context: Context): string | undefined | Promise<string | undefined>;
}

export interface RouteDefinition<Shapes extends RequestShapes, Body extends z.ZodType> {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** In the style of express: `/v2/templates/:templateId`. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /**
   * `bearer`: any credential. `user`: an access token or app key, not an API key. `session`: an access token, no key of
   * any kind. `admin`: an access token of an administrator.
   */
  readonly auth: 'bearer' | 'user' | 'session' | 'admin' | 'none';
  /** What an API key needs; the other credentials may do everything. */
  readonly scope?: Scope;
  /** Besides those that hold on every route: per address, and per key or user. */
  readonly limits?: readonly RouteLimit<Shapes>[];
  /** What happens while Redis is away, when not the usual: a GET goes on and all else is refused. */
  readonly withoutRedis?: WithoutRedis;
  /** Not even counted by address: for probes, which must get an answer. */
  readonly unlimited?: boolean;
  /** Whether the public schema shows it. */
  readonly public: boolean;
  /** The first version of the public schema that shows it. */
  readonly since?: SchemaVersion;
  readonly request: Shapes;
  /** Whether the body may be left out. */
  readonly bodyOptional?: boolean;
  /** JSON alone when not given. */
  readonly bodyTypes?: readonly BodyType[];
  readonly success: {
    /** A 204 has no body: the handler gives back {@link NoContent}. */
    readonly status: 200 | 201 | 204;
    readonly schema: Body;
    readonly description: string;
    /** Other statuses that come with such a body, and what they mean: a 200 where a 201 is usual, or a page of a 400. */
    readonly others?: Readonly<Partial<Record<200 | 400 | 503, string>>>;
    /** When not JSON. */
    readonly contentType?: string;
    /** Names of further headers that the answer may carry. */
    readonly headers?: readonly ResponseHeader[];
  };
  /** Beyond those that follow from the rest of the route. */
  readonly errors: readonly ErrorCode[];
  /**
   * Whether a client may keep the answer, and ask with its ETag whether it still holds. Every GET's, unless it shows a
   * secret or how things stand at the moment.
   */
  readonly storable?: boolean;
  /** Answered even when there are as many requests as may be. */
  readonly alwaysAdmitted?: boolean;
  readonly handler: Handler<Shapes, Body>;
}

/** Headers of answers that the OpenAPI document describes. */
export type ResponseHeader = 'Content-Language' | 'Idempotency-Replayed' | 'Link' | 'Vary' | 'X-Total-Count';

/** A route in the table, whatever its shapes. */
export type Route = RouteDefinition<RequestShapes, z.ZodType>;

/** Whether the answer of a route has an ETag, and may be packed. */
export const isStorable = ({ method, storable }: Route): boolean => method === 'get' && storable !== false;

/** Declares a route; ties the handler to the shapes. */
export function route<Shapes extends RequestShapes, Body extends z.ZodType>(
  definition: RouteDefinition<Shapes, Body>,
): Route {
  // The dispatcher parses by the same shapes before it calls the handler, which is what makes this sound.
  return definition as unknown as Route;
}

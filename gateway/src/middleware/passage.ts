import type { Request, Response } from 'express';
import type { Caller } from '#platform/grpc/caller.ts';
import type { LimitState } from '../limits/policy.ts';
import type { Route } from '../routes/route.ts';
import type { Pending } from './in-flight.ts';

/** What one request gathers on its way. */
export interface Passage extends Pending {
  readonly route: Route;
  /** Query parameters that may be given more than once. */
  readonly repeatable: readonly string[];
  readonly request: Request;
  readonly response: Response;
  readonly requestId: string;
  readonly ip: string;
  /** How the client calls itself, when the request changes something. */
  readonly userAgent: string | undefined;
  /** How its limits stand, for the headers of the answer. */
  limits: readonly LimitState[];
  /** Who it is from, once that is known. */
  caller?: Caller;
}

import type { Request, Response } from 'express';
import type { LimitState } from '../limits/policy.ts';
import type { Route } from '../routes/route.ts';

/** What one request gathers on its way. */
export interface Passage {
  readonly route: Route;
  readonly request: Request;
  readonly response: Response;
  readonly requestId: string;
  readonly ip: string;
  /** How its limits stand, for the headers of the answer. */
  limits: readonly LimitState[];
}

import type { Page } from '#proto/common/v1/common.ts';
import type { Window } from '../../domain/paging.ts';

/** The part of a list that a request is for: at most `max` records, and as many when it does not say. */
export function windowOf(page: Page | undefined, max: number): Window {
  return { offset: Math.max(0, page?.offset ?? 0), limit: Math.min(max, page?.limit || max) };
}

import type { Page } from '#proto/common/v1/common.ts';
import type { Context } from '../context.ts';
import type { Answer } from '../routes/route.ts';

/** The window that a list was asked for, as the query gives it. */
export interface PagingInput {
  readonly page: number;
  readonly limit: number;
  readonly offset?: number | undefined;
  readonly skip?: number | undefined;
}

const offsetOf = ({ offset, skip }: PagingInput): number | undefined => offset ?? skip;

/** The window as services take it: `offset` wins, else the page counts. */
export function windowOf(query: PagingInput): Page {
  return { offset: offsetOf(query) ?? (query.page - 1) * query.limit, limit: query.limit };
}

/** A bare array with `X-Total-Count`, and a `Link` to the next page when there is one. */
export function listAnswer<Row>(rows: Row[], total: number, query: PagingInput, context: Context): Answer<Row[]> {
  const { offset, limit } = windowOf(query);
  const headers: Record<string, string> = { 'X-Total-Count': String(total) };
  if (offset + limit < total) headers.Link = `<${nextUrl(query, context)}>; rel="next"`;
  return { body: rows, headers };
}

function nextUrl(query: PagingInput, { url, services }: Context): string {
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  const next = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
  const offset = offsetOf(query);
  if (offset === undefined) next.set('page', String(query.page + 1));
  else {
    next.delete('skip');
    next.delete('page');
    next.set('offset', String(offset + query.limit));
  }
  next.set('limit', String(query.limit));
  return `${services.publicUrl}${path}?${next}`;
}

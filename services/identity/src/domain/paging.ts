/** Which part of a list. */
export interface Window {
  readonly offset: number;
  readonly limit: number;
}

export interface Listed<Row> {
  readonly rows: Row[];
  readonly total: number;
}

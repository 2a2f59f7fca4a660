declare module 'fresh' {
  /** Whether the copy that a client has, by its conditional headers, is still right (RFC 9110, 13). */
  export default function fresh(
    request: Readonly<Record<string, string | string[] | undefined>>,
    response: { readonly etag?: string },
  ): boolean;
}

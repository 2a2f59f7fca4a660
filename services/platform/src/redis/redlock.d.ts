// redlock 5 ships its types where its own export map hides them; this is what the lock manager uses.
declare module 'redlock' {
  export interface RedlockClient {
    evalsha(hash: string, keyCount: number, args: readonly (string | number)[]): Promise<unknown>;
    eval(script: string, keyCount: number, args: readonly (string | number)[]): Promise<unknown>;
    quit(): unknown;
  }
  export interface Lock {
    release(): Promise<unknown>;
  }
  export default class Redlock {
    constructor(
      clients: Iterable<RedlockClient>,
      settings?: { retryCount?: number; automaticExtensionThreshold?: number },
    );
    acquire(resources: string[], durationMs: number): Promise<Lock>;
  }
}

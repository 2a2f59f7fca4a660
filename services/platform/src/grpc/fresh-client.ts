import { type Client, connectivityState } from '@grpc/grpc-js';

/**
 * How long a connection may be in the making. grpc-js has no such bound: to the address of a pod that is gone, which DNS
 * may go on to name for a while, it would wait as long as the kernel does, a minute or two, with all calls behind it.
 */
const connectMsMax = 2_000;

/** A client that is made anew, and so looks its address up again, when no connection of it comes about. */
export class FreshClient<C extends Client> {
  readonly #make: () => C;
  #client: C;
  #closed = false;

  constructor(make: () => C) {
    this.#make = make;
    this.#client = make();
    this.#watch();
  }

  /** The one to call now. Calls that wait in a former one fail as not begun. */
  get current(): C {
    return this.#client;
  }

  close(): void {
    this.#closed = true;
    this.#client.close();
  }

  #watch(): void {
    const client = this.#client;
    const channel = client.getChannel();
    const state = channel.getConnectivityState(false);
    if (this.#closed || state === connectivityState.SHUTDOWN) return;
    const until = state === connectivityState.CONNECTING ? Date.now() + connectMsMax : Number.POSITIVE_INFINITY;
    channel.watchConnectivityState(state, until, (isStuck) => {
      if (this.#closed) return;
      if (isStuck !== undefined && isStuck !== null) {
        this.#client = this.#make();
        client.close();
      }
      this.#watch();
    });
  }
}

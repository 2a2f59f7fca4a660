import { type ServiceError, status } from '@grpc/grpc-js';

/** Tries of a call that a server has begun, or that is refused because something behind the server is away. */
const triesMax = 3;
const delayMs = 50;
const delayMsMax = 400;
/** Long enough for the successor of a replica that went to be found; who waits longer is told. */
const outageWaitMsMax = 3_000;
/** Calls that wait so at a time: an outage must not fill the caller with them. */
const waitingMax = 256;
/**
 * How grpc-js tells that no server has begun: HTTP/2's REFUSED_STREAM (RFC 9113, 8.7), which it repeats once itself, having none
 * to send to, and a client that was made anew. What no server began is carried out once, however often it is sent.
 */
const neverBegun =
  /^Stream refused by server|No connection established|^Name resolution failed|^Channel closed before call started/;

/** Decides for the calls of one client whether they are sent again, and when. */
export class Repeats {
  #outageSince = 0;
  #lastOutageAt = 0;
  #waiting = 0;
  #closed = false;

  /**
   * Waits until a failed call may be sent again.
   * @param tries how often it was sent
   * @param until when it must have been sent, in ms since 1970
   * @returns false when it may not
   */
  async wait(error: ServiceError, { tries, until, idempotent }: RepeatOptions): Promise<boolean> {
    const ms = Math.min(delayMs * tries, delayMsMax) * (0.5 + Math.random());
    if (error.code !== status.UNAVAILABLE || this.#closed || Date.now() + ms > until) return false;
    const isOutage = neverBegun.test(error.details);
    if (isOutage ? !this.#mayWait() : !idempotent || tries >= triesMax) return false;
    this.#waiting += 1;
    await new Promise((resolve) => setTimeout(resolve, ms));
    this.#waiting -= 1;
    return !this.#closed;
  }

  /** A call succeeded: what fails next is another outage. */
  succeeded(): void {
    this.#lastOutageAt = 0;
  }

  /** The client is closed: nothing is sent any more. */
  close(): void {
    this.#closed = true;
  }

  /** Only while the outage is young; in an old one everybody is told at once. */
  #mayWait(): boolean {
    const now = Date.now();
    if (now - this.#lastOutageAt > outageWaitMsMax) this.#outageSince = now;
    this.#lastOutageAt = now;
    return now - this.#outageSince < outageWaitMsMax && this.#waiting < waitingMax;
  }
}

interface RepeatOptions {
  readonly tries: number;
  readonly until: number;
  readonly idempotent: boolean;
}

import type { LookupAddress, LookupOptions } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import { type AddressPolicy, isAllowedAddress } from '../../domain/address-policy.ts';
import { isLocalhost } from '../../domain/webhook-url.ts';

/** The name stands for no address that may be connected to. */
export class RefusedAddressError extends Error {
  override name = 'RefusedAddressError';
}

/** The addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/**
 * A `lookup` for sockets: what it gives is what the socket connects to, so a name cannot show one address to a check
 * and another to the connection (DNS rebinding).
 */
export function createGuardedLookup(policy: AddressPolicy, resolve: Resolve) {
  return (hostname: string, options: LookupOptions, callback: LookupCallback): void => {
    resolve(hostname).then(
      (found) => {
        const allowed = found
          .filter((address) => isAllowedAddress(address, policy))
          .map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
        const [first] = allowed;
        if (first === undefined) callback(new RefusedAddressError(`${hostname} has no address that is allowed`), []);
        else if (options.all === true) callback(null, allowed);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, []),
    );
  };
}

/**
 * Resolves through DNS alone, with a bound. Not `dns.lookup`: that waits in the thread pool's four threads, where a few
 * dead names would hold up every other endpoint, and it knows the cluster's own search domains.
 */
export function createDnsResolve(): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return async (hostname) => {
    if (isLocalhost(hostname)) return ['127.0.0.1', '::1'];
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0 && answers[0].status === 'rejected') throw answers[0].reason;
    return addresses;
  };
}

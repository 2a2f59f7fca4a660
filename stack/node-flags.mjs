/**
 * Flags of every process that stays up: the starter, the services, the gateway. Always the same ones, because
 * Node's compile cache is kept by flags.
 */
export const longRunningFlags = [
  '--disable-warning=ExperimentalWarning',
  // kafkajs asks for timers in the past, which Node 24 warns about at every connection.
  '--disable-warning=TimeoutNegativeWarning',
  '--expose-gc',
  '--import',
  new URL('./trim-memory.mjs', import.meta.url).href,
];

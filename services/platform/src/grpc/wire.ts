/** gRPC metadata: who a call is for, signed. */
export const callerKey = 'tallycard-caller';
/** Trailing metadata: the `ErrorDetail` of a refusal. */
export const errorDetailKey = 'tallycard-error-bin';

/** Unary calls that one call carries at most. */
export const sharedCallsMax = 64;

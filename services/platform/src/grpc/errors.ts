import { Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { ErrorDetail } from '#proto/common/v1/common.ts';
import { AppError, type ErrorDetails, type ErrorKind, unavailable } from '../errors.ts';
import { errorDetailKey } from './wire.ts';

const statusOfKind: Record<ErrorKind, status> = {
  invalid: status.FAILED_PRECONDITION,
  unprocessable: status.INVALID_ARGUMENT,
  unauthenticated: status.UNAUTHENTICATED,
  payment_required: status.RESOURCE_EXHAUSTED,
  forbidden: status.PERMISSION_DENIED,
  not_found: status.NOT_FOUND,
  conflict: status.ABORTED,
  rate_limited: status.RESOURCE_EXHAUSTED,
  unavailable: status.UNAVAILABLE,
};

/** Renders a refusal as a gRPC status; its typed detail travels in trailing metadata. */
export function toServiceError(error: AppError): Partial<ServiceError> {
  const metadata = new Metadata();
  const detail = {
    code: error.code,
    message: error.message,
    detailsJson: JSON.stringify({ kind: error.kind, details: error.details }),
  };
  metadata.set(errorDetailKey, Buffer.from(ErrorDetail.encode(detail).finish()));
  return { code: statusOfKind[error.kind], details: error.message, metadata };
}

/**
 * Turns what a gRPC call threw back into the refusal that the service meant. A transport fault becomes
 * `unavailable`; a masked bug stays what it is, for the edge to answer 500.
 */
export function fromServiceError(error: unknown): unknown {
  const failure = error as ServiceError;
  const packed = failure.metadata?.get(errorDetailKey)[0];
  if (packed instanceof Buffer) {
    const detail = ErrorDetail.decode(packed);
    const { kind, details } = JSON.parse(detail.detailsJson) as { kind: ErrorKind; details: ErrorDetails };
    return new AppError(kind, detail.code, detail.message, details);
  }
  if (failure.code === status.UNAVAILABLE || failure.code === status.DEADLINE_EXCEEDED) {
    return unavailable(undefined, error);
  }
  return error;
}

import type { Handler } from '../../routes/route.ts';
import type { StatusResponse } from '../../schemas/service.ts';

/** That the gateway answers, and which version it is. */
export const getStatus: Handler<object, typeof StatusResponse> = async (_input, { services }) => ({
  body: { status: 'ok', version: services.version },
});

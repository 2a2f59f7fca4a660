import { type Server, type ServerUnaryCall, type ServiceDefinition, type sendUnaryData, status } from '@grpc/grpc-js';
import { service as healthService } from 'grpc-health-check';

interface HealthAnswer {
  readonly status: 'SERVING' | 'NOT_SERVING';
}

/**
 * Serves `grpc.health.v1.Health` beside a service, for orchestrators and load balancers. Its calls are the only ones
 * that need no signed caller: they tell nothing but whether the service takes calls. There is no `Watch`: its streams,
 * which anybody may open and which do not end by themselves, would hold up a server that stops.
 */
export function addHealth(server: Server, definition: ServiceDefinition): { setServing(serving: boolean): void } {
  const [, service = ''] = Object.values(definition)[0]?.path.split('/') ?? [];
  const names = ['', service];
  let answer: HealthAnswer = { status: 'NOT_SERVING' };
  const { Check } = healthService as ServiceDefinition;
  server.addService({ Check } as ServiceDefinition, {
    Check: ({ request }: ServerUnaryCall<{ service: string }, HealthAnswer>, reply: sendUnaryData<HealthAnswer>) => {
      if (names.includes(request.service)) reply(null, answer);
      else reply({ code: status.NOT_FOUND, details: 'No such service.' });
    },
  });
  return {
    setServing: (serving) => {
      answer = { status: serving ? 'SERVING' : 'NOT_SERVING' };
    },
  };
}

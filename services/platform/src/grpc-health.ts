import type { Server, ServiceDefinition } from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';

/**
 * Serves `grpc.health.v1.Health` beside a service, for orchestrators and load balancers. Its calls are the only ones
 * that need no signed caller: they tell nothing but whether the service takes calls.
 */
export function addHealth(server: Server, definition: ServiceDefinition): { setServing(serving: boolean): void } {
  const [, service = ''] = Object.values(definition)[0]?.path.split('/') ?? [];
  const names = ['', service];
  const health = new HealthImplementation(Object.fromEntries(names.map((name) => [name, 'NOT_SERVING'])));
  health.addToServer(server);
  return {
    setServing: (serving) => {
      for (const name of names) health.setStatus(name, serving ? 'SERVING' : 'NOT_SERVING');
    },
  };
}

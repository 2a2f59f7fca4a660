import { BinaryReader } from '@bufbuild/protobuf/wire';
import { type Server, type ServerUnaryCall, type ServiceDefinition, type sendUnaryData, status } from '@grpc/grpc-js';

/** `grpc.health.v1.HealthCheckResponse.ServingStatus`. */
const servingStatus = { serving: 1, notServing: 2 } as const;
type ServingStatus = (typeof servingStatus)[keyof typeof servingStatus];

interface HealthCheckRequest {
  /** Empty stands for the whole server. */
  readonly service: string;
}

// Two messages of one field each. The package that serves this protocol loads a parser of .proto files to do so, which
// takes 13 MB in each process.
const definition: ServiceDefinition = {
  Check: {
    path: '/grpc.health.v1.Health/Check',
    requestStream: false,
    responseStream: false,
    requestSerialize: () => Buffer.alloc(0),
    requestDeserialize: readRequest,
    responseSerialize: (value: ServingStatus) => Buffer.from([1 << 3, value]),
    responseDeserialize: (bytes) => bytes,
  },
};

function readRequest(bytes: Buffer): HealthCheckRequest {
  const reader = new BinaryReader(bytes);
  let service = '';
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (field === 1) service = reader.string();
    else reader.skip(wireType);
  }
  return { service };
}

/**
 * Serves `grpc.health.v1.Health` beside a service, for orchestrators and load balancers. Its calls are the only ones
 * that need no signed caller: they tell nothing but whether the service takes calls. There is no `Watch`: its streams,
 * which anybody may open and which do not end by themselves, would hold up a server that stops.
 */
export function addHealth(server: Server, served: ServiceDefinition): { setServing(serving: boolean): void } {
  const [, service = ''] = Object.values(served)[0]?.path.split('/') ?? [];
  const names = ['', service];
  let current: ServingStatus = servingStatus.notServing;
  server.addService(definition, {
    Check: ({ request }: ServerUnaryCall<HealthCheckRequest, ServingStatus>, reply: sendUnaryData<ServingStatus>) => {
      if (names.includes(request.service)) reply(null, current);
      else reply({ code: status.NOT_FOUND, details: 'No such service.' });
    },
  });
  return {
    setServing: (serving) => {
      current = serving ? servingStatus.serving : servingStatus.notServing;
    },
  };
}

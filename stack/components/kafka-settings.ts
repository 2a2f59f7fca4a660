import type { Listener } from '../probes.ts';

/** Fixed, because each broker is a cluster of its own; Kafka only checks that it stays the same. */
export const clusterId = 'dGFsbHljYXJkLWxvY2FsLQ';

// The default of 50 partitions makes a start several seconds longer.
const internalTopicPartitions = '4';

/** What one broker on its own needs, wherever it runs. */
const COMMON: Record<string, string> = {
  'process.roles': 'broker,controller',
  'node.id': '1',
  'controller.listener.names': 'CONTROLLER',
  'auto.create.topics.enable': 'false',
  'num.partitions': '4',
  'offsets.topic.num.partitions': internalTopicPartitions,
  'offsets.topic.replication.factor': '1',
  'transaction.state.log.num.partitions': internalTopicPartitions,
  'transaction.state.log.replication.factor': '1',
  'transaction.state.log.min.isr': '1',
  'share.coordinator.state.topic.replication.factor': '1',
  'share.coordinator.state.topic.min.isr': '1',
  'group.initial.rebalance.delay.ms': '0',
  // After a kill -9 the controller takes the broker back only when its old session is over; the default is 9 s.
  'broker.session.timeout.ms': '3000',
  'broker.heartbeat.interval.ms': '500',
  'num.network.threads': '2',
  'num.io.threads': '4',
  'log.cleaner.dedupe.buffer.size': '16777216',
  'log.segment.bytes': '67108864',
};

/** Properties of a broker in its own process. */
export function serverProperties(options: Listener & { controllerPort: number; dataDir: string }): string {
  const { host, port, controllerPort, dataDir } = options;
  const settings = {
    ...COMMON,
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    listeners: `BROKER://${host}:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `BROKER://${host}:${port}`,
    'listener.security.protocol.map': 'BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'inter.broker.listener.name': 'BROKER',
    'log.dirs': dataDir,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value.replaceAll('\\', '\\\\')}`);
  return `${lines.join('\n')}\n`;
}

/**
 * The same for the image, which takes `a.b` as KAFKA_A_B. The broker also talks to itself, for which the published
 * port is no use inside the container: hence a listener of its own.
 */
export function containerSettings({ host, port }: Listener): Record<string, string> {
  const settings = {
    ...COMMON,
    'controller.quorum.voters': '1@localhost:9093',
    listeners: 'BROKER://0.0.0.0:9092,INSIDE://localhost:19092,CONTROLLER://localhost:9093',
    'advertised.listeners': `BROKER://${host}:${port},INSIDE://localhost:19092`,
    'listener.security.protocol.map': 'BROKER:PLAINTEXT,INSIDE:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'inter.broker.listener.name': 'INSIDE',
    'log.dirs': '/var/lib/kafka/data',
  };
  const named = Object.entries(settings).map(([name, value]) => [
    `KAFKA_${name.replaceAll('.', '_').toUpperCase()}`,
    value,
  ]);
  return { ...Object.fromEntries(named), CLUSTER_ID: clusterId };
}

/** A project that depends on the broker and on a logger that writes warnings to the log file. */
export function pomFor(version: string): string {
  const dependency = (group: string, artifact: string, its: string) =>
    `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${its}</version></dependency>`;
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>tallycard</groupId><artifactId>kafka</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>
    ${dependency('org.apache.kafka', 'kafka_2.13', version)}
    ${dependency('org.slf4j', 'slf4j-simple', '1.7.36')}
  </dependencies>
</project>
`;
}

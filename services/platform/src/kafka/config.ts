import type { EnvReader } from '../process/env.ts';
import type { KafkaConfig, KafkaSasl } from './kafka.ts';

const mechanisms: readonly KafkaSasl['mechanism'][] = ['plain', 'scram-sha-256', 'scram-sha-512'];

/**
 * Reads where Kafka is and how to get in: `KAFKA_BROKERS`, `KAFKA_PREFIX`, `KAFKA_TLS` (`false`), and for SASL
 * `KAFKA_SASL_MECHANISM` (`plain`, `scram-sha-256`, `scram-sha-512`), `KAFKA_USERNAME` and `KAFKA_PASSWORD`.
 */
export function readKafkaConfig(env: EnvReader): KafkaConfig {
  return {
    brokers: env.list('KAFKA_BROKERS'),
    prefix: env.string('KAFKA_PREFIX', ''),
    tls: env.bool('KAFKA_TLS', false),
    sasl: readSasl(env),
  };
}

function readSasl(env: EnvReader): KafkaSasl | undefined {
  const name = env.string('KAFKA_SASL_MECHANISM', '');
  if (name === '') {
    for (const secret of ['KAFKA_USERNAME', 'KAFKA_PASSWORD'])
      if (env.string(secret, '') !== '') env.fault(`${secret} is of no use without KAFKA_SASL_MECHANISM`);
    return undefined;
  }
  const mechanism = mechanisms.find((known) => known === name);
  if (mechanism === undefined) env.fault(`KAFKA_SASL_MECHANISM must be one of ${mechanisms.join(', ')}`);
  const [username, password] = [env.string('KAFKA_USERNAME'), env.string('KAFKA_PASSWORD')];
  return mechanism && { mechanism, username, password };
}

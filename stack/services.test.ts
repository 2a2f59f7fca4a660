import { allServices, contractEnv, type ServiceSurroundings, serviceProcess } from './services.ts';

const around: ServiceSurroundings = {
  secrets: {
    CALLER_SECRET: 'caller',
    CARD_ENCRYPTION_KEYS: 'k1:card',
    CARD_HMAC_KEY: 'hmac',
    WEBHOOK_ENCRYPTION_KEYS: 'k1:webhook',
    JWT_PRIVATE_KEY: 'jwt',
    API_KEY_PEPPER: 'pepper',
    IDENTITY_ENCRYPTION_KEYS: 'k1:identity',
  },
  mongodbUri: 'mongodb://127.0.0.1:1',
  redisUrl: 'redis://127.0.0.1:2',
  kafkaBrokers: '127.0.0.1:3',
  ports: { gateway: 8080, identityGrpc: 10, loyaltyGrpc: 11, templatesGrpc: 12, giftcardsGrpc: 13, webhooksGrpc: 14 },
  host: '127.0.0.1',
  mailDir: '/data/mail',
  userEnv: {},
  env: {},
};

function named(name: string) {
  const found = allServices.find((definition) => definition.name === name);
  if (!found) throw new Error(name);
  return found;
}

test('no service is told the secrets of another', () => {
  for (const definition of allServices) {
    const env = contractEnv(definition, around);
    const foreign = Object.keys(around.secrets).filter((name) => !definition.secrets.some((own) => own === name));
    expect(Object.keys(env).filter((name) => foreign.includes(name))).toEqual(['CALLER_SECRET']);
  }
});

test('each service has a database of its own, and the gateway none', () => {
  const databases = allServices.map((definition) => contractEnv(definition, around).MONGODB_DATABASE);
  expect(new Set(databases).size).toBe(allServices.length);
  expect(contractEnv(named('gateway'), around).MONGODB_URI).toBeUndefined();
});

test('databases on a shared server can be given another prefix', () => {
  const userEnv = { MONGODB_DATABASE_PREFIX: 'staging' };
  expect(contractEnv(named('loyalty'), { ...around, userEnv }).MONGODB_DATABASE).toBe('staging_loyalty');
});

test('the gateway is told where the services are', () => {
  expect(contractEnv(named('gateway'), around)).toMatchObject({
    PORT: '8080',
    IDENTITY_ADDR: '127.0.0.1:10',
    WEBHOOKS_ADDR: '127.0.0.1:14',
  });
});

test('mails are written to a folder, unless there is a server or another folder', () => {
  expect(contractEnv(named('identity'), around)).toMatchObject({
    MAIL_DIR: '/data/mail',
    PUBLIC_URL: 'http://127.0.0.1:8080',
  });
  const elsewhere = { ...around, userEnv: { MAIL_DIR: '/elsewhere' } };
  expect(contractEnv(named('identity'), elsewhere).MAIL_DIR).toBe('/elsewhere');
  const sent = { ...around, userEnv: { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'a@b.example' } };
  expect(contractEnv(named('identity'), sent)).not.toHaveProperty('MAIL_DIR');
  expect(serviceProcess(named('identity'), sent).env).toMatchObject({ SMTP_URL: 'smtp://mail.example' });
});

test("the user's settings win over defaults but not over the wiring", () => {
  const userEnv = {
    LOG_LEVEL: 'debug',
    RATE_LIMIT_TOKEN: '5',
    WEBHOOK_ALLOW_LOOPBACK: 'false',
    REDIS_URL: 'elsewhere',
  };
  const { env } = serviceProcess(named('webhooks'), { ...around, userEnv });
  expect(env).toMatchObject({ LOG_LEVEL: 'debug', RATE_LIMIT_TOKEN: '5', WEBHOOK_ALLOW_LOOPBACK: 'false' });
  expect(env.REDIS_URL).toBe(around.redisUrl);
});

test('what was meant for the starter alone does not reach a service', () => {
  const userEnv = { NODE_OPTIONS: '--inspect', NODE_ENV: 'test', PORT: '1' };
  const { env } = serviceProcess(named('identity'), { ...around, userEnv });
  expect(env).toMatchObject({ NODE_ENV: 'production' });
  expect(env).not.toHaveProperty('NODE_OPTIONS');
  expect(env).not.toHaveProperty('PORT');
});

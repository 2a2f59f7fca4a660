// Makes a merchant with a program and prints it as JSON: BASE_URL is the gateway, IDENTITY_ADDR identity's gRPC,
// CALLER_SECRET as the pods have it.
import { createDemoMerchant } from '#stack/demo.ts';

const required = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
};

const target = {
  baseUrl: required('BASE_URL'),
  identityAddress: required('IDENTITY_ADDR'),
  callerSecret: required('CALLER_SECRET'),
};
process.stdout.write(`${JSON.stringify(await createDemoMerchant(target, 'Kube Merchant'))}\n`);

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Demo } from '#stack/demo-file.ts';
import { Api } from './api.ts';

/** The demo merchant of the stack that all test files share. */
export function sharedDemo(): Demo {
  return JSON.parse(readFileSync(join(String(process.env.TEST_DATA_DIR), 'demo.json'), 'utf8')) as Demo;
}

/** A client of the shared stack, as the demo merchant with its app key. */
export function sharedApi(): Api {
  const { baseUrl, accessToken } = sharedDemo();
  return new Api(baseUrl, accessToken);
}

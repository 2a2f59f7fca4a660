import { readJson, writePrivate } from './data-dir.ts';

/** Secrets of hashed API keys, by what they may do. */
export interface DemoKeys {
  /** Every scope by name, without full access. */
  all: string;
  fullAccess: string;
  loyaltyRead: string;
  noScopes: string;
}

/** A merchant to try things with. */
export interface DemoMerchant {
  merchantId: string;
  email: string;
  password: string;
  /** An app key: a JWT with the merchant's whole access. */
  accessToken: string;
  /** A program of type GIFT_CARD. */
  programId: string;
  keys: DemoKeys;
}

/** Somebody who administers the installation, by logging in. */
export interface DemoAdmin {
  email: string;
  password: string;
}

/** Content of DATA_DIR/demo.json. The rival is there to show that merchants cannot see each other. */
export interface Demo extends DemoMerchant {
  baseUrl: string;
  rival: DemoMerchant;
  admin: DemoAdmin;
}

function isWhole(merchant: Partial<DemoMerchant> | undefined): boolean {
  const { merchantId, email, password, accessToken, programId, keys } = merchant ?? {};
  const texts = [merchantId, email, password, accessToken, programId];
  return [...texts, keys?.all, keys?.fullAccess, keys?.loyaltyRead, keys?.noScopes].every(Boolean);
}

/** The merchants of an earlier start, which had no administrator perhaps; undefined if they are missing or half made. */
export function readDemoMerchants(file: string): Omit<Demo, 'admin'> | undefined {
  const demo = readJson<Demo>(file);
  return isWhole(demo) && isWhole(demo?.rival) ? (demo as Demo) : undefined;
}

/** The demo of an earlier start with today's address, or undefined if it is missing or half made. */
export function readDemo(file: string, baseUrl: string): Demo | undefined {
  const demo = readDemoMerchants(file) as Demo | undefined;
  if (!demo?.admin?.email || !demo.admin.password) return undefined;
  const current = { ...demo, baseUrl };
  if (demo.baseUrl !== baseUrl) writePrivate(file, current);
  return current;
}

/** Three requests to paste into a shell, the first things one would try. */
export function demoCurlLines({ baseUrl, accessToken, programId }: Demo): string[] {
  const bearer = `-H 'Authorization: Bearer ${accessToken}'`;
  const json = `-H 'Content-Type: application/json' -d '{"initialValue": "25.00"}'`;
  return [
    `curl -s ${bearer} ${baseUrl}/v2/token`,
    `curl -s ${bearer} ${json} ${baseUrl}/v2/giftcards/programs/${programId}/cards`,
    `curl -s ${bearer} ${baseUrl}/v2/loyalty/programs`,
  ];
}

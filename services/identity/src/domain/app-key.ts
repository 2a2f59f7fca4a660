/** A JWT with the merchant's whole access and no expiry. It works while this record exists. */
export interface AppKey {
  readonly id: string;
  readonly merchantId: string;
  readonly userId: string;
  readonly name: string;
  readonly createdAt: Date;
}

export const appKeysMax = 100;

import { expect, test } from '@jest/globals';
import { isCurrency } from './currency.ts';

test.each(['', 'gbp', 'GB', 'GBPX', 'XAU', 'XXX', 'XTS', 'DEM', ' '])('"%s" is no currency to pay with', (text) => {
  expect(isCurrency(text)).toBe(false);
});

test.each(['GBP', 'EUR', 'USD', 'JPY', 'BHD', 'XCG'])('%s is one', (text) => {
  expect(isCurrency(text)).toBe(true);
});

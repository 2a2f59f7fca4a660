import { expect, test } from '@jest/globals';
import { isCurrency } from './currency.ts';

test.each(['', 'gbp', 'GB', 'GBPX', 'XAU', 'XXX', 'XTS', 'DEM', ' '])('"%s" is no currency to pay with', (text) => {
  expect(isCurrency(text)).toBe(false);
});

// ISO 4217's minor unit is no hundredth of it.
test.each(['JPY', 'KRW', 'XOF', 'CLP', 'ISK', 'BHD', 'KWD', 'TND'])('amounts of %s have no two decimals', (text) => {
  expect(isCurrency(text)).toBe(false);
});

test.each(['GBP', 'EUR', 'USD', 'XCG', 'MGA'])('%s is one', (text) => {
  expect(isCurrency(text)).toBe(true);
});

// What the gateway is measured against: express with one route that answers the same JSON, and nothing else.
import type { AddressInfo } from 'node:net';
import express from 'express';

const template = {
  id: 'e00000000000000000000001',
  merchantId: 'a00000000000000000000001',
  name: 'Spring',
  passStyle: 'coupon',
  createdAt: '2026-11-21T10:00:00.123Z',
  updatedAt: '2026-11-21T10:00:00.123Z',
};

const app = express();
app.get('/v2/templates/:templateId', (_request, response) => {
  response.json(template);
});
const server = app.listen(0, '127.0.0.1', () => {
  process.once('disconnect', () => process.exit(0));
  process.send?.({ port: (server.address() as AddressInfo).port });
});

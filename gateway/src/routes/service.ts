import { z } from 'zod';
import { getDocs } from '../handlers/service/get-docs.ts';
import { getHealth } from '../handlers/service/get-health.ts';
import { getReadiness } from '../handlers/service/get-readiness.ts';
import { getSchema, getSchemaShapes } from '../handlers/service/get-schema.ts';
import { getStatus } from '../handlers/service/get-status.ts';
import { OpenApiDocument, StatusResponse } from '../schemas/service.ts';
import { type Route, route } from './route.ts';

const common = { method: 'get', tag: 'Service', auth: 'none', errors: [] } as const;
/** How things stand at the moment, told even when there is too much to do. */
const ofTheMoment = { ...common, storable: false, alwaysAdmitted: true } as const;

export const serviceRoutes: readonly Route[] = [
  route({
    ...ofTheMoment,
    path: '/status',
    operationId: 'getStatus',
    summary: 'Whether the service answers, and its version',
    public: true,
    request: {},
    success: { status: 200, schema: StatusResponse, description: 'It answers.' },
    handler: getStatus,
  }),
  route({
    ...ofTheMoment,
    path: '/healthz',
    operationId: 'getHealth',
    summary: 'Whether the process lives',
    unlimited: true,
    public: false,
    request: {},
    success: { status: 200, schema: z.string(), description: 'It lives.', contentType: 'text/plain' },
    handler: getHealth,
  }),
  route({
    ...ofTheMoment,
    path: '/readyz',
    operationId: 'getReadiness',
    summary: 'Whether the process takes requests',
    unlimited: true,
    public: false,
    request: {},
    success: { status: 200, schema: z.string(), description: 'It does.', contentType: 'text/plain' },
    handler: getReadiness,
  }),
  route({
    ...common,
    path: '/openapi.public.json',
    operationId: 'getSchema',
    summary: 'The public OpenAPI schema',
    public: true,
    request: getSchemaShapes,
    success: { status: 200, schema: OpenApiDocument, description: 'This document.' },
    handler: getSchema,
  }),
  route({
    ...common,
    path: '/docs',
    operationId: 'getDocs',
    summary: 'The public schema as a page',
    public: false,
    request: {},
    success: { status: 200, schema: z.string(), description: 'The page.', contentType: 'text/html' },
    handler: getDocs,
  }),
];

import * as z from 'zod'
import { defineRoute, type Route } from '../../shared/http/routing/define-route.ts'

const tag = 'Reference'

export const Health = z.object({
  status: z.literal('ok').meta({ description: 'The service answers.' }),
  version: z.string().meta({ description: 'The version of the service.' }),
})

export const readHealth = defineRoute({
  method: 'GET',
  path: '/api/health',
  open: true,
  tag,
  summary: 'Check that the service is up',
  description:
    'Answers at once and reads nothing, so it is cheap to ask. Both keys are at the top level, without the envelope.',
  answer: Health,
  shape: 'raw',
  example: { answer: { status: 'ok', version: '0.1.0' } },
})

export const readOpenApi = defineRoute({
  method: 'GET',
  path: '/api/openapi.json',
  open: true,
  tag,
  summary: 'Get the OpenAPI document',
  description:
    'OpenAPI 3.1, written from the same route definitions that the service runs on. Feed it to a client generator.',
  answer: z.looseObject({
    openapi: z.string().meta({ description: 'Version of the OpenAPI specification.' }),
    info: z
      .looseObject({ title: z.string(), version: z.string() })
      .meta({ description: 'What the document describes.' }),
    paths: z.looseObject({}).meta({ description: 'Every endpoint by its path.' }),
  }),
  shape: 'raw',
  example: {
    answer: { openapi: '3.1.1', info: { title: 'Entity and Workflow Service', version: '0.1.0' }, paths: {} },
  },
})

export const readDocs = defineRoute({
  method: 'GET',
  path: '/api/docs',
  open: true,
  tag,
  summary: 'Read this page',
  description: 'One HTML page that needs no other resource: save it and it still works.',
  answer: z.string(),
  shape: 'raw',
  contentType: 'text/html; charset=utf-8',
  example: { answer: '<!doctype html>\n<html lang="en">...' },
})

export const routes: readonly Route[] = [readHealth, readOpenApi, readDocs]

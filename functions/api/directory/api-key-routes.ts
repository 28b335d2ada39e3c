import * as z from 'zod'
import { ApiKeyAnswer, NewApiKeyAnswer, NewApiKeyBody } from '../../../shared/accounts/schema.ts'
import { listQuery } from '../../../shared/platform/http/paging/page-query.ts'
import {
  administrator,
  delegatedTokens,
  defineRoute,
  type Route,
  noContent,
} from '../../../shared/platform/http/routing/define-route.ts'
import { IdParam } from '../../../shared/platform/http/routing/input/path-params.ts'

const tag = 'API keys'
const permission = administrator
const params = z.object({ id: IdParam })

const key = {
  id: 3,
  name: 'Invoice export',
  roles: ['agent'],
  is_active: true,
  created_by: 1,
  created_at: '2026-11-20T07:17:00.000Z',
  expires_at: '2027-11-20T00:00:00.000Z',
  last_used_at: null,
}

export const listApiKeys = defineRoute({
  method: 'GET',
  path: '/api/sys/api-keys',
  tag,
  summary: 'List API keys',
  description: 'Newest first, including expired ones. Tokens are not shown again.',
  permission,
  query: listQuery(ApiKeyAnswer),
  answer: ApiKeyAnswer,
  shape: 'page',
  example: { answer: [{ ...key, last_used_at: null }] },
})

export const createApiKey = defineRoute({
  method: 'POST',
  path: '/api/sys/api-keys',
  tag,
  summary: 'Make an API key',
  description:
    'A key is a token for a program. It acts as a service user of its own, which has the name and the roles of the key and which history names as the author. It expires at `expires_at` only, not by being idle. Keep `token`: it is not shown again. An API key cannot make keys (403).',
  permission,
  refusedTo: delegatedTokens,
  body: NewApiKeyBody,
  answer: NewApiKeyAnswer,
  status: 201,
  example: {
    body: { name: key.name, roles: key.roles, expires_at: '2027-11-20T00:00:00Z' },
    answer: { ...key, token: '7391004825|3q2-7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs' },
  },
})

export const endApiKey = defineRoute({
  method: 'DELETE',
  path: '/api/sys/api-keys/{id}',
  tag,
  summary: 'End an API key',
  description: 'The next request with the key answers 401. Its service user is disabled and stays in history.',
  permission,
  params,
  ...noContent,
  example: { params: { id: 3 } },
})

export const apiKeyRoutes: readonly Route[] = [listApiKeys, createApiKey, endApiKey]

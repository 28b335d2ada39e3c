import * as z from 'zod'
import {
  SourceAnswer,
  SourceChange,
  SourceInput,
  SourceWithToken,
} from '../../../shared/messages/inbound-sources/schema.ts'
import { exampleTimes } from '../../../shared/platform/configured-objects/schema.ts'
import { listQuery } from '../../../shared/platform/http/paging/page-query.ts'
import {
  administrator,
  defineRoute,
  type Route,
  noContent,
} from '../../../shared/platform/http/routing/define-route.ts'
import { idOf } from '../../../shared/platform/http/routing/input/path-params.ts'

const tag = 'Inbound sources'
const oneSource = z.object({ id: idOf('source') })
const params = { id: 1 }

const hmac = { scheme: 'header' as const, header: 'x-hub-signature-256', prefix: 'sha256=' }
const source = {
  id: 1,
  name: 'Monitoring',
  is_active: true,
  hmac: { ...hmac, algorithm: 'sha256', encoding: 'hex', secret: '********' },
  ...exampleTimes,
  version: 1,
}
const token = 'mJ0cVxE2yqS1wA8tQ4rN7uB3kH6gD9fL5zX0pY2oI1s'

export const listSources = defineRoute({
  method: 'GET',
  path: '/api/sys/inbound-sources',
  tag,
  summary: 'List the systems that may send messages in',
  permission: administrator,
  query: listQuery(SourceAnswer),
  answer: SourceAnswer,
  shape: 'page',
  example: { answer: [source] },
})

export const createSource = defineRoute({
  method: 'POST',
  path: '/api/sys/inbound-sources',
  tag,
  summary: 'Let another system send messages in',
  description: 'The answer holds the token and the address to send to. Keep them: they are not answered again.',
  permission: administrator,
  body: SourceInput,
  answer: SourceWithToken,
  status: 201,
  example: {
    body: { name: 'Web shop', hmac: { ...hmac, secret: 'a-long-shared-secret' } },
    answer: { ...source, id: 2, name: 'Web shop', token, url: `https://api.example.com/api/in/${token}` },
  },
})

export const getSource = defineRoute({
  method: 'GET',
  path: '/api/sys/inbound-sources/{id}',
  tag,
  summary: 'Read an inbound source',
  permission: administrator,
  params: oneSource,
  answer: SourceAnswer,
  example: { params, answer: source },
})

export const changeSource = defineRoute({
  method: 'PUT',
  path: '/api/sys/inbound-sources/{id}',
  tag,
  takesIfMatch: true,
  summary: 'Change an inbound source',
  description: 'What is left out stays. With `new_token` the answer holds a new token, and the one before ends.',
  permission: administrator,
  params: oneSource,
  body: SourceChange,
  answer: SourceWithToken.partial({ token: true, url: true }),
  example: { params, body: { is_active: false }, answer: { ...source, is_active: false, version: 2 } },
})

export const deleteSource = defineRoute({
  method: 'DELETE',
  path: '/api/sys/inbound-sources/{id}',
  tag,
  takesIfMatch: true,
  summary: 'Delete an inbound source',
  description: 'Its address ends at once; its messages stay.',
  permission: administrator,
  params: oneSource,
  ...noContent,
  example: { params },
})

export const sourceRoutes: readonly Route[] = [listSources, createSource, getSource, changeSource, deleteSource]

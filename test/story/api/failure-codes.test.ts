import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { bpmn, end, inARow, start } from '../../make/builders/processes/processes.ts'
import { makeTable, requestFields } from '../../make/builders/records/tables.ts'
import { sharedService, type ApiRequest, type TestService } from '../../make/services/service.ts'

let service: TestService
let robot: string
let reader: { readonly token: string }
let commenter: { readonly token: string }
const api = (method: string, path: string, request: ApiRequest = {}) =>
  service.api(method, path, { token: service.admin.token, ...request })

/** One client that a request holds on to, and a table whose hook refuses everything. */
beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'clients', [{ name: 'name', type: 'text', required: true }])
  const holds = { name: 'holds', type: 'model_list', target_table: 'clients', on_delete: 'restrict' }
  await makeTable(service, 'requests', [...requestFields, holds])
  await api('POST', '/api/e/clients', { body: { name: 'Ann' } })
  await api('POST', '/api/e/requests', { body: { title: 'Printer', holds: 1 } })
  await api('POST', '/api/sys/entities', {
    body: {
      name: 'closed',
      table_fields: [{ name: 'title', type: 'text' }],
      automations: [
        {
          kind: 'before_create',
          name: 'never',
          script: 'if ($data.title === "break") null.x; throw new Exception("No")',
        },
      ],
    },
  })
  await api('POST', '/api/e/clients', { body: { name: 'Bob' }, headers: { 'idempotency-key': 'used' } })
  robot = (await api('POST', '/api/sys/api-keys', { body: { name: 'Robot', roles: ['user'] } })).body.data.token
  reader = await userWith(service, ['clients.read'])
  commenter = await userWith(service, ['clients.read', 'clients.comment'])
})
afterAll(() => service?.stop())

/** Presses the button of a rule with this script for a new message. */
async function press(script: string) {
  const rule = { name: script, channel: 'api', target_model: 'clients', script }
  const made = await api('POST', '/api/sys/incoming-actions', { body: rule })
  const message = await api('POST', '/api/sys/incoming_messages', { body: { body: 'Help' } })
  return api('POST', `/api/sys/incoming-actions/${made.body.data.id}/execute`, {
    body: { message_id: message.body.data.id },
  })
}

describe('a failure carries the code of its cause', () => {
  const login = (password: string) => ({ token: undefined, body: { email: service.admin.email, password } })

  it.each<[code: string, status: number, ask: () => ReturnType<typeof api>]>([
    ['malformed_json', 400, () => api('POST', '/api/e/clients', { body: '{"name":' })],
    ['malformed_query', 400, () => api('GET', '/api/e/clients?filter=%7B')],
    [
      'table_renamed',
      308,
      async () => {
        await makeTable(service, 'early', [{ name: 'title', type: 'text' }])
        await api('PUT', '/api/sys/entities/name/early', { body: { name: 'late' } })
        return api('GET', '/api/e/early')
      },
    ],
    ['malformed_request', 400, () => api('GET', '/api/e/%zz')],
    ['unauthenticated', 401, () => api('GET', '/api/e/clients', { token: '1|none' })],
    ['wrong_credentials', 401, () => api('POST', '/api/login-local', login('wrong guess'))],
    ['mfa_not_set_up', 409, () => api('DELETE', '/api/user/mfa', { body: { code: '123456' } })],
    ['invalid_token', 422, () => api('POST', '/api/email/verify', { token: undefined, body: { token: 'none' } })],
    ['sign_in_refused', 401, () => api('POST', '/api/login-sso', { body: { token: 'a.b.c' } })],
    ['forbidden', 403, () => api('POST', '/api/e/clients', { ...reader, body: { name: 'Cleo' } })],
    ['auth_mapping_not_found', 404, () => api('DELETE', '/api/sys/auth-mappings/99')],
    ['person_required', 403, () => api('POST', '/api/logout', { token: robot })],
    ['api_key_not_found', 404, () => api('DELETE', '/api/sys/api-keys/99')],
    ['channel_not_found', 404, () => api('GET', '/api/sys/channels/99')],
    ['comment_not_found', 404, () => api('DELETE', '/api/e/clients/1/comments/99')],
    [
      'comment_not_yours',
      403,
      async () => {
        const written = await api('POST', '/api/e/clients/1/comments', { ...commenter, body: { body: 'Mine' } })
        return api('PUT', `/api/e/clients/1/comments/${written.body.data.id}`, { body: { body: 'Yours' } })
      },
    ],
    ['delivery_not_found', 404, () => api('GET', '/api/sys/deliveries/99')],
    ['endpoint_not_found', 404, () => api('GET', '/api/e/clients/one')],
    ['file_not_found', 404, () => api('GET', '/api/files?path=none')],
    ['notification_not_found', 404, () => api('POST', '/api/notifications/99/read')],
    ['process_instance_not_found', 404, () => api('GET', '/api/sys/process-instances/99')],
    ['process_template_not_found', 404, () => api('GET', '/api/sys/process-templates/99')],
    ['job_not_found', 404, () => api('GET', '/api/sys/jobs/99')],
    ['incoming_action_not_found', 404, () => api('GET', '/api/sys/incoming-actions/99')],
    ['rule_failed', 422, () => press('throw new Exception("Not this one")')],
    ['ended_without_record', 422, () => press('return')],
    ['import_mapping_not_found', 404, () => api('GET', '/api/sys/import-mappings/99')],
    ['view_not_found', 404, () => api('GET', '/api/sys/views/99')],
    ['subscription_not_found', 404, () => api('GET', '/api/sys/subscriptions/99')],
    ['notification_template_not_found', 404, () => api('GET', '/api/sys/notification_templates/99')],
    ['record_not_found', 404, () => api('GET', '/api/e/clients/99')],
    ['relation_not_found', 404, () => api('DELETE', '/api/sys/relations/99')],
    ['provider_not_found', 404, () => api('GET', '/api/auth/github/redirect')],
    ['role_not_found', 404, () => api('GET', '/api/sys/roles/99')],
    ['table_not_found', 404, () => api('GET', '/api/e/planets/1')],
    ['task_not_found', 404, () => api('GET', '/api/sys/process-tasks/99')],
    ['user_not_found', 404, () => api('GET', '/api/sys/users/99')],
    ['built_in', 409, () => api('DELETE', '/api/sys/entities/name/sys_companies')],
    ['table_not_empty', 409, () => api('DELETE', '/api/sys/entities/name/clients')],
    ['name_taken', 409, () => api('POST', '/api/sys/entities', { body: { name: 'clients', table_fields: [] } })],
    ['stale_version', 409, () => api('PUT', '/api/sys/entities/name/clients', { body: { version: 99 } })],
    ['last_administrator', 409, () => api('PUT', `/api/sys/users/${service.admin.userId}`, { body: { roles: [] } })],
    [
      'user_erased',
      409,
      async () => {
        const { id } = await userWith(service, [])
        await api('POST', `/api/sys/users/${id}/erase`)
        return api('PUT', `/api/sys/users/${id}`, { body: { name: 'Back again' } })
      },
    ],
    [
      'export_running',
      409,
      async () => {
        const answers = await Promise.all([1, 2].map(() => api('POST', '/api/tenant/export')))
        return answers.find(({ status }) => status === 409) as Awaited<ReturnType<typeof api>>
      },
    ],
    [
      'version_mismatch',
      412,
      () => api('PATCH', '/api/e/clients/1', { body: { name: 'Cleo' }, headers: { 'if-match': '"9"' } }),
    ],
    ['body_too_large', 413, () => api('POST', '/api/e/clients', { body: { name: 'x'.repeat(5 * 1024 * 1024) } })],
    [
      'idempotency_key_reused',
      422,
      () => api('POST', '/api/e/clients', { body: { name: 'Cleo' }, headers: { 'idempotency-key': 'used' } }),
    ],
    [
      'cursor_expired',
      422,
      async () => {
        const table = { name: 'short_lived', table_fields: [{ name: 'name', type: 'text' }] }
        await api('POST', '/api/sys/entities', { body: table })
        const { body } = await api('GET', '/api/changes?tables=short_lived')
        await api('DELETE', '/api/sys/entities/name/short_lived')
        return api('GET', `/api/changes?since=${body.data.next_since}`)
      },
    ],
    ['invalid_cursor', 422, () => api('GET', '/api/e/clients?cursor=none')],
    [
      'invalid_script',
      422,
      () => api('POST', '/api/sys/scripts/check', { body: { script: '(', kind: 'before_create' } }),
    ],
    [
      'invalid_process',
      422,
      () =>
        api('POST', '/api/sys/process-templates', {
          body: { name: 'Odd', table: 'requests', bpmn_xml: bpmn(inARow(start, '<choreographyTask id="odd"/>', end)) },
        }),
    ],
    [
      'bot_api_failed',
      422,
      async () => {
        const config = { bot_token: '4711:AAE-refused', api_base: 'http://127.0.0.1:1' }
        await api('POST', '/api/sys/channels', {
          body: { name: 'bot', direction: 'incoming', type: 'messenger', config },
        })
        return api('POST', '/api/settings/messenger/set-webhook')
      },
    ],
    ['provider_not_configured', 422, () => api('GET', '/api/auth/google/redirect')],
    ['in_use', 422, () => api('DELETE', '/api/e/clients/1')],
    [
      'record_too_large',
      422,
      () => api('POST', '/api/e/requests', { body: { title: 'x', note: 'x'.repeat(400_000) } }),
    ],
    ['hook_failed', 422, () => api('POST', '/api/e/closed', { body: { title: 'break' } })],
    ['refused_by_hook', 422, () => api('POST', '/api/e/closed', { body: { title: 'x' } })],
    ['validation_failed', 422, () => api('POST', '/api/e/clients', { body: {} })],
    ['headers_too_large', 431, () => api('GET', `/api/e/clients?search=${'x'.repeat(11_000)}`)],
  ])('%s', async (code, status, ask) => {
    const answer = await ask()
    expect([answer.status, answer.body]).toEqual([status, expect.objectContaining({ success: false, code })])
  })

  it('too_many_attempts', async () => {
    let last = await api('POST', '/api/login-local', login('wrong guess'))
    for (let attempt = 0; attempt < 10 && last.status === 401; attempt += 1)
      last = await api('POST', '/api/login-local', login('wrong guess'))
    expect([last.status, last.body.code]).toEqual([429, 'too_many_attempts'])
  })
})

it('a failure says what to act on in data', async () => {
  const stale = await api('PATCH', '/api/e/clients/1', { body: { name: 'Cleo' }, headers: { 'if-match': '"9"' } })
  expect([stale.headers.get('etag'), stale.body.data]).toEqual(['"1"', { version: 1 }])
  const script = await api('POST', '/api/sys/scripts/check', { body: { script: '\n  (', kind: 'before_create' } })
  expect(script.body).toMatchObject({ errors: { script: [expect.any(String)] }, data: { line: 2 } })
  const missing = await api('GET', '/api/e/clients/99')
  expect(missing.body).toEqual({ success: false, code: 'record_not_found', message: 'The record was not found.' })
})

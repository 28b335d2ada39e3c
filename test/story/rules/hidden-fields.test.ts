import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allRoutes } from '../../../functions/api/api-docs/all-routes.ts'
import { type Canaries, hiddenFields, makeCanaries } from '../../make/builders/canaries.ts'
import { type ApiAnswer, sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
let made: Canaries
beforeAll(async () => {
  service = await sharedService()
  made = await makeCanaries(service)
})
afterAll(() => service?.stop())

const asClerk = (method: string, path: string, body?: unknown): Promise<ApiAnswer> =>
  service.api(method, path, { token: made.token, body })

/** What `field_errors` say of a field that was sent. */
const isSentence = (value: any): boolean =>
  Object.keys(value ?? {})
    .toSorted()
    .join() === 'code,message,params' && typeof value.message === 'string'

/** The canaries in an answer: values of hidden fields, or hidden fields with any value. */
function revealed({ body, headers }: ApiAnswer): string[] {
  const text = JSON.stringify([typeof body === 'string' ? body : (body ?? ''), [...headers]])
  const members: string[] = []
  JSON.stringify(body ?? null, function (this: unknown, key: string, value: unknown) {
    const isError = Array.isArray(value) && value.every((one) => typeof one === 'string' || isSentence(one))
    if (hiddenFields.includes(key) && value !== null && !isError) members.push(key)
    return value
  })
  return [...made.texts.filter((canary) => text.includes(canary)), ...members]
}

/** One request of the walk: path, body, and the expected status. */
type Request = readonly [path: string, status: number, body?: unknown]

const record = () => `/api/e/requests/${made.record}`
const list = (query: string) => `/api/e/requests${query}`
const everyField = hiddenFields.concat('title', 'client_id')

/** What the clerk asks of each route that administrators do not have to themselves. */
const walk: Readonly<Record<string, () => readonly Request[]>> = {
  'GET /api/e/{model}': () => [
    [list(''), 200],
    [list(`?fields=*,${everyField.join(',')},payer_id.name,client_id.note,client_id.*&expand=client_id,payer_id`), 200],
    [list('?search=kanarien'), 200],
    [list('?search=printer&expand=client_id&sort=-client_id.name'), 200],
    ['/api/e/clients', 200],
    ['/api/e/clients?search=kanarien', 200],
    [list(`?view=${made.view}`), 200],
    [list(`?view=${made.hiddenView}`), 404],
  ],
  'POST /api/e/{model}/list-server': () => [
    ['/api/e/requests/list-server', 200, { fields: everyField, expand: ['client_id', 'payer_id', 'owner_id'] }],
    [
      '/api/e/requests/list-server',
      200,
      { group_by: ['title', 'client_id.name'], aggregate: { count: '*', max: ['id'] } },
    ],
    ['/api/e/requests/list-server', 200, { startRow: 0, endRow: 10, fields: everyField }],
    [
      '/api/e/requests/list-server',
      200,
      { startRow: 0, endRow: 9, rowGroupCols: [{ id: 'client_id', field: 'client_id' }] },
    ],
  ],
  'GET /api/e/{model}/{id}': () => [
    [record(), 200],
    [`${record()}?as_of=${made.moment}`, 200],
    [`/api/e/requests/${made.deleted}?as_of=${made.moment}`, 200],
    [`/api/e/clients/${made.client}`, 200],
  ],
  'GET /api/e/{model}/form': () => [
    ['/api/e/requests/form', 200],
    [`/api/e/requests/form?id=${made.record}`, 200],
  ],
  'POST /api/e/{model}': () => [
    ['/api/e/requests', 201, { title: 'Mine' }],
    ['/api/e/requests', 422, { title: 'Mine', note: 'x', serial: 'kanarien', payer_id: made.payer }],
  ],
  'PUT /api/e/{model}/{id}': () => [
    [record(), 200, { title: 'Printer 3' }],
    [record(), 422, { note: 'x', amount: 'many', stage: 'nowhere' }],
  ],
  'PATCH /api/e/{model}/{id}': () => [
    [record(), 200, { title: 'Printer 4' }],
    [record(), 422, { title: 7, plan: 'files/1/none/x.png' }],
  ],
  'POST /api/e/{model}/{id}/restore': () => [
    [`${record()}/restore`, 200, { as_of: made.moment }],
    [`/api/e/requests/${made.deleted}/restore`, 200, { as_of: made.moment }],
  ],
  'POST /api/e/{model}/import': () => [
    [
      '/api/e/requests/import',
      200,
      { rows: [{ title: 'Row' }, { title: 'Row', note: 'x' }, { note: 'x', serial: 'y' }] },
    ],
    ['/api/e/requests/import', 200, { rows: [{ title: 'Row', serial: 'z' }], dry_run: true }],
  ],
  'GET /api/e/{model}/import-file/preview': () => [[`/api/e/requests/import-file/preview?path=${made.file}`, 200]],
  'POST /api/e/{model}/import-file': () => [
    ['/api/e/requests/import-file', 422, { path: made.file, mapping: { Title: 'title', Notes: 'note' } }],
    ['/api/e/requests/import-file', 202, { path: made.file, mapping: { Title: 'title' }, dry_run: true }],
    ['/api/e/requests/import-file', 422, { path: made.file, saved_mapping: made.hiddenImportMapping }],
  ],
  'POST /api/e/{model}/bulk': () => [
    ['/api/e/requests/bulk', 200, { ids: [made.record], set: { title: 'Printer 5' } }],
    ['/api/e/requests/bulk', 422, { ids: [made.record], set: { note: 'x', amount: 'many', stage: 'nowhere' } }],
    ['/api/e/requests/bulk', 422, { filter: { note: 'kanarien' }, set: { title: 'x' } }],
    ['/api/e/requests/bulk', 200, { ids: [made.record], set: { title: 'x' }, dry_run: true }],
  ],
  'GET /api/sys/import-mappings': () => [['/api/sys/import-mappings', 200]],
  'GET /api/sys/import-mappings/{id}': () => [
    [`/api/sys/import-mappings/${made.importMapping}`, 200],
    [`/api/sys/import-mappings/${made.hiddenImportMapping}`, 404],
  ],
  'POST /api/sys/import-mappings': () => [
    ['/api/sys/import-mappings', 422, { name: 'Mine', model: 'requests', mapping: { Notes: 'note' } }],
    ['/api/sys/import-mappings', 201, { name: 'Mine', model: 'requests', mapping: { Title: 'title' } }],
  ],
  'PUT /api/sys/import-mappings/{id}': () => [
    [`/api/sys/import-mappings/${made.importMapping}`, 403, { name: 'Taken over' }],
    [`/api/sys/import-mappings/${made.hiddenImportMapping}`, 404, { name: 'Taken over' }],
  ],
  'DELETE /api/sys/import-mappings/{id}': () => [[`/api/sys/import-mappings/${made.importMapping}`, 403]],
  'GET /api/sys/mailboxes': () => [['/api/sys/mailboxes', 200]],
  'GET /api/sys/macros': () => [['/api/sys/macros', 200]],
  'GET /api/sys/macros/{id}': () => [[`/api/sys/macros/${made.macro}`, 200]],
  'POST /api/e/{model}/{id}/macros/{macro_id}': () => [[`${record()}/macros/${made.macro}`, 200]],
  'GET /api/sys/batches': () => [['/api/sys/batches', 200]],
  'GET /api/sys/batches/{id}': () => [['/api/sys/batches/1', 404]],
  'POST /api/sys/batches/{id}/undo': () => [['/api/sys/batches/1/undo', 404]],
  'GET /api/e/{model}/export': () => [
    ['/api/e/clients/export?format=csv', 200],
    ['/api/e/clients/export?format=ndjson', 200],
    ['/api/e/clients/export?format=csv&labels=true', 200],
    [`/api/e/requests/export?format=csv&filter={"id":${made.record}}`, 200],
    [
      `/api/e/requests/export?format=csv&filter={"id":${made.record}}&fields=${everyField.join(',')},payer_id.name`,
      200,
    ],
    [`/api/e/requests/export?format=ndjson&filter={"id":${made.record}}&expand=client_id,payer_id`, 200],
    [`/api/e/requests/export?format=csv&filter={"id":${made.record}}&view=${made.view}`, 200],
  ],
  'POST /api/e/{model}/export': () => [
    ['/api/e/requests/export', 200, { labels: true, filter: { id: made.record } }],
    [
      '/api/e/requests/export',
      200,
      { labels: true, filter: { id: made.record }, fields: [...everyField, 'payer_id.name'] },
    ],
    [
      '/api/e/requests/export',
      200,
      {
        format: 'ndjson',
        filterModel: { id: { filterType: 'number', type: 'equals', filter: made.record } },
        sortModel: [{ colId: 'data.title', sort: 'asc' }],
      },
    ],
  ],
  'GET /api/e/{model}/{id}/comments': () => [[`${record()}/comments`, 200]],
  'POST /api/e/{model}/{id}/comments': () => [
    [`${record()}/comments`, 201, { body: 'Seen.' }],
    [`${record()}/comments`, 201, { body: 'For a part.' }],
  ],
  'POST /api/e/{model}/{id}/forward': () => [
    [`${record()}/forward`, 422, { to: 'vera@vendor.test', body: 'See below.', message_ids: [1] }],
  ],
  'PUT /api/e/{model}/{id}/comments/{comment_id}': () => [[`${record()}/comments/1`, 200, { body: 'Done.' }]],
  'DELETE /api/e/{model}/{id}/comments/{comment_id}': () => [[`${record()}/comments/1`, 204]],
  'POST /api/e/{model}/{id}/split': () => [
    [`${record()}/split`, 422, { comment_ids: [2], data: { title: 'Part', note: 'x' } }],
    [`${record()}/split`, 201, { comment_ids: [2], data: { title: 'Part' } }],
  ],
  'POST /api/e/{model}/{id}/merge': () => [
    [`/api/e/requests/${made.deleted}/merge`, 200, { into: made.record, dry_run: true }],
    [`/api/e/requests/${made.deleted}/merge`, 200, { into: made.record }],
  ],
  'POST /api/e/{model}/{id}/unmerge': () => [[`/api/e/requests/${made.deleted}/unmerge`, 200]],
  'GET /api/e/{model}/{id}/timeline': () => [
    [`${record()}/timeline?per_page=100`, 200],
    [`/api/e/requests/${made.deleted}/timeline`, 200],
  ],
  'GET /api/e/{model}/{id}/watchers': () => [[`${record()}/watchers`, 200]],
  'POST /api/e/{model}/{id}/watchers': () => [[`${record()}/watchers`, 200]],
  'DELETE /api/e/{model}/{id}/watchers': () => [[`${record()}/watchers`, 204]],
  'GET /api/sys/history/{model}/{id}': () => [
    [`/api/sys/history/requests/${made.record}`, 200],
    [`/api/sys/history/requests/${made.deleted}`, 200],
  ],
  'GET /api/sys/related_instances/{relation_id}/{table_name}/{instance_id}': () => [
    [`/api/sys/related_instances/${made.relation}/requests/${made.record}`, 200],
    [`/api/sys/related_instances/${made.relation}/clients/${made.client}`, 200],
  ],
  'POST /api/sys/add_related_instances/{relation_id}/{table_position}/{instance_id}': () => [
    [`/api/sys/add_related_instances/${made.relation}/l_table/${made.record}`, 200, { ids: [made.payer] }],
  ],
  'POST /api/sys/relations/unlink/{relation_id}/{table_position}/{right_id}': () => [
    [`/api/sys/relations/unlink/${made.relation}/l_table/${made.payer}`, 200, { ids: [made.record] }],
  ],
  'GET /api/changes': () => [['/api/changes', 200]],
  'GET /api/sys/relations': () => [['/api/sys/relations', 200]],
  'GET /api/sys/relations/{id}': () => [[`/api/sys/relations/${made.relation}`, 200]],
  'GET /api/sys/relations/all/{sys_table_id}': () => [[`/api/sys/relations/all/${made.table}`, 200]],
  'POST /api/files': () => [['/api/files', 201, { name: 'x.png', content_type: 'image/png', size: 20 }]],
  'GET /api/files': () => [
    [`/api/files?path=${made.photo}`, 200],
    // The request names the path.
    [`/api/files?path=${made.plan.slice(0, -1)}`, 404],
  ],
  'PUT /api/e/{model}/{id}/snooze': () => [[`${record()}/snooze`, 200, { until: '2036-01-01T00:00:00Z' }]],
  'DELETE /api/e/{model}/{id}/snooze': () => [[`${record()}/snooze`, 204]],
  'GET /api/e/{model}/revision': () => [['/api/e/requests/revision', 200]],
  'GET /api/e/{model}/{id}/presence': () => [[`${record()}/presence`, 200]],
  'PUT /api/e/{model}/{id}/presence': () => [[`${record()}/presence`, 200, { is_editing: true }]],
  'DELETE /api/e/{model}/{id}/presence': () => [[`${record()}/presence`, 204]],
  'GET /api/e/{model}/{id}/reply-options': () => [[`${record()}/reply-options`, 200]],
  'GET /api/e/{model}/{id}/reply-templates/{template_id}': () => [[`${record()}/reply-templates/1`, 404]],
  'GET /api/sys/snippets': () => [['/api/sys/snippets', 200]],
  'GET /api/sys/snippets/{id}': () => [[`/api/sys/snippets/${made.snippet}`, 200]],
  'GET /api/e/{model}/{id}/snippets/{snippet_id}': () => [[`${record()}/snippets/${made.snippet}`, 200]],
  'GET /api/e/{model}/{id}/mentionable': () => [[`${record()}/mentionable?is_internal=true`, 200]],
  'POST /api/e/{model}/{id}/deliveries/{delivery_id}/retry': () => [[`${record()}/deliveries/1/retry`, 404]],
  'GET /api/sys/snoozed': () => [['/api/sys/snoozed', 200]],
  'GET /api/search': () => [
    ['/api/search?q=kanarien', 200],
    ['/api/search?q=printer&limit=20', 200],
    ['/api/search?q=kanarien&tables=requests,clients', 200],
  ],
  'GET /api/sys/views': () => [['/api/sys/views?model=requests', 200]],
  'GET /api/sys/views/counts': () => [['/api/sys/views/counts?model=requests', 200]],
  'GET /api/sys/views/{id}': () => [
    [`/api/sys/views/${made.view}`, 200],
    [`/api/sys/views/${made.hiddenView}`, 404],
  ],
  'POST /api/sys/views': () => [
    ['/api/sys/views', 422, { model: 'requests', name: 'Mine', filter: { note: 'x' }, sort: ['serial'] }],
    ['/api/sys/views', 201, { model: 'requests', name: 'Mine', columns: ['title'] }],
  ],
  'PUT /api/sys/views/{id}': () => [[`/api/sys/views/${made.view}`, 403, { name: 'Taken over' }]],
  'DELETE /api/sys/views/{id}': () => [[`/api/sys/views/${made.view}`, 403]],
  'GET /api/portal/items': () => [['/api/portal/items', 200]],
  'GET /api/portal/items/{id}/form': () => [[`/api/portal/items/${made.item}/form`, 200]],
  'POST /api/portal/requests': () => [
    ['/api/portal/requests', 201, { item_id: made.item, data: { title: 'Mine' } }],
    ['/api/portal/requests', 422, { item_id: made.item, data: { title: 'Mine', note: 'x', serial: 'kanarien' } }],
    ['/api/portal/requests', 422, { item_id: made.item, data: { photo: made.plan.slice(0, -1) } }],
  ],
  'GET /api/portal/requests': () => [
    ['/api/portal/requests', 200],
    ['/api/portal/requests?search=kanarien&state=open&sort=-title', 200],
  ],
  'GET /api/portal/requests/{id}': () => [['/api/portal/requests/1', 200]],
  'POST /api/portal/requests/{id}/comments': () => [['/api/portal/requests/1/comments', 201, { body: 'Any news?' }]],
  'POST /api/portal/requests/{id}/reopen': () => [['/api/portal/requests/1/reopen', 409]],
  'POST /api/portal/requests/{id}/rating': () => [['/api/portal/requests/1/rating', 409, { stars: 5 }]],
  'POST /api/portal/requests/{id}/watchers': () => [
    ['/api/portal/requests/1/watchers', 200, { user_ids: [service.admin.userId] }],
  ],
  'DELETE /api/portal/requests/{id}/watchers/{user_id}': () => [['/api/portal/requests/1/watchers/999', 404]],
  'GET /api/portal/requests/{id}/files': () => [
    [`/api/portal/requests/1/files?path=${made.plan.slice(0, -1)}`, 404],
    ['/api/portal/requests/1/files?path=files/1/none/x.png', 404],
  ],
  'GET /api/portal/approvals': () => [['/api/portal/approvals', 200]],
  'POST /api/portal/approvals/{id}/comments': () => [['/api/portal/approvals/999/comments', 404, { body: 'Yes?' }]],
  'GET /api/portal/articles': () => [['/api/portal/articles?search=kanarien', 200]],
  'GET /api/portal/articles/{id}': () => [['/api/portal/articles/1', 404]],
  'POST /api/portal/articles/{id}/vote': () => [['/api/portal/articles/1/vote', 404, { helpful: true }]],
  'GET /api/portal/suggest': () => [['/api/portal/suggest?text=kanarien', 200]],
  'GET /api/sys/jobs/{id}': () => [[`/api/sys/jobs/${made.job}`, 200]],
  'GET /api/sys/process-templates': () => [['/api/sys/process-templates', 200]],
  'GET /api/sys/process-templates/schema': () => [['/api/sys/process-templates/schema', 200]],
  'GET /api/sys/process-templates/{id}': () => [[`/api/sys/process-templates/${made.template}`, 200]],
  'GET /api/sys/process-instances': () => [['/api/sys/process-instances', 200]],
  'GET /api/sys/process-instances/{id}': () => [[`/api/sys/process-instances/${made.instance}`, 200]],
  'GET /api/sys/process-instances/{id}/diagram.svg': () => [
    [`/api/sys/process-instances/${made.instance}/diagram.svg`, 200],
  ],
  'POST /api/sys/process-instances/{id}/activities': () => [
    [`/api/sys/process-instances/${made.instance}/activities`, 422, { element_id: 'approve' }],
  ],
  'GET /api/sys/process-tasks': () => [['/api/sys/process-tasks', 200]],
  'GET /api/sys/process-tasks/{id}': () => [[`/api/sys/process-tasks/${made.task}`, 200]],
  'POST /api/sys/process-tasks/{id}/claim': () => [[`/api/sys/process-tasks/${made.task}/claim`, 200]],
  'PATCH /api/sys/process-tasks/{id}': () => [
    [`/api/sys/process-tasks/${made.task}`, 200, { due_at: '2036-11-24T09:00:00Z' }],
  ],
  'POST /api/sys/process-tasks/{id}/delegate': () => [
    [`/api/sys/process-tasks/${made.task}/delegate`, 422, { to: 999_999 }],
  ],
  'POST /api/sys/process-tasks/{id}/reassign': () => [
    [`/api/sys/process-tasks/${made.task}/reassign`, 422, { assignee: 999_999 }],
  ],
  'POST /api/sys/process-tasks/{id}/unclaim': () => [[`/api/sys/process-tasks/${made.task}/unclaim`, 409]],
  'POST /api/sys/process-tasks/{id}/complete': () => [[`/api/sys/process-tasks/${made.task}/complete`, 200, {}]],
  'POST /api/sys/process-messages': () => [['/api/sys/process-messages', 403, { name: 'paid' }]],
  'POST /api/sys/process-signals': () => [['/api/sys/process-signals', 403, { name: 'paid' }]],
  'POST /api/sys/process-instances': () => [
    ['/api/sys/process-instances', 201, { template_id: made.template, record_id: made.record }],
  ],
  'GET /api/sys/entities': () => [['/api/sys/entities', 200]],
  'GET /api/sys/entities/name/{model}': () => [['/api/sys/entities/name/requests', 200]],
  'GET /api/user': () => [['/api/user', 200]],
  'PUT /api/user': () => [['/api/user', 200, { name: 'Clerk' }]],
  'GET /api/sys/channels': () => [['/api/sys/channels', 200]],
  'GET /api/sys/notification_templates': () => [['/api/sys/notification_templates', 200]],
  'GET /api/sys/incoming_messages': () => [['/api/sys/incoming_messages', 200]],
  'GET /api/sys/incoming_messages/{id}': () => [['/api/sys/incoming_messages/1', 404]],
  'POST /api/sys/incoming_messages': () => [['/api/sys/incoming_messages', 403, { body: 'x' }]],
  'POST /api/sys/incoming_messages/{id}/records': () => [
    ['/api/sys/incoming_messages/1/records', 404, { model: 'requests', data: { title: 'kanarien' } }],
  ],
  'POST /api/sys/incoming_messages/{id}/dismiss': () => [['/api/sys/incoming_messages/1/dismiss', 403]],
  'POST /api/sys/incoming_messages/{id}/reopen': () => [['/api/sys/incoming_messages/1/reopen', 403]],
  'GET /api/sys/incoming-actions': () => [['/api/sys/incoming-actions', 200]],
  'GET /api/sys/incoming-actions/models': () => [['/api/sys/incoming-actions/models', 200]],
  'GET /api/sys/incoming-actions/{id}': () => [['/api/sys/incoming-actions/1', 404]],
  'POST /api/sys/incoming-actions/{action_id}/prepare': () => [
    ['/api/sys/incoming-actions/1/prepare', 404, { message_id: 1 }],
  ],
  'POST /api/sys/incoming-actions/{id}/execute': () => [
    ['/api/sys/incoming-actions/1/execute', 404, { message_id: 1 }],
  ],
  'GET /api/notifications': () => [['/api/notifications', 200]],
  'POST /api/notifications/{id}/read': () => [['/api/notifications/1/read', 404]],
  'POST /api/notifications/read-all': () => [['/api/notifications/read-all', 200]],
  'GET /api/user/preferences': () => [['/api/user/preferences', 200]],
  'PUT /api/user/preferences': () => [['/api/user/preferences', 200, { notifications: {} }]],
  'POST /api/user/messenger-link': () => [['/api/user/messenger-link', 200]],
  'DELETE /api/user/messenger-link': () => [['/api/user/messenger-link', 204]],
  'GET /api/users': () => [['/api/users', 200]],
  'POST /api/user/switch': () => [['/api/user/switch', 422, { tenant: 'elsewhere' }]],
  'GET /api/user/sessions': () => [['/api/user/sessions', 200]],
  'DELETE /api/user/sessions/{id}': () => [['/api/user/sessions/1', 404]],
  'DELETE /api/user/sessions': () => [['/api/user/sessions', 204]],
  'POST /api/user/mfa': () => [['/api/user/mfa', 422, { password: 'not this one' }]],
  'POST /api/user/mfa/confirm': () => [['/api/user/mfa/confirm', 409, { code: '123456' }]],
  'DELETE /api/user/mfa': () => [['/api/user/mfa', 409, { code: '123456' }]],
  'POST /api/email/verify/resend': () => [['/api/email/verify/resend', 200]],
  'DELETE /api/e/{model}/{id}': () => [
    [`/api/e/clients/${made.payer}`, 422],
    [record(), 204],
  ],
  'POST /api/logout': () => [['/api/logout', 200]],
}

describe('values of hidden fields', () => {
  const routes = allRoutes.filter((route) => !route.open)
  const forAdministrators = routes.filter(({ permission }) => permission?.kind === 'administrator')
  const order = Object.keys(walk)

  it('are looked for on every route, or the route is for administrators', () => {
    const open = routes.filter((route) => !forAdministrators.includes(route))
    expect(open.map(({ key }) => key).sort()).toEqual(order.toSorted())
  })

  it.each(order)('stay hidden: %s', async (key) => {
    const method = key.slice(0, key.indexOf(' '))
    for (const [path, status, body] of walk[key]?.() ?? []) {
      const answer = await asClerk(method, path, body)
      expect([path, answer.status, JSON.stringify(answer.status === status ? '' : answer.body)]).toEqual([
        path,
        status,
        '""',
      ])
      expect([path, revealed(answer)]).toEqual([path, []])
    }
  })

  it('are not in the file of a large export', async () => {
    const { body } = await service.api('GET', `/api/sys/jobs/${made.job}`, { token: service.admin.token })
    const file = await (await fetch(body.data.result.url)).text()
    expect([file.includes('Bulk 0.1'), made.texts.filter((canary) => file.includes(canary))]).toEqual([true, []])
  })
})

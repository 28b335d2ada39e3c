import { sendMessage, sendSignal } from '../../../functions/api/processes/event-routes.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { ringBell } from '../../../shared/messages/bell/ring-bell.ts'
import { deliveryItem } from '../../../shared/messages/deliveries/rows/delivery-row.ts'
import { threadKeys } from '../../../shared/messages/deliveries/threads/thread-key.ts'
import { followToken } from '../../../shared/platform/mail/follow-token.ts'
import { sequenceKey } from '../../../shared/platform/store/keys/records.ts'
import type { TestService } from '../services/service.ts'
import { itemsOf } from '../services/stores/items-of.ts'
import { tableDocument } from './decision-document.ts'
import { finishedJob } from './finished-job.ts'
import { aDelivery } from './messages/deliveries.ts'
import { userWith } from './people.ts'
import { bpmn, end, inARow, makeProcess, start } from './processes/processes.ts'
import { makeTable } from './records/tables.ts'
import { upload } from './records/uploads.ts'

/** A word in all data of the victim that others may not read, and in no request. */
export const secret = 'zebrafish'
/** A word in its configuration, which every user of the tenant may read. */
export const tenantWord = 'lynx'

/** Ids and values of the data of the first tenant, which no other tenant has. */
export interface Victim {
  readonly record: number
  /** One that is part of another since a merge, and the token of its link for people outside. */
  readonly merged: number
  readonly followToken: string
  readonly client: number
  readonly user: number
  readonly role: number
  readonly apiKey: number
  readonly roleName: string
  readonly relation: number
  readonly mapping: number
  readonly table: number
  readonly job: number
  readonly batch: number
  readonly macro: number
  readonly snippet: number
  readonly mailbox: number
  readonly decision: number
  readonly article: number
  readonly portalItem: number
  readonly importMapping: number
  readonly portalRequest: number
  readonly invitation: number
  readonly session: number
  readonly template: number
  readonly instance: number
  readonly task: number
  readonly channel: number
  readonly notificationTemplate: number
  readonly delivery: number
  readonly notification: number
  readonly comment: number
  readonly subscription: number
  readonly view: number
  readonly message: number
  readonly source: number
  readonly rule: number
  readonly file: string
  readonly cursor: string
  readonly moment: string
}

const fields = (more: readonly object[]) => [
  { name: 'title', type: 'text', required: true },
  { name: 'code', type: 'text', unique: true },
  { name: 'client_id', type: 'model_list', target_table: 'clients' },
  { name: 'owner_id', type: 'user' },
  { name: 'company_id', type: 'company' },
  { name: 'photo', type: 'file' },
  ...more,
]

/** Creates tables, one record each, a user, a role and a relation for the tenant of `token`; answers their ids. */
export async function makeTenantData(service: TestService, token: string, words: string) {
  const api = async (method: string, path: string, body?: unknown): Promise<any> => {
    const answer = await service.api(method, path, { token, body })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }
  await makeTable(service, 'clients', [{ name: 'name', type: 'text' }], token)
  await makeTable(service, 'requests', fields([]), token)
  const role = await api('POST', '/api/sys/roles', { name: `${words}_role`, permissions: [] })
  const user = await api('POST', '/api/sys/users', {
    name: words,
    email: `${words}@${words}.test`,
    password: 'sufficiently long 7',
    roles: [],
  })
  const relation = await api('POST', '/api/sys/relations', { name: words, l_table: 'requests', r_table: 'clients' })
  await api('POST', '/api/tenant/invite', { email: `invited@${words}.test`, roles: [`${words}_role`] })
  const client = await api('POST', '/api/e/clients', { name: words })
  const record = await api('POST', '/api/e/requests', { title: words })
  return {
    role: role.id as number,
    user: user.id as number,
    relation: relation.id as number,
    client: client.id as number,
    record: record.id as number,
  }
}

const laterSequences = [
  'sys_batches',
  'sys_macros',
  'sys_snippets',
  'sys_mailboxes',
  'sys_decisions',
  'sys_portal_items',
  'sys_import_mappings',
  'sys_portal_requests',
  'sys_ratings',
  'sys_articles',
  'sys_auth_mappings',
  'sys_process_templates',
  'sys_process_instances',
  'sys_process_tasks',
  'sys_channels',
  'sys_notification_templates',
  'sys_subscriptions',
  'sys_views',
  'sys_deliveries',
  'sys_comments',
  'sys_incoming_messages',
  'sys_inbound_sources',
  'sys_incoming_actions',
]

/** Creates data of the first tenant twice: the second time with ids from 5001 on, which are those of the victim. */
export async function makeVictim(service: TestService): Promise<Victim> {
  const { token } = service.admin
  const api = async (method: string, path: string, body?: unknown): Promise<any> => {
    const { status, body: answered } = await service.api(method, path, { token, body })
    if (status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answered)}`)
    return answered
  }
  await makeTenantData(service, token, tenantWord)
  await userWith(service, [])
  const items = await itemsOf(service, 'T#1#SEQ#')
  for (const name of new Set([...items.map(({ sk }) => sk), 'sys_jobs', ...laterSequences])) {
    await service.store.write(
      { id: 1 },
      {
        update: sequenceKey({ id: 1 }, name),
        change: { expression: 'SET #next = :n', names: { '#next': 'next' }, values: { ':n': 5000 } },
      },
    )
  }
  const table = (await makeTable(service, 'vault', [{ name: 'title', type: 'text', searchable: false }])).id as number
  await api('POST', '/api/e/vault', { title: secret })
  const changed = await api('PUT', '/api/sys/entities/name/vault', {
    name: 'vault',
    label: tenantWord,
    table_fields: [{ name: 'title', type: 'text', searchable: true }],
  })
  const job = changed.data.rebuilding.job_id as number
  await finishedJob(service, job)
  const bulk = await api('POST', '/api/e/vault/bulk', { filter: {}, set: { title: `${secret} too` } })
  const batch = bulk.data.batch_id as number
  const macro = (
    await api('POST', '/api/sys/macros', { name: `${secret} macro`, model: 'vault', set: { title: secret } })
  ).data.id as number
  const snippet = (await api('POST', '/api/sys/snippets', { name: `${secret} snippet`, body: secret, model: 'vault' }))
    .data.id as number
  const decision = (
    await api('POST', '/api/sys/decisions', {
      name: `${secret} decision`,
      dmn_xml: tableDocument({ inputs: ['title'], outputs: ['x'], rules: [[`"${secret}"`, `"${secret}"`]] }),
    })
  ).data.id as number
  const roleName = `${tenantWord}_victim`
  const role = (await api('POST', '/api/sys/roles', { name: roleName, permissions: [] })).data.id
  const user = (
    await api('POST', '/api/sys/users', {
      name: `${secret} person`,
      email: `${secret}@acme.test`,
      password: 'sufficiently long 7',
      roles: [roleName],
    })
  ).data.id
  const article = (
    await api('POST', '/api/e/sys_articles', {
      title: `${secret} quartz`,
      body: secret,
      state: 'published',
      roles: [roleName],
    })
  ).data.id as number
  const portalItem = (
    await api('POST', '/api/sys/portal/items', {
      name: `${secret} item`,
      model: 'vault',
      fields: ['title'],
      roles: [roleName],
    })
  ).data.id as number
  const importMapping = (
    await api('POST', '/api/sys/import-mappings', {
      name: `${secret} file`,
      model: 'vault',
      mapping: { [`${secret} column`]: 'title' },
    })
  ).data.id as number
  const portalRequest = (await api('POST', '/api/portal/requests', { item_id: portalItem, data: { title: secret } }))
    .data.id as number
  const apiKey = (await api('POST', '/api/sys/api-keys', { name: `${secret} key`, roles: [roleName] })).data.id
  const invitation = (await api('POST', '/api/tenant/invite', { email: `${secret}@invited.test`, roles: [roleName] }))
    .data.id
  const session = Number((await userWith(service, [])).token.split('|')[0])
  const relation = (
    await api('POST', '/api/sys/relations', { name: `${tenantWord} victim`, l_table: 'requests', r_table: 'clients' })
  ).data.id
  const unit = (await api('POST', '/api/e/sys_org_units', { name: `${secret} unit` })).data.id
  const mapping = (
    await api('POST', '/api/sys/auth-mappings', { group: `${secret} group`, org_unit_id: unit, roles: [roleName] })
  ).data.id
  const client = (await api('POST', '/api/e/clients', { name: `${secret} client quartz` })).data.id
  const file = await upload(service, { name: 'plan.png' })
  const record = (
    await api('POST', '/api/e/requests', {
      title: `${secret} quartz`,
      code: 'S-1',
      client_id: client,
      owner_id: user,
      photo: file,
    })
  ).data.id
  await api('POST', '/api/e/requests', { title: `${secret} quartz too` })
  const survivor = (await api('POST', '/api/e/requests', { title: `${secret} survivor` })).data.id
  const merged = (await api('POST', '/api/e/requests', { title: `${secret} merged`, code: 'S-3' })).data.id as number
  await api('POST', `/api/e/requests/${merged}/merge`, { into: survivor })
  const threadKey = await threadKeys({ store: service.store, clock })({ id: 1 })
  await api('POST', `/api/sys/add_related_instances/${relation}/l_table/${record}`, { ids: [client] })
  const template = (
    await makeProcess(
      service,
      'requests',
      `${tenantWord}_process`,
      bpmn(inARow(start, `<userTask id="wait" name="${tenantWord}"/>`, end)),
    )
  ).id
  const instance = (await api('POST', '/api/sys/process-instances', { template_id: template, record_id: record })).data
  // What the examples of messages and signals name, waits in this company: by the id of the record, and as a beginning.
  const events = Object.entries({ message: sendMessage.example?.body, signal: sendSignal.example?.body })
  for (const [kind, { name }] of events as [string, { name: string }][]) {
    const refers = `<${kind}EventDefinition ${kind}Ref="Sent"/>`
    const declared = (elements: string) =>
      bpmn(elements).replace('<process ', `<${kind} id="Sent" name="${name}"/><process `)
    const waits = `<intermediateCatchEvent id="wait">${refers}</intermediateCatchEvent>`
    const begins = `<startEvent id="start">${refers}</startEvent>`
    const waiting = await makeProcess(service, 'requests', `${tenantWord}_${kind}`, declared(inARow(start, waits, end)))
    await makeProcess(
      service,
      'requests',
      `${tenantWord}_by_${kind}`,
      declared(inARow(begins, '<userTask id="wait"/>', end)),
    )
    await api('POST', '/api/sys/process-instances', { template_id: waiting.id, record_id: record })
  }
  const channel = (
    await api('POST', '/api/sys/channels', {
      name: `${tenantWord} hook`,
      type: 'webhook',
      config: { url: `https://${secret}.test/hook` },
    })
  ).data.id
  const notificationTemplate = (
    await api('POST', '/api/sys/notification_templates', {
      name: `${tenantWord} mail`,
      code: `${tenantWord}_mail`,
      subject: secret,
      body: `<p>${secret}</p>`,
    })
  ).data.id
  const subscription = (
    await api('POST', '/api/sys/subscriptions', {
      name: `${secret} subscription`,
      table: 'requests',
      events: ['create'],
      channel_id: channel,
      is_active: false,
    })
  ).data.id
  const view = (
    await api('POST', '/api/sys/views', {
      model: 'requests',
      name: `${secret} view`,
      filter: { title: { _contains: secret } },
    })
  ).data.id
  const delivery = 5001
  const sent = aDelivery({
    id: delivery,
    channelId: channel,
    status: 'failed',
    recipient: secret,
    nextAttemptAtMs: null,
  })
  await service.store.write({ id: 1 }, { put: deliveryItem({ id: 1 }, sent, clock.now()) })
  await ringBell({ store: service.store, clock }, { id: 1 }, [
    {
      key: secret,
      userId: service.admin.userId,
      title: secret,
      text: secret,
      url: null,
      category: 'message',
      createdAtMs: clock.now(),
      model: 'requests',
      recordId: record,
    },
  ])
  const notification = (await api('GET', '/api/notifications')).data[0].id
  const comment = (await api('POST', `/api/e/requests/${record}/comments`, { body: `${secret} comment` })).data.id
  const message = (
    await api('POST', '/api/sys/incoming_messages', {
      from_email: `${secret}@mail.test`,
      subject: secret,
      body: secret,
    })
  ).data.id
  const mailbox = (
    await api('POST', '/api/sys/mailboxes', {
      name: `${secret} mailbox`,
      address: `${secret}@mail.test`,
      is_enabled: false,
      incoming: { protocol: 'local' },
    })
  ).data.id
  const source = (await api('POST', '/api/sys/inbound-sources', { name: `${secret} source` })).data.id
  const rule = (
    await api('POST', '/api/sys/incoming-actions', {
      name: `${secret} rule`,
      channel: 'api',
      target_model: 'requests',
      field_mapping: { title: 'subject' },
    })
  ).data.id
  const cursor = (await api('GET', '/api/e/requests?per_page=1')).meta.next_cursor
  await service.cloud.idle()
  return {
    record,
    merged,
    followToken: followToken(threadKey, 1, { model: 'requests', id: merged }),
    client,
    user,
    role,
    apiKey,
    roleName,
    relation,
    mapping,
    table,
    job,
    batch,
    macro,
    snippet,
    mailbox,
    decision,
    article,
    portalItem,
    importMapping,
    portalRequest,
    invitation,
    session,
    template,
    instance: instance.id,
    task: instance.tokens[0].task_id,
    channel,
    notificationTemplate,
    delivery,
    notification,
    comment,
    subscription,
    view,
    message,
    source,
    rule,
    file,
    cursor,
    moment: new Date(clock.now()).toISOString(),
  }
}

import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { configKey } from '../../../shared/platform/store/keys/configuration.ts'
import { finishedJob } from '../../make/builders/finished-job.ts'
import { otherTenant, userWith } from '../../make/builders/people.ts'
import { sample } from '../../make/builders/records/uploads.ts'
import { makeVictim, secret, type Victim } from '../../make/builders/victim.ts'
import { startService, type TestService } from '../../make/services/service.ts'
import { everyItem } from '../../make/services/stores/whole-store.ts'
import { extractWithUnzip, readZip } from '../../make/services/unzip.ts'

let service: TestService
let victim: Victim
let job: any
let zip: Buffer
let entries: Map<string, Buffer>
const canary = 'canary-of-a-mailbox'

const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })
const rows = (name: string): any[] =>
  (entries.get(`${name}-0001.ndjson`)?.toString() ?? '')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
const sha256 = (bytes: Buffer | undefined) =>
  createHash('sha256')
    .update(bytes ?? '')
    .digest('hex')

beforeAll(async () => {
  service = await startService({ log: () => {}, environment: { SETTLE_MS: '100' } })
  victim = await makeVictim(service)
  const other = await otherTenant(service, 'quagga')
  await service.api('POST', '/api/sys/roles', { token: other.token, body: { name: 'quagga_role', permissions: [] } })
  // What is kept of it for its return is not exported.
  await api('POST', `/api/e/requests/${victim.record + 1}/comments`, { body: 'Away' })
  await api('DELETE', `/api/e/requests/${victim.record + 1}`)
  for (const [name, doc] of [
    ['MAIL_PASSWORD', { value: canary }],
    ['MAIL_HOST', { value: '127.0.0.1', sealed: canary }],
  ] as const)
    await service.store.write(
      { id: 1 },
      {
        put: {
          ...configKey({ id: 1 }, 'SETTING', name),
          kind: 'config',
          v: 1,
          name,
          version: 1,
          doc: JSON.stringify(doc),
          updated_by: 1,
          updated_at: '2026-11-20T07:17:00.000Z',
        },
      },
    )
  await api('PUT', '/api/user/preferences', { notifications: { comment: { email: true } } })
  await api('PUT', `/api/e/requests/${victim.record}/snooze`, { until: '2036-11-23T08:00:00Z' })
  await api('POST', `/api/portal/articles/${victim.article}/vote`, { helpful: false })
  await service.cloud.idle()
  const started = await api('POST', '/api/tenant/export')
  if (started.status !== 202) throw new Error(JSON.stringify(started.body))
  job = await finishedJob(service, started.body.data.job_id)
  zip = Buffer.from(await (await fetch(job.result.url)).arrayBuffer())
  entries = readZip(zip)
})
afterAll(() => service?.stop())

describe('the archive of a company', () => {
  it('is downloaded by an address that works for an hour', async () => {
    expect(job).toMatchObject({ status: 'done', errors: [] })
    const { url, expires_at, name, size, content_type } = job.result
    expect([name, size, content_type]).toEqual([
      expect.stringMatching(/^acme-\d{4}-\d\d-\d\d\.zip$/),
      zip.length,
      'application/zip',
    ])
    expect(Date.parse(expires_at) - Date.now()).toBeLessThanOrEqual(3_600_000)
    expect((await fetch(url)).headers.get('content-disposition')).toBe(`attachment; filename="${name}"`)
  })

  it('is opened by unzip', ({ skip }) => {
    const extracted = extractWithUnzip(zip)
    if (!extracted) skip('this machine has no unzip')
    expect([...extracted!.keys()].sort()).toEqual([...entries.keys()].sort())
    for (const [name, bytes] of entries) expect([name, extracted!.get(name)?.equals(bytes)]).toEqual([name, true])
  })

  it('has every part of the data', () => {
    expect(rows('tenant')).toEqual([{ slug: 'acme', name: 'Acme Ltd' }])
    expect(rows('users').find(({ id }) => id === victim.user)).toMatchObject({
      name: `${secret} person`,
      email: `${secret}@acme.test`,
      roles: [victim.roleName],
    })
    expect(rows('preferences')).toEqual([
      {
        user_id: service.admin.userId,
        notifications: { comment: { email: true } },
        digest: 'none',
        quiet: null,
        time_zone: null,
      },
    ])
    expect(rows('snoozes')).toEqual([
      {
        user_id: service.admin.userId,
        model: 'requests',
        id: victim.record,
        version: 1,
        snoozed_until: '2036-11-23T08:00:00.000Z',
      },
    ])
    expect(rows('api_keys')).toEqual([
      {
        id: victim.apiKey,
        name: `${secret} key`,
        roles: [victim.roleName],
        is_active: true,
        created_by: service.admin.userId,
        created_at: expect.any(String),
        expires_at: null,
        last_used_at: null,
      },
    ])
    expect(rows('records/requests').find(({ id }) => id === victim.record)).toMatchObject({
      version: 1,
      data: { title: `${secret} quartz`, client_id: victim.client, photo: victim.file },
    })
    expect(rows('records/requests').some(({ id }) => id === victim.record + 1)).toBe(false)
    expect(rows('history/requests').filter(({ record_id }) => record_id === victim.record + 1)).toMatchObject([
      { action: 'create', changes: { title: { new: `${secret} quartz too` } } },
      { action: 'delete' },
    ])
    expect(rows(`relations/${victim.relation}`)).toEqual([{ l: victim.record, r: victim.client }])
    expect(rows('comments')).toMatchObject([
      { id: victim.comment, model: 'requests', record_id: victim.record, body: `${secret} comment` },
    ])
    expect(rows('incoming_messages').filter(({ id }) => id === victim.message)).toMatchObject([
      { channel: 'api', subject: secret, body: secret, records: [] },
    ])
    expect(rows('watchers')).toEqual([{ model: 'requests', record_id: victim.record, added: [], muted: [] }])
    expect(rows('portal/requests')).toMatchObject([
      { id: victim.portalRequest, item_id: victim.portalItem, model: 'vault', user_id: service.admin.userId },
    ])
    expect(rows('portal/votes')).toEqual([
      { article_id: victim.article, user_id: service.admin.userId, is_helpful: false },
    ])
    // Its process, and those that wait for a message and a signal.
    expect(rows('processes/instances').map(({ code }) => String(code).split('_').at(-1))).toEqual([
      'process',
      'message',
      'signal',
    ])
    const instance = rows('processes/instances').find(({ id }) => id === victim.instance)
    expect(instance).toMatchObject({ status: 'running', variables: {} })
    expect(instance.activities.length).toBeGreaterThan(0)
    expect(rows('processes/tasks')).toMatchObject([{ id: victim.task, instance_id: victim.instance }])
    const versions = rows('processes/versions')
    expect(versions).toHaveLength(5)
    expect(versions.map(({ template_id }) => template_id)).toContain(victim.template)
    for (const { version, bpmn_xml } of versions) expect([version, bpmn_xml]).toEqual([1, expect.stringContaining('<')])
    expect(rows('decisions/versions')).toMatchObject([{ version: 1, dmn_xml: expect.stringContaining('<') }])
    expect(new Set(rows('configuration').map(({ kind }) => kind))).toEqual(
      new Set([
        'auth_mapping',
        'channel',
        'decision',
        'import_mapping',
        'inbound_source',
        'mailbox',
        'incoming_action',
        'macro',
        'notification_template',
        'portal_item',
        'process',
        'relation',
        'role',
        'setting',
        'snippet',
        'subscription',
        'table',
      ]),
    )
    expect(rows('trail').some(({ action, model }) => action === 'login' && model === 'sys_users')).toBe(true)
    expect(rows('files')).toEqual([
      {
        path: victim.file,
        name: 'plan.png',
        content_type: 'image/png',
        size: sample.png.length,
        uploaded_by: service.admin.userId,
        records: [{ model: 'requests', id: victim.record }],
      },
    ])
    expect(entries.get(victim.file)).toEqual(sample.png)
  })

  it('has a manifest with counts, and checksums of all entries', () => {
    const manifest = JSON.parse(String(entries.get('manifest.json')))
    expect(manifest).toMatchObject({
      format: 'tenant-export',
      version: 1,
      tenant: { slug: 'acme', name: 'Acme Ltd' },
      files: 1,
    })
    expect(manifest.rows).toEqual(job.result.rows)
    for (const [name, count] of Object.entries(manifest.rows)) expect([name, rows(name).length]).toEqual([name, count])
    const sums = new Map<string, string>()
    for (const { name, sha256: sum } of manifest.checksums) {
      expect(sha256(entries.get(name))).toBe(sum)
      for (const line of String(entries.get(name)).trimEnd().split('\n')) sums.set(line.slice(66), line.slice(0, 64))
    }
    const covered = [...entries.keys()].filter((name) => name !== 'manifest.json' && !name.startsWith('checksums-'))
    expect([...sums.keys()].sort()).toEqual(covered.sort())
    for (const [name, sum] of sums) expect([name, sha256(entries.get(name))]).toEqual([name, sum])
  })

  it('has no secret, hash or token, and nothing of another company', async () => {
    const text = [...entries.values()].map(String).join('\n')
    expect(rows('configuration').filter(({ kind }) => kind === 'setting')).toMatchObject([
      { name: 'MAIL_HOST', document: { value: '127.0.0.1', sealed: '********' } },
      { name: 'MAIL_PASSWORD', document: '********' },
    ])
    expect(text).not.toContain(canary)
    expect(text).not.toContain('argon2')
    expect(text).not.toContain('quagga')
    const hashes = (await everyItem(service)).flatMap(({ secret_hash, password_hash, write_id }) =>
      [secret_hash, password_hash, write_id].filter((value) => typeof value === 'string'),
    )
    expect(hashes.length).toBeGreaterThan(3)
    expect(hashes.filter((hash) => text.includes(hash))).toEqual([])
    expect(text).not.toContain(service.admin.token.split('|')[1])
  })
})

describe('an export of a company', () => {
  it('is for administrators', async () => {
    const { token } = await userWith(service, ['*'])
    expect((await service.api('POST', '/api/tenant/export', { token })).status).toBe(403)
  })

  it('runs once at a time', { timeout: 240_000 }, async () => {
    const answers = await Promise.all([1, 2, 3].map(() => api('POST', '/api/tenant/export')))
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409])
    const accepted = answers.find(({ status }) => status === 202)!.body.data.job_id
    const refused = answers.filter(({ status }) => status === 409).map(({ body }) => body)
    expect(refused).toMatchObject([{ code: 'export_running' }, { code: 'export_running' }])
    await finishedJob(service, accepted)
    const again = await api('POST', '/api/tenant/export')
    expect(again.status).toBe(202)
    expect((await finishedJob(service, again.body.data.job_id)).status).toBe('done')
  })
})

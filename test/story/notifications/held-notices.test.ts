import { afterAll, beforeAll, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { bpmn, end, inARow, makeProcess, start } from '../../make/builders/processes/processes.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { startService, type TestService } from '../../make/services/service.ts'

/* Notices wait for a digest or for the end of quiet hours, and leave together: each once, to who may still read it. */

let service: TestService
beforeAll(async () => {
  service = await startService({
    log: (line) => {
      if (/error|"level":"(warn|error)/i.test(String(line))) console.log(String(line).slice(0, 900))
    },
  })
  const config = { transport: 'ses', from_address: 'desk@acme.test' }
  await data('POST', '/api/sys/channels', { name: 'mail', type: 'email', is_default: true, config })
  await data('PUT', '/api/sys/settings', { TIMEZONE: 'Asia/Kathmandu' })
  await makeTable(service, 'cases', [
    { name: 'title', type: 'text', required: true },
    { name: 'agent', type: 'user' },
  ])
})
afterAll(() => service?.stop())

interface Person {
  readonly id: number
  readonly token: string
}

async function data(method: string, path: string, body?: unknown, token = service.admin.token): Promise<any> {
  const answer = await service.api(method, path, { token, body })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body?.data
}
const addressOf = async ({ id }: Pick<Person, 'id'>): Promise<string> =>
  (await data('GET', `/api/sys/users/${id}`)).email
async function mailsTo(person: Pick<Person, 'id'>): Promise<any[]> {
  await service.cloud.idle()
  const to = encodeURIComponent(await addressOf(person))
  return ((await (await fetch(`${service.url}/_local/outbox?type=mail&to=${to}`)).json()) as { data: any[] }).data
}
const sourceOf = async ({ id }: { readonly id: number }): Promise<string> =>
  (await (await fetch(`${service.url}/_local/outbox/${id}/source`)).text())
    .replaceAll('=\r\n', '')
    .replaceAll('=3D', '=')
const choose = (person: Person, choices: object) => data('PUT', '/api/user/preferences', choices, person.token)
const byMail = { comment: { email: true }, change: { email: true }, system: { email: true } }
/** Has what waits looked at, as the schedule does each minute. */
async function sweep(): Promise<void> {
  await service.cloud.idle()
  await service.cloud.invoke('due-sweeper')
  await service.cloud.idle()
}
async function deliveriesTo(person: Person): Promise<any[]> {
  await service.cloud.idle()
  const email = await addressOf(person)
  return (await data('GET', '/api/sys/deliveries?per_page=100')).filter(({ recipient }: any) => recipient === email)
}
async function watched(person: Person, title: string): Promise<number> {
  const { id } = await data('POST', '/api/e/cases', { title })
  await data('POST', `/api/e/cases/${id}/watchers`, undefined, person.token)
  return id
}
const comment = (id: number, body: string) => data('POST', `/api/e/cases/${id}/comments`, { body })
/** Quiet hours that have begun, by the clocks of a time zone. */
function quietNow(timeZone: string, hours = 3): { from: string; to: string } {
  const at = (ms: number) =>
    new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(ms)
  return { from: at(Date.now() - 3_600_000), to: at(Date.now() + hours * 3_600_000) }
}

it('a digest gathers by record what happened until the full hour, and follows what its reader chooses meanwhile', async () => {
  const agent = await userWith(service, ['cases.read', 'cases.comment'])
  const chosen = await choose(agent, { notifications: byMail, digest: 'hourly', time_zone: 'Europe/Berlin' })
  expect(chosen).toMatchObject({ digest: 'hourly', quiet: null, time_zone: 'Europe/Berlin' })
  expect(await data('GET', '/api/user/preferences', undefined, agent.token)).toEqual(chosen)
  const [first, second] = [await watched(agent, 'The printer'), await watched(agent, 'The coffee machine')]
  await comment(first, 'It is on fire.')
  await comment(second, 'No more beans.')
  await comment(first, 'It is out.')
  expect(await mailsTo(agent)).toEqual([])
  const [waiting, ...others] = await deliveriesTo(agent)
  expect(others).toEqual([])
  expect(waiting).toMatchObject({ status: 'queued', attempt_count: 0 })
  const leaves = new Date(waiting.next_attempt_at)
  expect([leaves.getUTCMinutes(), leaves.getTime() > Date.now()]).toEqual([0, true])
  // The bell rings at once.
  expect(await data('GET', '/api/notifications', undefined, agent.token)).toHaveLength(3)

  await choose(agent, { digest: 'daily' })
  await sweep()
  const moved = (await deliveriesTo(agent))[0]
  expect([moved.id, moved.status]).toEqual([waiting.id, 'queued'])
  expect(
    new Date(moved.next_attempt_at).toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin', timeStyle: 'short' }),
  ).toBe('08:00')

  await choose(agent, { digest: 'none' })
  await sweep()
  const [mail, ...more] = await mailsTo(agent)
  expect(more).toEqual([])
  expect(mail.subject).toBe('3 notifications')
  const source = await sourceOf(mail)
  const order = ['It is on fire.', 'It is out.', 'No more beans.']
  const html = source.slice(source.lastIndexOf('text/html'))
  expect(order.map((text) => html.indexOf(text)).every((at, n, all) => at > (all[n - 1] ?? 0))).toBe(true)
  expect(source).toContain(`${service.url}/e/cases/${first}`)
  expect(await deliveriesTo(agent)).toMatchObject([{ id: waiting.id, status: 'delivered', subject: '3 notifications' }])
  // What comes later leaves at once, by itself, in its thread.
  await comment(first, 'A new one is ordered.')
  const [single] = await mailsTo(agent)
  expect(single.subject).toContain('commented on')
  await sweep()
  expect(await mailsTo(agent)).toHaveLength(2)
})

it('quiet hours hold back what is not urgent, until they end', async () => {
  const approver = await userWith(service, [])
  await choose(approver, { quiet: quietNow('Asia/Kathmandu') })
  const asked = (name: string, due: string) =>
    `<userTask id="ask" name="${name}" wf:assignee="${approver.id}" wf:outcomes="yes,no" ${due}/>`
  for (const [table, name, due] of [
    ['urgent_things', 'Now?', 'wf:dueDate="PT1H"'],
    ['slow_things', 'Later?', 'wf:dueDate="P3D"'],
    ['any_things', 'Some day?', ''],
  ] as const) {
    await makeTable(service, table, [{ name: 'title', type: 'text', required: true }])
    await makeProcess(service, table, table, bpmn(inARow(start, asked(name, due), end)), { is_auto_start: true })
    await data('POST', `/api/e/${table}`, { title: 'One' })
  }
  expect((await mailsTo(approver)).map(({ subject }) => subject)).toEqual(['New task: Now?'])
  await sweep()
  expect(await mailsTo(approver)).toHaveLength(1)
  // Another end of the quiet hours counts for what waits.
  await choose(approver, { quiet: null })
  await sweep()
  const [gathered, ...others] = await mailsTo(approver)
  expect(others).toHaveLength(1)
  expect(gathered.subject).toBe('2 notifications')
  const source = await sourceOf(gathered)
  expect(source).toContain('Later?')
  expect(source).toContain('Some day?')
  // Each of them can be decided from the mail.
  const links = [
    ...new Set([...source.matchAll(/href="[^"]*\/decide\/([^"?]+)\?outcome=no"/g)].map(([, token]) => token)),
  ]
  expect(links).toHaveLength(2)
  for (const token of links)
    expect((await service.api('POST', `/api/decide/${token}`, { body: { outcome: 'no' } })).status).toBe(200)
})

it('who may not read a record any more when a digest leaves does not read of it', async () => {
  await data('POST', '/api/sys/roles', { name: 'case_readers', permissions: ['cases.read', 'cases.comment_internal'] })
  const agent = await userWith(service, [])
  await data('PUT', `/api/sys/users/${agent.id}`, { roles: ['case_readers'] })
  await choose(agent, { notifications: byMail, digest: 'daily' })
  const id = await watched(agent, 'Salaries')
  await comment(id, 'They rise.')
  expect(await deliveriesTo(agent)).toMatchObject([{ status: 'queued' }])
  await data('PUT', `/api/sys/users/${agent.id}`, { roles: [] })
  await choose(agent, { digest: 'none' })
  await sweep()
  expect(await mailsTo(agent)).toEqual([])
  expect(await deliveriesTo(agent)).toMatchObject([
    { status: 'cancelled', last_error: expect.stringContaining('may not read') },
  ])
})

it('what waits alone leaves as it would have, and answers lead to its record', async () => {
  const agent = await userWith(service, ['cases.read', 'cases.comment'])
  await choose(agent, { notifications: byMail, quiet: quietNow('Asia/Tokyo'), time_zone: 'Asia/Tokyo' })
  const id = await watched(agent, 'The lift')
  await comment(id, 'It is stuck.')
  expect(await mailsTo(agent)).toEqual([])
  await choose(agent, { quiet: null })
  await sweep()
  const [mail] = await mailsTo(agent)
  expect(mail.subject).toContain(`commented on cases ${id}`.slice(0, 12))
  expect(await data('GET', `/api/sys/deliveries?model=cases&record_id=${id}`)).toMatchObject([{ status: 'delivered' }])
})

it('says what is wrong with a time, a zone and a digest', async () => {
  const { token } = await userWith(service, [])
  const wrong = async (body: object) =>
    (await service.api('PUT', '/api/user/preferences', { token, body })).body.errors ?? {}
  expect(await wrong({ quiet: { from: '9:00', to: '25:00' } })).toEqual({
    'quiet.from': [expect.stringContaining('22:00')],
    'quiet.to': [expect.stringContaining('22:00')],
  })
  expect(await wrong({ quiet: { from: '09:00', to: '09:00' } })).toHaveProperty('quiet')
  expect(await wrong({ quiet: { from: '09:00' } })).toHaveProperty(['quiet.to'])
  expect((await wrong({ time_zone: 'Europe/Berlim' })).time_zone).toEqual([expect.stringContaining('Europe/Berlin')])
  expect((await wrong({ digest: 'weekly' })).digest).toBeDefined()
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { bpmn, end, inARow, makeProcess, start } from '../../make/builders/processes/processes.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { startService, type TestService } from '../../make/services/service.ts'

/* Approvals are answered from the mail: by a link for one person and one task, never by a GET. */

let service: TestService
const lines: string[] = []
beforeAll(async () => {
  service = await startService({ log: (line) => void lines.push(String(line)) })
  const config = { transport: 'ses', from_address: 'desk@acme.test' }
  await data('POST', '/api/sys/channels', { name: 'mail', type: 'email', is_default: true, config })
  await data('PUT', '/api/sys/settings', { ACCENT_COLOR: '#aa3300' })
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
async function mailsTo({ id }: Pick<Person, 'id'>): Promise<any[]> {
  await service.cloud.idle()
  const to = encodeURIComponent((await data('GET', `/api/sys/users/${id}`)).email)
  return ((await (await fetch(`${service.url}/_local/outbox?type=mail&to=${to}`)).json()) as { data: any[] }).data
}
/** The links of the buttons in the latest mail. */
async function buttonsTo(person: Pick<Person, 'id'>): Promise<string[]> {
  const [mail] = await mailsTo(person)
  const source = await (await fetch(`${service.url}/_local/outbox/${mail.id}/source`)).text()
  const whole = source.replaceAll('=\r\n', '').replaceAll('=3D', '=')
  return [...new Set([...whole.matchAll(/href="([^"]*\/decide\/[^"]*)"/g)].map(([, url]) => String(url)))]
}
const tokenOf = (url: string): string => /\/decide\/([^?]+)/.exec(url)?.[1] ?? ''
const read = (token: string) => service.api('GET', `/api/decide/${token}`)
const decide = (token: string, body: object) => service.api('POST', `/api/decide/${token}`, { body })

let made = 0
/** A table whose records begin a process with one task; a record in it; and that task. */
async function askedFor(task: string, form = ''): Promise<{ model: string; record: number; task: () => Promise<any> }> {
  const model = `purchases${(made += 1)}`
  await makeTable(service, model, [
    { name: 'title', type: 'text', required: true },
    { name: 'cost_center', type: 'text' },
  ])
  const ask = `<userTask id="ask" name="May it be bought?" wf:outcomes="yes,not_now" ${task}>${form}</userTask>`
  await makeProcess(service, model, model, bpmn(inARow(start, ask, end)), { is_auto_start: true })
  const { id } = await data('POST', `/api/e/${model}`, { title: 'A secret laptop' })
  await service.cloud.idle()
  const found = async () =>
    (await data('GET', `/api/sys/process-tasks?model=${model}&record_id=${id}`)).find(
      ({ record_id }: any) => record_id === id,
    )
  return { model, record: id, task: found }
}

/** Has a person notified by mail. */
const mailed = (person: Person) =>
  data('PUT', '/api/user/preferences', { notifications: { system: { email: true } } }, person.token)

it('a button decides the task once, as the person to whom the mail went; looking at links changes nothing', async () => {
  const approver = await userWith(service, [])
  const { task } = await askedFor(`wf:candidateUsers="${approver.id}"`)
  const buttons = await buttonsTo(approver)
  expect(buttons.map((url) => new URL(url).searchParams.get('outcome'))).toEqual(['yes', 'not_now'])
  const token = tokenOf(buttons[0] as string)
  // A scanner opens all links, by GET and HEAD, pages and what they ask.
  for (const url of [...buttons, `${service.url}/api/decide/${token}`])
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetch(url, { method, headers: { accept: 'text/html,*/*' } })
      expect([url, method, answer.status]).toEqual([url, method, 200])
      expect(answer.headers.get('cache-control')).toMatch(/no-store/)
    }
  const page = await fetch(buttons[0] as string, { headers: { accept: 'text/html' } })
  expect(page.headers.get('referrer-policy')).toBe('no-referrer')
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(await task()).toMatchObject({ status: 'pending', assignee: null })
  const shown = await read(token)
  expect(shown.body.data).toMatchObject({
    name: 'May it be bought?',
    company: 'Acme Ltd',
    accent_color: '#aa3300',
    outcomes: ['yes', 'not_now'],
    // Without a right on the table, the record is not named.
    record: null,
    may_comment: true,
    is_sign_in_needed: false,
  })
  expect(JSON.stringify(shown.body)).not.toContain('secret laptop')
  expect((await decide(token, { outcome: 'maybe' })).body.errors).toHaveProperty('outcome')
  expect((await decide(token, {})).status).toBe(422)
  expect(await task()).toMatchObject({ status: 'pending' })
  expect((await decide(token, { outcome: 'not_now', comment: 'Next year.' })).body.data).toEqual({ outcome: 'not_now' })
  const done = await task()
  expect(done).toMatchObject({ status: 'completed', outcome: 'not_now', completed_by: { id: approver.id } })
  const again = await decide(token, { outcome: 'yes' })
  expect([again.status, again.body.code]).toEqual([409, 'task_ended'])
  expect(again.body.message).toMatch(/completed/)
  expect((await read(token)).status).toBe(409)
  const comments = await data('GET', `/api/e/${done.model}/${done.record_id}/comments`)
  expect(comments.map(({ body, is_internal }: any) => [body, is_internal])).toEqual([['Next year.', true]])
})

it('two presses at the same time decide once, and a comment is written once', async () => {
  const approver = await userWith(service, [])
  const { task, model, record } = await askedFor(`wf:assignee="${approver.id}"`)
  const token = tokenOf((await buttonsTo(approver))[0] as string)
  const body = { outcome: 'yes', comment: 'Fine.' }
  const answers = await Promise.all([decide(token, body), decide(token, body), decide(token, body)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  expect(await task()).toMatchObject({ status: 'completed', completed_by: { id: approver.id } })
  expect(await data('GET', `/api/e/${model}/${record}/comments`)).toHaveLength(1)
})

it('required fields of the form are checked as anywhere else, before a comment is written', async () => {
  const approver = await userWith(service, [])
  const form =
    '<extensionElements><wf:form><wf:formField name="center" label="Cost center" type="text" bind="record.cost_center" required="true"/></wf:form></extensionElements>'
  const { task, model, record } = await askedFor(`wf:assignee="${approver.id}"`, form)
  const token = tokenOf((await buttonsTo(approver))[0] as string)
  expect((await decide(token, { outcome: 'yes', comment: 'Yes!' })).body.errors).toHaveProperty(['data.center'])
  expect(await data('GET', `/api/e/${model}/${record}/comments`)).toEqual([])
  expect((await decide(token, { outcome: 'yes', data: { center: 'K 17' } })).status).toBe(200)
  expect(await data('GET', `/api/e/${model}/${record}`)).toMatchObject({ data: { cost_center: 'K 17' } })
  expect(await task()).toMatchObject({ status: 'completed' })
})

it('says who was faster, whose it is now, and that it was called off', async () => {
  const [one, two] = [await userWith(service, []), await userWith(service, [])]
  const first = await askedFor(`wf:candidateUsers="${one.id},${two.id}"`)
  const [mine, theirs] = [await buttonsTo(one), await buttonsTo(two)].map(([url]) => tokenOf(url as string))
  expect((await decide(theirs as string, { outcome: 'yes' })).status).toBe(200)
  const late = await decide(mine as string, { outcome: 'not_now' })
  const { name } = await data('GET', `/api/sys/users/${two.id}`)
  expect([late.status, late.body.message]).toEqual([409, expect.stringContaining(name)])
  expect(await first.task()).toMatchObject({ outcome: 'yes' })

  const second = await askedFor(`wf:assignee="${one.id}"`)
  const before = tokenOf((await buttonsTo(one))[0] as string)
  await data('POST', `/api/sys/process-tasks/${(await second.task()).id}/reassign`, { assignee: two.id })
  expect([403, 404]).toContain((await decide(before, { outcome: 'yes' })).status)
  expect(await second.task()).toMatchObject({ status: 'pending', assignee: two.id })
  expect((await decide(tokenOf((await buttonsTo(two))[0] as string), { outcome: 'yes' })).status).toBe(200)

  const third = await askedFor(`wf:assignee="${one.id}"`)
  const { instance_id: instance } = await third.task()
  await data('POST', `/api/sys/process-instances/${instance}/cancel`, {})
  const off = await decide(tokenOf((await buttonsTo(one))[0] as string), { outcome: 'yes' })
  expect([off.status, off.body.code]).toEqual([409, 'task_ended'])
})

it('ends with the account, its sessions and its second factor; a changed token is no token', async () => {
  const approver = await userWith(service, [])
  const { task } = await askedFor(`wf:assignee="${approver.id}"`)
  const token = tokenOf((await buttonsTo(approver))[0] as string)
  const [tenant, user, about, expiry, mac] = token.split('.') as [string, string, string, string, string]
  const changed = [
    [tenant, 1, about, expiry, mac],
    [tenant, user, Number(about) + 1, expiry, mac],
    [tenant, user, about, Number(expiry) + 1, mac],
    [Number(tenant) + 1, user, about, expiry, mac],
    [tenant, user, about, expiry, 'a'.repeat(32)],
    [tenant, user, `requests-${about}`, expiry, mac],
  ].map((parts) => parts.join('.'))
  for (const other of [...changed, 'x', '..'])
    expect([other, (await decide(other, { outcome: 'yes' })).status]).toEqual([other, 404])
  await data('PUT', `/api/sys/users/${approver.id}`, { is_active: false })
  expect((await read(token)).status).toBe(404)
  await data('PUT', `/api/sys/users/${approver.id}`, { is_active: true })
  // Whoever was locked out has new sessions, and needs a new link.
  expect((await decide(token, { outcome: 'yes' })).status).toBe(404)
  expect(await task()).toMatchObject({ status: 'pending' })

  await data('POST', '/api/sys/roles', { name: 'careful', permissions: [], mfa_required: true })
  const careful = await userWith(service, [])
  await data('PUT', `/api/sys/users/${careful.id}`, { roles: ['careful'] })
  await askedFor(`wf:assignee="${careful.id}"`)
  const theirs = tokenOf((await buttonsTo(careful))[0] as string)
  expect((await read(theirs)).body.data).toMatchObject({ is_sign_in_needed: true, form: [], request: null })
  expect((await decide(theirs, { outcome: 'yes' })).status).toBe(403)
})

it('substitutes decide for whom they stand in, and four eyes stay four', async () => {
  const [boss, deputy] = [await userWith(service, []), await userWith(service, [])]
  await data('PUT', '/api/user', { substitute_id: deputy.id, to: '2099-12-24' }, boss.token)
  const { task } = await askedFor(`wf:assignee="${boss.id}"`)
  expect((await decide(tokenOf((await buttonsTo(deputy))[0] as string), { outcome: 'yes' })).status).toBe(200)
  expect(await task()).toMatchObject({ status: 'completed', completed_by: { id: deputy.id } })

  const both = await userWith(service, [])
  const model = 'payments'
  await makeTable(service, model, [{ name: 'title', type: 'text', required: true }])
  const asked = (id: string, more = '') =>
    `<userTask id="${id}" name="${id}" wf:outcomes="yes,no" wf:candidateUsers="${both.id}" ${more}/>`
  const diagram = bpmn(inARow(start, asked('first'), asked('second', 'wf:fourEyes="first"'), end))
  await makeProcess(service, model, model, diagram, { is_auto_start: true })
  await data('POST', `/api/e/${model}`, { title: 'Rent' })
  expect((await decide(tokenOf((await buttonsTo(both))[0] as string), { outcome: 'yes' })).status).toBe(200)
  const second = await decide(tokenOf((await buttonsTo(both))[0] as string), { outcome: 'yes' })
  expect([second.status, second.body.code]).toEqual([403, 'four_eyes'])
})

it('whoever was asked to help uses a link once, also when they are asked again', async () => {
  const [owner, helper] = [await userWith(service, []), await userWith(service, [])]
  const { task } = await askedFor(`wf:assignee="${owner.id}"`)
  const { id } = await task()
  const delegate = () => data('POST', `/api/sys/process-tasks/${id}/delegate`, { to: helper.id }, owner.token)
  await delegate()
  const first = tokenOf((await buttonsTo(helper))[0] as string)
  expect((await decide(first, { outcome: 'yes' })).status).toBe(200)
  expect(await task()).toMatchObject({ status: 'pending', assignee: owner.id, proposal: { outcome: 'yes' } })
  await delegate()
  expect((await decide(first, { outcome: 'not_now' })).status).toBe(404)
  const second = tokenOf((await buttonsTo(helper))[0] as string)
  expect((await decide(second, { outcome: 'not_now' })).status).toBe(200)
  expect(await task()).toMatchObject({ status: 'pending', assignee: owner.id, proposal: { outcome: 'not_now' } })
})

it('who may read the record is shown its title, and administrators see no link in what was delivered', async () => {
  const { model, record } = await askedFor('wf:candidateRoles="nobody"')
  const agent = await userWith(service, [`${model}.read`])
  await mailed(agent)
  const [task] = await data('GET', `/api/sys/process-tasks?model=${model}&record_id=${record}`)
  await data('POST', `/api/sys/process-tasks/${task.id}/reassign`, { assignee: agent.id })
  const [url] = await buttonsTo(agent)
  const shown = await read(tokenOf(url as string))
  expect(shown.body.data.record).toMatchObject({ number: record, title: 'A secret laptop' })
  const deliveries = await data('GET', `/api/sys/deliveries?model=${model}&record_id=${record}`)
  for (const { id } of deliveries) {
    const whole = JSON.stringify(await data('GET', `/api/sys/deliveries/${id}`))
    expect(whole).toContain('********?outcome=yes')
    expect(whole).not.toContain(tokenOf(url as string))
  }
  expect(lines.join('\n')).not.toContain(
    tokenOf(url as string)
      .split('.')
      .at(-1),
  )
})

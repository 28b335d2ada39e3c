import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sample, upload } from '../../make/builders/records/uploads.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

/* Rules and messages that want to break the service: each works, or says on the message why not. */

const messages = '/api/sys/incoming_messages'
const rules = '/api/sys/incoming-actions'
const uniques = Array.from({ length: 10 }, (_, n) => `code${n}`)
let service: TestService
let ruleId: number | undefined

const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })

beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'requests', [
    { name: 'title', type: 'text' },
    { name: 'body', type: 'textarea' },
    { name: 'count', type: 'integer' },
    { name: 'files', type: 'file', multiple: true },
    ...uniques.map((name) => ({ name, type: 'text' as const, unique: true })),
  ])
})
afterAll(() => service?.stop())

/** Makes it the only rule. */
async function rule(more: object): Promise<void> {
  if (ruleId !== undefined) await api('DELETE', `${rules}/${ruleId}`)
  const body = { name: 'The rule', channel: 'api', target_model: 'requests', is_automatic: true, ...more }
  const created = await api('POST', rules, { field_mapping: { title: 'subject' }, ...body })
  expect(created).toMatchObject({ status: 201 })
  ruleId = created.body.data.id
}

/** Sends a message in; answers it when its rule has run, and the record. */
async function send(body: object) {
  const sent = await api('POST', messages, { subject: 'Lamp', ...body })
  expect(sent).toMatchObject({ status: 201 })
  await service.cloud.idle()
  const message = (await api('GET', `${messages}/${sent.body.data.id}`)).body.data
  expect(message.is_waiting).toBe(false)
  const [made] = message.records
  const record = made && (await api('GET', `/api/e/requests/${made.id}`)).body.data.data
  return { message, record, errors: message.errors.map((one: { message: string }) => one.message) }
}

it.each<[string, string, RegExp]>([
  ['never ends', 'while (true) {}', /longer than 1 s/],
  ['takes all memory', 'let text = "x"; while (true) text += text', /./],
  ['throws what is no error', 'throw { toString() { throw 1 } }', /threw/],
  ['calls itself', 'function call() { call() } call()', /stack/],
  ['matches for ever', '/(a+)+$/.test("a".repeat(40) + "b")', /longer than 1 s/],
  ['makes $data a list', '$data = [1]', /must stay an object/],
  ['makes $data a text', '$data = "x"', /must stay an object/],
  ['makes $data nothing', '$data = null', /must stay an object/],
  ['makes $data a circle', '$data.title = $data', /circular/],
  ['makes $data deep', 'let at = $data; for (let n = 0; n < 50000; n += 1) at = at.in = {}', /./],
  ['makes $data large', '$data.body = "x".repeat(5000000)', /larger than 1 MB/],
  ['makes $data lie', 'Object.defineProperty($data, "title", { enumerable: true, get() { throw 1 } })', /./],
  ['sets the prototype', '$data = JSON.parse(\'{"__proto__": {"title": "x"}}\')', /__proto__/],
  ['sets a field that is none', '$data.nope = 1', /nope field is unknown/],
  ['asks too much', 'for (let n = 0; n < 60; n += 1) $api.count("requests", {})', /more than 50/],
])('a script that %s is an error of its message', async (_what, script, reason) => {
  await rule({ script })
  const { message, errors } = await send({})
  expect(message.records).toEqual([])
  expect(errors).toEqual([expect.stringMatching(reason)])
})

describe('a path', () => {
  it.each([
    'payload.__proto__.x',
    'payload.constructor.name',
    'payload.toString',
    'payload.list.length',
    'body.length',
  ])('%s reaches nothing that the message does not hold', async (path) => {
    await rule({ field_mapping: { title: path } })
    expect((await send({ payload: { list: [1] } })).record).toEqual({})
  })
})

describe('a record of a message with 50 files and ten unique values', () => {
  const mapped = {
    title: 'subject',
    files: 'attachments',
    ...Object.fromEntries(uniques.map((one) => [one, 'subject'])),
  }
  const notify = (count: number): string =>
    `for (let n = 0; n < ${count}; n += 1) $api.sendPushNotification('n', 'x', [1])`
  let attachments: string[]
  beforeAll(async () => {
    const file = { name: 'a.pdf', type: 'application/pdf', content: sample.pdf }
    attachments = await Promise.all(Array.from({ length: 50 }, () => upload(service, file)))
  })

  it('is made, with what its script sends', async () => {
    await rule({ field_mapping: mapped, script: notify(20) })
    const { record, errors } = await send({ subject: 'Whole', attachments })
    expect([record.files.length, record.code9, errors]).toEqual([50, 'Whole', []])
  })

  it('is refused with the reason when more is sent than one change may write, and made without', async () => {
    await rule({ field_mapping: mapped, script: notify(40) })
    const { message, errors } = await send({ subject: 'Too much', attachments })
    expect(errors).toEqual([expect.stringMatching(/needs 1\d\d writes at once, and 100 are possible/)])
    await api('PUT', `${rules}/${ruleId}`, { script: null })
    const again = await api('POST', `${messages}/${message.id}/reprocess`)
    expect(again.body.data).toMatchObject({ records: [{ model: 'requests' }], errors: [] })
  })
})

it('a message of almost four megabytes is mapped with its texts shortened', async () => {
  await rule({ field_mapping: { body: 'payload.text' }, script: '$data.count = $incoming.payload.text.length' })
  const { record } = await send({ payload: { text: 'x'.repeat(3_900_000) } })
  expect([record.body.length, record.count]).toEqual([50_000, 50_000])
})

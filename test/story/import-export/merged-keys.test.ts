import { afterAll, beforeAll, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { type ApiAnswer, sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
let admin: string
let count = 0
const api = (method: string, path: string, body?: unknown, as = admin): Promise<ApiAnswer> =>
  service.api(method, path, { token: as, body })
async function make(model: string, data: object): Promise<number> {
  const { status, body } = await api('POST', `/api/e/${model}`, data)
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.data.id
}
const read = async (model: string, id: number) => (await api('GET', `/api/e/${model}/${id}`)).body.data
/** Two records, of which the first was merged into the second. */
async function mergedPair() {
  count += 1
  const codes = [`gone-${count}`, `kept-${count}`] as const
  const gone = await make('parts', { title: 'Gone', code: codes[0] })
  const kept = await make('parts', { title: 'Kept', code: codes[1] })
  expect((await api('POST', `/api/e/parts/${gone}/merge`, { into: kept })).status).toBe(200)
  return { gone, kept, code: codes[0] }
}

beforeAll(async () => {
  service = await sharedService()
  admin = service.admin.token
  await makeTable(service, 'parts', [
    { name: 'title', type: 'text' },
    { name: 'code', type: 'text', unique: true },
    { name: 'no', type: 'auto_number', prefix: 'P-' },
  ])
  await makeTable(service, 'orders', [
    { name: 'title', type: 'text' },
    { name: 'part', type: 'model_list', target_table: 'parts' },
  ])
})
afterAll(() => service?.stop())

it('an upsert by the key of a merged record changes the one that it is part of', async () => {
  const { kept, code } = await mergedPair()
  const body = { rows: [{ code, title: 'From the other system' }], mode: 'upsert', key: 'code' }
  const imported = await api('POST', '/api/e/parts/import', body)
  expect(imported.body.data).toMatchObject({ failed: 0, errors: [] })
  expect((await read('parts', kept)).data).toMatchObject({ title: 'From the other system', code: `kept-${count}` })
})

it('the number of a merged record finds the one that it is part of', async () => {
  const { gone, kept } = await mergedPair()
  const { body } = await api('GET', `/api/search?q=P-${gone}&tables=parts`)
  expect(body.data.flatMap((table: any) => table.records.map(({ id }: any) => id))).toContain(kept)
})

it('the error of a taken value names the merged record and its survivor, to whoever may read them', async () => {
  const { gone, kept, code } = await mergedPair()
  const refused = async (as = admin) => (await api('POST', '/api/e/parts', { title: 'New', code }, as)).body.errors
  expect(await refused()).toEqual({
    code: [`The code has already been taken: it is that of record ${gone}, which was merged into record ${kept}.`],
  })
  const writer = await userWith(service, ['parts.create'])
  expect(await refused(writer.token)).toEqual({ code: ['The code has already been taken.'] })
})

it('an unmerge moves back what the merge moved, for somebody who may not write it, and names nothing of it', async () => {
  const [gone, kept] = [await make('parts', { title: 'Gone' }), await make('parts', { title: 'Kept' })]
  const order = await make('orders', { title: 'One', part: gone })
  const { token } = await userWith(service, ['parts.read', 'parts.update'])
  await api('POST', `/api/e/parts/${gone}/merge`, { into: kept }, token)
  expect((await read('orders', order)).data.part).toBe(kept)
  const undone = await api('POST', `/api/e/parts/${gone}/unmerge`, {}, token)
  expect([undone.status, undone.body.data.failed, undone.body.data.errors]).toEqual([200, 0, []])
  expect((await read('orders', order)).data.part).toBe(gone)
  expect(JSON.stringify(undone.body)).not.toContain('orders')
  // Who sees more may look for what is left; who has done all of it is refused.
  expect((await api('POST', `/api/e/parts/${gone}/unmerge`, {}, token)).body.code).toBe('record_not_merged')
  expect((await api('POST', `/api/e/parts/${gone}/unmerge`)).status).toBe(200)
})

it('what the caller may not read is left out of the kept of an unmerge', async () => {
  const [gone, kept] = [await make('parts', { title: 'Gone' }), await make('parts', { title: 'Kept' })]
  const order = await make('orders', { title: 'Two', part: gone })
  const { token } = await userWith(service, ['parts.read', 'parts.update'])
  await api('POST', `/api/e/parts/${gone}/merge`, { into: kept }, token)
  await api('PATCH', `/api/e/orders/${order}`, { part: null })
  const undone = await api('POST', `/api/e/parts/${gone}/unmerge`, {}, token)
  expect([undone.status, undone.body.data.kept]).toEqual([200, []])
})

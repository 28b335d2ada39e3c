import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })

beforeAll(async () => {
  service = await sharedService()
})
afterAll(() => service?.stop())

const title = { name: 'title', type: 'text' }
/** 150 fields of 1.5 KB each, with names of their own. */
const wideFields = (round: number) => [
  title,
  ...Array.from({ length: 150 }, (_, n) => ({
    name: `f${round}_${n}`,
    type: 'value_list',
    label: `Field ${n} `.repeat(5),
    options: Array.from({ length: 18 }, (_option, slug) => ({
      slug: `option_${slug}`,
      label: `Option ${slug} `.repeat(4),
    })),
  })),
]

it('a table replaces its fields again and again, and is refused clearly once it keeps too many removed ones', async () => {
  await makeTable(service, 'things', [title])
  const { id } = (await api('POST', '/api/e/things', { title: 'A' })).body.data
  const statuses: number[] = []
  let refused: any
  for (let round = 0; round < 12; round += 1) {
    const { status, body } = await api('PUT', '/api/sys/entities/name/things', { table_fields: wideFields(round) })
    statuses.push(status)
    if (status !== 200) refused = body
  }
  expect(new Set(statuses)).toEqual(new Set([200, 422]))
  expect(statuses.slice(0, 4)).toEqual([200, 200, 200, 200])
  expect(refused.errors.table_fields[0]).toMatch(/keeps the names and types of removed fields.*keep some of these/)
  expect((await api('PATCH', `/api/e/things/${id}`, { title: 'B' })).status).toBe(200)
  expect((await api('PUT', '/api/sys/entities/name/things', { label: 'Other' })).status).toBe(200)
})

it('a field that comes back has its values again, and its name keeps its type', async () => {
  await makeTable(service, 'cases', [
    title,
    { name: 'amount', type: 'integer' },
    { name: 'owner', type: 'model_list', target_table: 'things' },
  ])
  const { id } = (await api('POST', '/api/e/cases', { title: 'A', amount: 7 })).body.data
  const put = (table_fields: object[]) => api('PUT', '/api/sys/entities/name/cases', { table_fields })
  expect((await put([title])).status).toBe(200)
  expect((await api('GET', `/api/e/cases/${id}`)).body.data.data).toEqual({ title: 'A' })
  expect((await put([title, { name: 'amount', type: 'text' }])).body.errors['table_fields.1.type'][0]).toMatch(
    /may not change/,
  )
  expect((await put([title, { name: 'owner', type: 'model_list', target_table: 'cases' }])).status).toBe(422)
  expect((await put([title, { name: 'amount', type: 'integer' }])).status).toBe(200)
  expect((await api('GET', `/api/e/cases/${id}`)).body.data.data).toMatchObject({ amount: 7 })
})

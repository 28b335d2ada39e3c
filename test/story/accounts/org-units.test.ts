import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { type TestService, sharedService } from '../../make/services/service.ts'

let service: TestService
const units = '/api/e/sys_org_units'
const circle = { parent_id: ['The parent_id may not be the unit itself or a unit below it.'] }

beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'requests', [
    { name: 'title', type: 'text' },
    { name: 'unit_id', type: 'org_unit' },
  ])
})
afterAll(() => service?.stop())

const api = (method: string, path: string, body?: unknown, token = service.admin.token) =>
  service.api(method, path, { token, body })

async function unit(name: string, parent_id?: number): Promise<number> {
  const { status, body } = await api('POST', units, { name, parent_id: parent_id ?? null })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.data.id
}
const move = (id: number, parent_id: number | null) => api('PATCH', `${units}/${id}`, { parent_id })
const parentOf = async (id: number) => (await api('GET', `${units}/${id}`)).body.data.data.parent_id

describe('the tree of organisational units', () => {
  it('refuses a unit as its own parent, and a unit below it', async () => {
    const top = await unit('Top')
    const middle = await unit('Middle', top)
    const low = await unit('Low', middle)
    for (const below of [top, middle, low]) {
      const { status, body } = await move(top, below)
      expect([status, body.errors]).toEqual([422, circle])
    }
    expect((await move(low, top)).status).toBe(200)
    expect((await move(middle, low)).status).toBe(200)
    expect((await move(low, middle)).body.errors).toEqual(circle)
    expect((await move(low, null)).status).toBe(200)
  })

  it('lets one of two moves lose that would make a circle together', async () => {
    for (let round = 0; round < 8; round += 1) {
      const [a, b, c] = [await unit('A'), await unit('B'), await unit('C')] as const
      const answers = await Promise.all([move(a, b), move(b, c), move(c, a)])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 422])
      expect(answers.find(({ status }) => status === 422)?.body.errors).toEqual(circle)
      const parents = await Promise.all([a, b, c].map(parentOf))
      expect(parents.filter((parent) => parent === null || parent === undefined)).toHaveLength(1)
    }
  })

  it('is 20 levels deep at most, also when whole branches move', async () => {
    let bottom = await unit('Level 1')
    for (let level = 2; level <= 19; level += 1) bottom = await unit(`Level ${level}`, bottom)
    const branch = await unit('Branch')
    await unit('Leaf', branch)
    const tooDeep = { parent_id: ['The parent_id is too deep: there may be 20 levels of units.'] }
    expect((await move(branch, bottom)).body.errors).toEqual(tooDeep)
    const last = await unit('Level 20', bottom)
    const { status, body } = await api('POST', units, { name: 'Level 21', parent_id: last })
    expect([status, body.errors]).toEqual([422, tooDeep])
    const rows = [
      { name: 'Level 20, too', parent_id: bottom },
      { name: 'Level 21', parent_id: last },
    ]
    const imported = await api('POST', `${units}/import`, { rows })
    expect([imported.body.data.created, imported.body.data.errors[0].errors]).toEqual([1, tooDeep])
  })

  it('keeps a unit while units are below it', async () => {
    const top = await unit('Kept')
    const low = await unit('Below', top)
    const refused = await api('DELETE', `${units}/${top}`)
    expect([refused.status, refused.body.code, refused.body.errors]).toEqual([
      422,
      'in_use',
      { 'sys_org_units.parent_id': ['The unit has units below it. Move or delete them first.'] },
    ])
    expect((await api('DELETE', `${units}/${low}`)).status).toBe(204)
    expect((await api('DELETE', `${units}/${top}`)).status).toBe(204)
  })

  it('checks a unit that is restored', async () => {
    const [top, low] = [await unit('Restored top'), await unit('Restored low')]
    await move(top, low)
    const as_of = new Date().toISOString()
    await move(top, null)
    await move(low, top)
    const { status, body } = await api('POST', `${units}/${top}/restore`, { as_of })
    expect([status, body.errors]).toEqual([422, circle])
    await api('DELETE', `${units}/${low}`)
    expect((await api('POST', `${units}/${low}/restore`, { as_of })).status).toBe(200)
  })

  it('expands the unit above', async () => {
    const top = await unit('Above')
    const low = await unit('Under', top)
    const { body } = await api('GET', `${units}?filter={"id":${low}}&expand=parent_id`)
    expect(body.data[0].expanded.parent_id.data.name).toBe('Above')
    const { body: found } = await api('GET', `${units}?filter={"parent_id.name":"Above"}`)
    expect(found.data.map(({ id }: any) => id)).toEqual([low])
  })

  it('refuses a parent that does not exist', async () => {
    const { status, body } = await api('POST', units, { name: 'Lost', parent_id: 99_999 })
    expect([status, body.errors]).toEqual([422, { parent_id: ['The selected parent_id is invalid.'] }])
  })
})

describe('$CURRENT_ORG_UNITS', () => {
  let tree: Record<'head' | 'sales' | 'east' | 'lab', number>
  let of: Record<'head' | 'sales' | 'east' | 'lab', number>
  const own = { unit_id: '$CURRENT_ORG_UNITS' }
  const idsOf = ({ body }: { body: any }): number[] => body.data.map(({ id }: { id: number }) => id).sort()

  beforeAll(async () => {
    const head = await unit('Head')
    const sales = await unit('Sales', head)
    tree = { head, sales, east: await unit('East', sales), lab: await unit('Lab') }
    const made: Record<string, number> = {}
    for (const [name, unit_id] of Object.entries(tree))
      made[name] = (await api('POST', '/api/e/requests', { title: name, unit_id })).body.data.id
    of = made as typeof of
  })

  const userIn = async (org_unit_ids: number[], rules: object[] = []) => {
    const user = await userWith(service, ['requests.*'], rules)
    await api('PUT', `/api/sys/users/${user.id}`, { org_unit_ids })
    return user
  }
  const listOf = async (token: string, filter: object) =>
    idsOf(await api('POST', '/api/e/requests/list-server', { filter }, token))

  it('stands for the units of the user and all below them, in every form of a filter', async () => {
    const { token } = await userIn([tree.sales])
    const below = [of.sales, of.east].sort()
    for (const filter of [
      own,
      { unit_id: { _in: '$CURRENT_ORG_UNITS' } },
      { unit_id: { _in: ['$CURRENT_ORG_UNITS'] } },
      { _not: { unit_id: { _nin: '$CURRENT_ORG_UNITS' } } },
    ])
      expect(await listOf(token, filter)).toEqual(below)
    expect(await listOf(token, { unit_id: { _in: ['$CURRENT_ORG_UNITS', tree.lab] } })).toEqual(
      [...below, of.lab].sort(),
    )
    expect(await listOf((await userIn([])).token, own)).toEqual([])
    expect(await listOf((await userIn([tree.head, tree.lab])).token, own)).toEqual(Object.values(of).sort())
  })

  it('is refused where one value is asked for', async () => {
    const { status, body } = await api('POST', '/api/e/requests/list-server', {
      filter: { unit_id: { _gt: '$CURRENT_ORG_UNITS' }, title: '$CURRENT_ORG_UNITS' },
    })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['filter.unit_id._gt', 'filter.title']])
  })

  it('limits reads and writes by row rules, and follows a move with the next request', async () => {
    const rules = ['read', 'update'].map((action) => ({ table: 'requests', action, filter: own }))
    const { token } = await userIn([tree.sales], rules)
    const titles = async () => idsOf(await api('GET', '/api/e/requests', undefined, token))
    const rename = async (id: number) => (await api('PATCH', `/api/e/requests/${id}`, { title: 'x' }, token)).status
    expect(await titles()).toEqual([of.sales, of.east].sort())
    expect([await rename(of.east), await rename(of.lab)]).toEqual([200, 404])
    await move(tree.lab, tree.east)
    expect(await titles()).toEqual([of.sales, of.east, of.lab].sort())
    expect(await rename(of.lab)).toBe(200)
    await move(tree.lab, null)
    expect(await rename(of.lab)).toBe(404)
    const newUnit = await unit('New', tree.east)
    const made = (await api('POST', '/api/e/requests', { title: 'new', unit_id: newUnit })).body.data.id
    expect(await rename(made)).toBe(200)
  })

  it('costs one more read than the same filter without it', async () => {
    const { token } = await userIn([tree.sales])
    const readsOf = async (filter: object) => {
      await listOf(token, filter)
      service.cloud.recordCalls()
      const answer = await api('POST', '/api/e/requests/list-server', { filter }, token)
      const { calls } = service.cloud.callsOf(answer.headers.get('apigw-requestid') as string)
      service.cloud.recordCalls(false)
      return calls.length
    }
    const plain = await readsOf({ unit_id: [tree.sales, tree.east] })
    expect(await readsOf(own)).toBeLessThanOrEqual(plain + 1)
  })
})

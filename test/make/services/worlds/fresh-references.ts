/** What rests on the index of references right after they were written, in AWS's time: merges, deletes, bulk changes. */
import { expect } from 'vitest'
import { makeTable } from '../../builders/records/tables.ts'
import { type AwsWorld, checkNothingToRepair } from './aws-world.ts'

const second = 1_000

/** References that were answered just before, by a create and by an update, as if the index had known them. */
export async function checkFreshReferences(world: AwsWorld, rounds: number): Promise<void> {
  const { service, cloud, ask, eventually } = world
  const api = (method: string, path: string, body?: unknown) =>
    service.api(method, path, { token: service.admin.token, body })
  const refers = (name: string, on_delete: string) => ({ name, type: 'model_list', target_table: 'owners', on_delete })
  await makeTable(service, 'owners', [{ name: 'name', type: 'text' }])
  await makeTable(service, 'parts', [
    { name: 'name', type: 'text' },
    refers('kept', 'keep'),
    refers('cleared', 'set_null'),
    refers('needed', 'restrict'),
  ])
  const create = async (model: string, data: object) => (await ask('POST', `/api/e/${model}`, data)).data.id as number
  const owner = () => create('owners', { name: 'owner' })
  const part = async (id: number) => (await ask('GET', `/api/e/parts/${id}`)).data.data
  /** A part that begins to refer to an owner, in either way. */
  const created = (data: object) => create('parts', { name: 'created', ...data })
  const changed = async (data: object): Promise<number> => {
    const id = await create('parts', { name: 'changed' })
    await cloud.advance(5 * second)
    await ask('PATCH', `/api/e/parts/${id}`, data)
    return id
  }

  const followed: [part: number, survivor: number][] = []
  const cleared: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const refer of [created, changed]) {
      const [from, into] = [await owner(), await owner()]
      const merged = await refer({ kept: from })
      await ask('POST', `/api/e/owners/${from}/merge`, { into })
      followed.push([merged, into])

      const needed = await owner()
      const needing = await refer({ needed })
      const refused = await api('DELETE', `/api/e/owners/${needed}`)
      expect([refused.status, refused.body.errors]).toEqual([
        422,
        { 'parts.needed': [`The record is still in use: parts ${needing} refers to it.`] },
      ])
      await ask('PATCH', `/api/e/parts/${needing}`, { needed: null })
      await ask('DELETE', `/api/e/owners/${needed}`)

      const gone = await owner()
      cleared.push(await refer({ cleared: gone }))
      await ask('DELETE', `/api/e/owners/${gone}`)
    }
  }
  await eventually(
    'references follow a merge',
    async () => {
      const found = await Promise.all(followed.map(async ([id, into]) => (await part(id)).kept === into))
      return found.every(Boolean)
    },
    90 * second,
  )
  await eventually(
    'references to what is deleted are cleared',
    async () => {
      const found = await Promise.all(cleared.map(part))
      return found.every((one) => one.cleared === null)
    },
    90 * second,
  )

  const { length } = followed
  for (const [id] of followed) await ask('PATCH', `/api/e/parts/${id}`, { name: 'all of them' })
  await created({ name: 'all of them' })
  const filter = { name: 'all of them' }
  const bulk = await ask('POST', '/api/e/parts/bulk', { filter, set: { name: 'done' }, expect: length + 1 })
  expect(bulk.data).toMatchObject({ matched: length + 1, changed: length + 1 })
  await cloud.advance(90 * second)
  for (const [id] of followed) {
    const { data } = await ask('GET', `/api/sys/history/parts/${id}`)
    // Created or created and changed, moved once, named, changed in bulk.
    expect(data.filter((entry: any) => entry.source === 'merge')).toHaveLength(1)
  }
  await checkNothingToRepair(world)
}

import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeTable } from '../../make/builders/records/tables.ts'
import { isFullDepth } from '../../make/depth.ts'
import { sharedService, type ApiAnswer, type TestService } from '../../make/services/service.ts'

let service: TestService
let relation: number
const api = (method: string, path: string, body?: unknown): Promise<ApiAnswer> =>
  service.api(method, path, { token: service.admin.token, body })
async function data(method: string, path: string, body?: unknown): Promise<any> {
  const answer = await api(method, path, body)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body?.data
}

beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'cases', [
    { name: 'a', type: 'integer' },
    { name: 'b', type: 'integer' },
  ])
  await makeTable(service, 'devices', [{ name: 'case_id', type: 'model_list', target_table: 'cases' }])
  relation = (await data('POST', '/api/sys/relations', { name: 'Linked', l_table: 'cases', r_table: 'devices' })).id
})
afterAll(() => service?.stop())

const fields = ['a', 'b'] as const
type Field = (typeof fields)[number]
/** What a write says: a merge or unmerge by the id of its batch, or somebody at the record itself. */
type Writer = number | 'somebody'
type Writes = { readonly by: Writer; readonly value: number | null }[]
interface Case extends Record<Field, Writes> {
  readonly comments: string[]
  readonly links: Set<number>
  into: { readonly id: number; readonly batch: number } | null
}
const now = (writes: Writes): number | null => writes.at(-1)?.value ?? null
const write = (writes: Writes, by: Writer, value: number | null): void => {
  if (now(writes) !== value) writes.push({ by, value })
}

/**
 * The cases as they should be. A record has what is its own and what is that of those merged into it; a field or reference
 * that a merge wrote returns with the unmerge, unless somebody, or another merge, wrote it since.
 */
class Model {
  readonly cases = new Map<number, Case>()
  readonly devices = new Map<number, Writes>()

  of(id: number): Case {
    return this.cases.get(id) as Case
  }

  isLiving(id: number): boolean {
    return this.of(id).into === null
  }

  /** The record and those merged into it, at any depth. */
  members(id: number): readonly number[] {
    return [id, ...[...this.cases].filter(([, one]) => one.into?.id === id).flatMap(([other]) => this.members(other))]
  }

  merge(from: number, into: number, batch: number): void {
    for (const field of fields)
      if (now(this.of(into)[field]) === null && now(this.of(from)[field]) !== null)
        write(this.of(into)[field], batch, now(this.of(from)[field]))
    for (const writes of this.devices.values()) if (now(writes) === from) write(writes, batch, into)
    this.of(from).into = { id: into, batch }
  }

  unmerge(id: number): void {
    const { id: into, batch } = this.of(id).into as NonNullable<Case['into']>
    const revert = (writes: Writes): void => {
      // As if the batch had never been.
      while (writes.at(-1)?.by === batch) writes.pop()
    }
    for (const field of fields) revert(this.of(into)[field])
    for (const writes of this.devices.values()) revert(writes)
    this.of(id).into = null
  }

  unlink(id: number, device: number): void {
    for (const member of this.members(id)) this.of(member).links.delete(device)
  }

  linked(id: number): number[] {
    return [...new Set(this.members(id).flatMap((one) => [...this.of(one).links]))].toSorted((a, b) => a - b)
  }

  state() {
    const living = [...this.cases.keys()].filter((id) => this.isLiving(id))
    return {
      cases: living.map((id) => ({
        id,
        a: now(this.of(id).a),
        b: now(this.of(id).b),
        comments: this.members(id)
          .flatMap((one) => this.of(one).comments)
          .toSorted(),
        links: this.linked(id),
      })),
      devices: [...this.devices.values()].map(now),
    }
  }
}

const which = fc.nat({ max: 3 })
const device = fc.nat({ max: 2 })
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('merge' as const), which, into: which }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('unmerge' as const), which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('undo' as const), which, back: which }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('edit' as const),
      which,
      field: fc.constantFrom(...fields),
      value: fc.option(fc.integer({ min: 0, max: 3 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('comment' as const), which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('refer' as const), which: fc.option(which), device }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('link' as const, 'unlink' as const), which, device }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

it('merges and unmerges at random as the model does, whatever is edited, linked and commented in between', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), async (steps) => {
      const model = new Model()
      const { ids } = await data('POST', '/api/e/cases/import', { rows: [{ a: 1 }, { b: 2 }, { a: 3, b: 3 }, {}] })
      const made = await data('POST', '/api/e/devices/import', {
        rows: [{ case_id: ids[0] }, { case_id: ids[1] }, {}],
      })
      for (const [index, id] of ids.entries()) {
        const first = (value: number | undefined): Writes => (value === undefined ? [] : [{ by: 'somebody', value }])
        model.cases.set(id, {
          a: first([1, undefined, 3][index]),
          b: first([undefined, 2, 3][index]),
          comments: [],
          links: new Set(),
          into: null,
        })
      }
      for (const [index, id] of made.ids.entries())
        model.devices.set(id, index < 2 ? [{ by: 'somebody', value: ids[index] }] : [])
      const refused: unknown[] = []
      const merges: { readonly from: number; readonly batch: number }[] = []
      const meet = (one: Step, got: unknown, wanted: unknown): void => {
        if (got !== wanted) refused.push({ ...one, got, wanted })
      }
      for (const one of steps) await run(one)
      expect(refused).toEqual([])
      expect(await stateNow()).toEqual(model.state())

      async function stateNow() {
        const list = async (name: string, among: readonly number[]) =>
          (await api('POST', `/api/e/${name}/list-server`, { filter: { id: { _in: among } }, sort: ['id'] })).body.data
        const living = await list('cases', ids)
        return {
          cases: await Promise.all(
            living.map(async ({ id, data: held }: any) => ({
              id,
              a: held.a ?? null,
              b: held.b ?? null,
              comments: (await data('GET', `/api/e/cases/${id}/comments`)).map(({ body }: any) => body).toSorted(),
              links: (await data('GET', `/api/sys/related_instances/${relation}/cases/${id}`))
                .map((other: any) => other.id)
                .toSorted((a: number, b: number) => a - b),
            })),
          ),
          devices: (await list('devices', made.ids)).map(({ data: held }: any) => held.case_id ?? null),
        }
      }

      async function run(one: Step): Promise<void> {
        const id = one.which === null ? null : (ids[one.which] as number)
        if (one.do === 'merge') {
          const [from, into] = [id as number, ids[one.into] as number]
          const { status, body } = await api('POST', `/api/e/cases/${from}/merge`, { into })
          const expected =
            from === into
              ? model.isLiving(from)
                ? 422
                : 409
              : model.isLiving(from) && model.isLiving(into)
                ? 200
                : 409
          meet(one, status, expected)
          if (status !== 200) return
          model.merge(from, into, body.data.batch_id)
          merges.push({ from, batch: body.data.batch_id })
        } else if (one.do === 'undo') {
          // A merge is taken back by its own batch, and by that of no other merge of the record.
          const merge = merges.at(-1 - one.back)
          if (!merge) return
          const merged = model.of(merge.from).into
          const isOpen = merged?.batch === merge.batch && model.isLiving(merged.id)
          meet(one, (await api('POST', `/api/sys/batches/${merge.batch}/undo`)).status, isOpen ? 200 : 409)
          if (isOpen) model.unmerge(merge.from)
        } else if (one.do === 'unmerge') {
          const merged = model.of(id as number).into
          const { status, body } = await api('POST', `/api/e/cases/${id}/unmerge`)
          meet(one, status, merged !== null && model.isLiving(merged.id) ? 200 : 409)
          if (status === 200) {
            meet(one, body.data.failed, 0)
            model.unmerge(id as number)
          }
        } else if (one.do === 'refer') {
          const at = made.ids[one.device] as number
          const { status } = await api('PATCH', `/api/e/devices/${at}`, { case_id: id })
          const isOpen = id === null || model.isLiving(id) || now(model.devices.get(at) as Writes) === id
          meet(one, status, isOpen ? 200 : 422)
          if (isOpen) write(model.devices.get(at) as Writes, 'somebody', id)
        } else if (!model.isLiving(id as number)) {
          if (one.do === 'edit') meet(one, (await api('PATCH', `/api/e/cases/${id}`, { a: 9 })).status, 409)
        } else if (one.do === 'edit') {
          await data('PATCH', `/api/e/cases/${id}`, { [one.field]: one.value })
          write(model.of(id as number)[one.field], 'somebody', one.value)
        } else if (one.do === 'comment') {
          const body = `comment ${model.of(id as number).comments.length} of ${id}`
          await data('POST', `/api/e/cases/${id}/comments`, { body })
          model.of(id as number).comments.push(body)
        } else {
          const other = made.ids[one.device] as number
          const isLinked = model.linked(id as number).includes(other)
          if (one.do === 'link') {
            await data('POST', `/api/sys/add_related_instances/${relation}/l_table/${id}`, { ids: [other] })
            if (!isLinked) model.of(id as number).links.add(other)
          } else {
            const path = `/api/sys/relations/unlink/${relation}/l_table/${other}`
            await data('POST', path, { ids: [id] })
            model.unlink(id as number, other)
          }
        }
      }
    }),
    { numRuns: isFullDepth ? 60 : 5, seed: 39 },
  )
}, 240_000)

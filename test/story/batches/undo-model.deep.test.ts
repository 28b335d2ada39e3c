import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeTable } from '../../make/builders/records/tables.ts'
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
  await makeTable(service, 'cells', [
    { name: 'a', type: 'integer', required: true },
    { name: 'b', type: 'integer', required: true },
  ])
  relation = (await data('POST', '/api/sys/relations', { name: 'pairs', l_table: 'cells', r_table: 'cells' })).id
})
afterAll(() => service?.stop())

const fields = ['a', 'b'] as const
type Field = (typeof fields)[number]
/** What a write says: a batch by its id, or somebody at the record itself. */
type Writer = number | 'somebody'
interface Write<T> {
  readonly by: Writer
  readonly value: T
}
/** A record as the writes of each of its fields, and of whether it exists, the last one at the end. */
interface Cell extends Record<Field, Write<number>[]> {
  readonly alive: Write<boolean>[]
}
const now = <T>(writes: readonly Write<T>[]): T => (writes.at(-1) as Write<T>).value

/** The table as it should be: what a batch and its undos mean is told by who wrote last. */
class Model {
  readonly cells = new Map<number, Cell>()
  readonly undoes = new Map<number, number>()

  write<T>(writes: Write<T>[], by: Writer, value: T): void {
    if (now(writes) !== value) writes.push({ by, value })
  }

  side(by: Writer, batch: number): 'made' | 'taken back' | undefined {
    if (by === 'somebody') return undefined
    if (by === batch) return 'made'
    const undone = this.undoes.get(by)
    const side = undone === undefined ? undefined : this.side(undone, batch)
    return side && (side === 'made' ? 'taken back' : 'made')
  }

  undo(batch: number, by: number): void {
    this.undoes.set(by, batch)
    const revert = <T>(writes: Write<T>[]): void => {
      let at = writes.length - 1
      while (at > 0 && this.side((writes[at] as Write<T>).by, batch) === 'made') at -= 1
      if (at < writes.length - 1) this.write(writes, by, (writes[at] as Write<T>).value)
    }
    for (const cell of this.cells.values()) {
      const wasAlive = now(cell.alive)
      // What returns comes before the fields, and what was created goes after them.
      if (!wasAlive) revert(cell.alive)
      if (!now(cell.alive)) continue
      for (const field of fields) revert(cell[field])
      const touched = fields.some((field) => cell[field].some((one) => this.side(one.by, batch) === undefined))
      if (wasAlive && this.side((cell.alive[1] as Write<boolean>).by, batch) === 'made' && !touched) revert(cell.alive)
    }
  }

  state(): unknown {
    return [...this.cells]
      .filter(([, { alive }]) => now(alive))
      .map(([id, cell]) => ({ id, data: Object.fromEntries(fields.map((field) => [field, now(cell[field])])) }))
  }
}

const value = fc.integer({ min: 0, max: 3 })
const some = fc.uniqueArray(fc.nat({ max: 5 }), { minLength: 1, maxLength: 4 })
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('set' as const),
      which: some,
      values: fc.record({ a: value, b: value }, { requiredKeys: [] }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('edit' as const),
      which: some,
      values: fc.record({ a: value, b: value }, { requiredKeys: ['a'] }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), which: some }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('import' as const), rows: fc.array(value, { minLength: 1, maxLength: 2 }) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('undo' as const), batch: fc.nat({ max: 99 }) }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

it('undoes random batches as the model does, whatever was edited or undone in between', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
      const model = new Model()
      const batches: number[] = []
      const add = (id: number, by: Writer, a: number): void => {
        model.cells.set(id, {
          a: [{ by, value: a }],
          b: [{ by, value: 0 }],
          alive: [
            { by: 'somebody', value: false },
            { by, value: true },
          ],
        })
      }
      for (const a of [0, 1, 2, 3]) add((await data('POST', '/api/e/cells', { a, b: 0 })).id, 'somebody', a)
      // What hangs on the records: a comment on each, and links between two of them.
      const made = [...model.cells.keys()]
      const pairs = [made.slice(0, 2), made.slice(2, 4)] as [number, number][]
      for (const id of made) await data('POST', `/api/e/cells/${id}/comments`, { body: 'Hello' })
      for (const [l, r] of pairs)
        await data('POST', `/api/sys/add_related_instances/${relation}/l_table/${l}`, { ids: [r] })
      const refused: unknown[] = []
      for (const one of steps) await run(one)
      expect(refused).toEqual([])
      const { data: listed } = (
        await api('POST', '/api/e/cells/list-server', {
          filter: { id: { _in: [...model.cells.keys()] } },
          sort: ['id'],
        })
      ).body
      expect(listed.map(({ id, data: held }: any) => ({ id, data: held }))).toEqual(model.state())

      const listedIds = new Set(listed.map(({ id }: any) => id))
      for (const id of made.filter((one) => listedIds.has(one)))
        expect((await data('GET', `/api/e/cells/${id}/comments`)).length).toBe(1)
      for (const [l, r] of pairs.filter(([one]) => listedIds.has(one))) {
        const { body } = await api('GET', `/api/sys/related_instances/${relation}/cells/${l}?position=l_table`)
        expect([body.meta.total, body.data.map((one: any) => one.id)]).toEqual(listedIds.has(r) ? [1, [r]] : [0, []])
      }

      async function run(one: Step): Promise<void> {
        const ids = [...model.cells.keys()]
        if (one.do === 'import') {
          const { headers, body } = await api('POST', '/api/e/cells/import', {
            rows: one.rows.map((a) => ({ a, b: 0 })),
          })
          const batch = Number(headers.get('x-batch-id'))
          batches.push(batch)
          for (const [index, id] of body.data.ids.entries()) add(id, batch, one.rows[index] as number)
        } else if (one.do === 'undo') {
          const batch = batches[one.batch % Math.max(1, batches.length)]
          if (batch === undefined) return
          const undone = await data('POST', `/api/sys/batches/${batch}/undo`)
          batches.push(undone.batch_id)
          refused.push(...undone.errors)
          model.undo(batch, undone.batch_id)
        } else {
          const chosen = one.which.flatMap((index) => ids[index] ?? [])
          const living = chosen.filter((id) => now((model.cells.get(id) as Cell).alive))
          if (living.length === 0) return
          const values = 'values' in one ? one.values : {}
          if (one.do !== 'delete' && Object.keys(values).length === 0) return
          if (one.do === 'edit') {
            for (const id of living) await data('PATCH', `/api/e/cells/${id}`, values)
          } else {
            const { batch_id: batch } = await data('POST', '/api/e/cells/bulk', {
              ids: chosen,
              ...(one.do === 'delete' ? { delete: true } : { set: values }),
            })
            batches.push(batch)
          }
          const by = one.do === 'edit' ? 'somebody' : (batches.at(-1) as number)
          for (const cell of living.map((id) => model.cells.get(id) as Cell)) {
            if (one.do === 'delete') model.write(cell.alive, by, false)
            for (const [field, to] of Object.entries(values)) model.write(cell[field as Field], by, to as number)
          }
        }
      }
    }),
    { numRuns: 12, seed: 39 },
  )
}, 240_000)

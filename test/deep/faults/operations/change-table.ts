import { expect } from 'vitest'
import { finishedJob } from '../../../make/builders/finished-job.ts'
import { makeTable } from '../../../make/builders/records/tables.ts'
import type { Operation } from '../enumerate-faults.ts'

/** Makes a field unique and searchable. */
export const changeTable: Operation = {
  name: 'table change with rebuild',
  async prepare({ service, ask, api, sweep }, n) {
    const model = `tickets_${n}`
    const plain = [
      { name: 'title', type: 'text' },
      { name: 'code', type: 'text', searchable: false },
      { name: 'size', type: 'float' },
    ]
    const wanted = [
      { name: 'title', type: 'text' },
      { name: 'code', type: 'text', unique: true, searchable: true },
      { name: 'size', type: 'float', indexed: true },
    ]
    await makeTable(service, model, plain)
    const ids = (
      await ask('POST', `/api/e/${model}/import`, {
        rows: Array.from({ length: 6 }, (_, at) => ({ title: `t ${at}`, code: `code${at}`, size: 6 - at })),
      })
    ).body.data.ids as number[]
    const address = `/api/sys/entities/name/${model}`
    let late = 0
    return {
      models: [model],
      async act() {
        for (let left = 8; ; left -= 1) {
          const {
            body: {
              data: { version },
            },
          } = await ask('GET', address)
          const { status, body } = await api('PUT', address, { name: model, table_fields: wanted, version }).catch(
            () => ({ status: 0, body: undefined }),
          )
          if (status === 200) break
          if (left === 1) throw new Error(`the change kept failing: ${JSON.stringify(body)}`)
        }
        await sweep()
        const { rebuilding } = (await ask('GET', address)).body.data
        if (rebuilding) await finishedJob(service, rebuilding.job_id)
        return async () => {
          const document = (await ask('GET', address)).body.data
          expect(document.rebuilding).toBeUndefined()
          expect(
            document.table_fields.map(({ name, unique, indexed }: any) => [name, unique ?? false, indexed ?? false]),
          ).toEqual([
            ['title', false, false],
            ['code', true, false],
            ['size', false, true],
          ])
          const bySize = (await ask('GET', `/api/e/${model}?sort=size&per_page=100`)).body.data.map(({ id }: any) => id)
          expect(bySize.slice(-6)).toEqual(ids.toReversed())
          expect(bySize).toHaveLength(6 + late)
          expect((await ask('POST', `/api/e/${model}`, { code: 'code3' })).status).toBe(422)
          expect((await ask('GET', `/api/e/${model}?search=code3`)).body.data.map(({ id }: any) => id)).toEqual([
            ids[3],
          ])
        }
      },
      async interfere() {
        late += 1
        await ask('POST', `/api/e/${model}`, { title: 'late', code: `late${late}`, size: -late })
      },
    }
  },
}

import { expect } from 'vitest'
import { makeTable } from '../../../../make/builders/records/tables.ts'
import type { Operation } from '../../enumerate-faults.ts'

/** Once the change feed has drained, search finds the current values of records and no former ones. */
export const search: Operation = {
  name: 'search after the change feed has drained',
  async prepare({ service, ask, drain }, n) {
    const model = `tickets_${n}`
    await makeTable(service, model, [
      { name: 'title', type: 'text' },
      { name: 'status', type: 'value_list', options: [{ slug: 'open' }, { slug: 'closed' }] },
    ])
    const ids: number[] = []
    for (const title of ['printer jammed', 'printer offline', 'mouse lost'])
      ids.push((await ask('POST', `/api/e/${model}`, { title, status: 'open' })).body.data.id)
    const [first, second] = ids
    const found = async (text: string) =>
      (await ask('GET', `/api/e/${model}?search=${text}`)).body.data.map(({ id }: any) => id).sort()
    return {
      models: [model],
      async act() {
        // Concurrently, so that their messages share a batch.
        await Promise.all([
          ask('PATCH', `/api/e/${model}/${first}`, { title: 'scanner jammed', status: 'closed' }),
          ask('DELETE', `/api/e/${model}/${second}`),
          ask('POST', `/api/e/${model}`, { title: 'printer new', status: 'closed' }, { 'idempotency-key': `s-${n}` }),
        ])
        await drain()
        return async () => {
          const [made] = await found('new')
          expect([await found('printer'), await found('scanner'), await found('jam')]).toEqual([
            [made],
            [first],
            [first],
          ])
          const filter = encodeURIComponent(JSON.stringify({ status: 'closed' }))
          expect((await ask('GET', `/api/e/${model}?filter=${filter}`)).body.meta.total).toBe(2)
        }
      },
      interfere: () =>
        ask('PATCH', `/api/e/${model}/${ids[2]}`, { status: 'closed' }).then(() =>
          ask('PATCH', `/api/e/${model}/${ids[2]}`, { status: 'open' }),
        ),
    }
  },
}

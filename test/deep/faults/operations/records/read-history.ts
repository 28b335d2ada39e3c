import { expect } from 'vitest'
import { makeTable } from '../../../../make/builders/records/tables.ts'
import type { Operation } from '../../enumerate-faults.ts'

/** Reads history right after writes: each acknowledged write is listed, or named as pending. */
export const readHistory: Operation = {
  name: 'read of history right after writes',
  async prepare({ service, ask }, n) {
    const model = `tickets_${n}`
    await makeTable(service, model, [{ name: 'title', type: 'text' }])
    return {
      models: [model],
      async act() {
        const { id } = (await ask('POST', `/api/e/${model}`, { title: 'one' }, { 'idempotency-key': `h-${n}` })).body
          .data
        await ask('PATCH', `/api/e/${model}/${id}`, { title: 'two' })
        const { meta, data } = (await ask('GET', `/api/sys/history/${model}/${id}`)).body
        expect([...data.map((entry: any) => entry.id), ...(meta.pending ?? [])].sort()).toEqual([1, 2])
        return async () => {
          const entries = (await ask('GET', `/api/sys/history/${model}/${id}`)).body.data
          expect(entries.map(({ action }: any) => action)).toEqual(['update', 'create'])
        }
      },
    }
  },
}

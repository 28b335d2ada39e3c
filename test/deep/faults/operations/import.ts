import { expect } from 'vitest'
import { finishedJob } from '../../../make/builders/finished-job.ts'
import { makeTable } from '../../../make/builders/records/tables.ts'
import type { Operation } from '../enumerate-faults.ts'

/** Imports rows, some of them invalid, with an Idempotency-Key. */
export const importRows: Operation = {
  name: 'import',
  async prepare({ service, ask }, n) {
    const model = `tickets_${n}`
    await makeTable(service, model, [
      { name: 'title', type: 'text', required: true },
      { name: 'code', type: 'text', unique: true },
      { name: 'urgent', type: 'boolean' },
    ])
    await ask('POST', `/api/e/${model}`, { title: 'before', code: 'C3' })
    const rows = Array.from({ length: 12 }, (_, row) =>
      row === 5 ? {} : { title: `printer ${row}`, code: `C${row}`, urgent: row % 2 === 0 },
    )
    return {
      models: [model],
      async act() {
        const send = () => ask('POST', `/api/e/${model}/import`, { rows }, { 'idempotency-key': `import-${n}` })
        const first = await send()
        if (first.status === 202) await finishedJob(service, first.body.data.job_id)
        const again = await send()
        return async () => {
          expect([first.status, first.body.data.created, first.body.data.failed]).toEqual([200, 10, 2])
          expect(again.body).toEqual(first.body)
          const { data } = (await ask('GET', `/api/e/${model}?sort=id&per_page=100`)).body
          expect(data.map((one: any) => one.data.code)).toEqual([
            'C3',
            ...rows.flatMap(({ code }, row) => (row === 3 || row === 5 ? [] : [code])),
          ])
          expect(first.body.data.ids.filter((id: number | null) => id !== null)).toEqual(
            data.slice(1).map((one: any) => one.id),
          )
        }
      },
      interfere: () =>
        ask('POST', `/api/e/${model}`, { title: 'while it runs' }).then(({ body }) =>
          ask('DELETE', `/api/e/${model}/${body.data.id}`),
        ),
    }
  },
}

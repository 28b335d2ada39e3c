import { expect } from 'vitest'
import { finishedJob } from '../../../make/builders/finished-job.ts'
import { makeTable } from '../../../make/builders/records/tables.ts'
import type { Operation } from '../enumerate-faults.ts'

/** An import whose request has no time for a single row: the rows are kept in an object, and a job stores them. */
export const importInBackground: Operation = {
  name: 'import in the background',
  environment: { ANSWER_WITHIN_MS: '0' },
  async prepare({ service, ask, sweep }, n) {
    const model = `tickets_${n}`
    await makeTable(service, model, [
      { name: 'title', type: 'text', required: true },
      { name: 'code', type: 'text', unique: true },
    ])
    const rows = Array.from({ length: 60 }, (_, row) => (row === 5 ? {} : { title: `printer ${row}`, code: `C${row}` }))
    return {
      models: [model],
      async act() {
        const send = () => ask('POST', `/api/e/${model}/import`, { rows }, { 'idempotency-key': `background-${n}` })
        const first = await send()
        await sweep()
        return async () => {
          const again = await send()
          expect([again.status, again.body.data]).toEqual([first.status, first.body.data])
          // When a request crashed and its job is done, the repeat answers the result itself.
          const result =
            first.status === 200 ? first.body.data : (await finishedJob(service, first.body.data.job_id)).result
          expect(result).toMatchObject({ total: 60, created: 59, failed: 1 })
          const { data } = (await ask('GET', `/api/e/${model}?sort=id&per_page=100`)).body
          expect(data.map((one: any) => one.data.code)).toEqual(rows.flatMap(({ code }) => code ?? []))
        }
      },
      interfere: () =>
        ask('POST', `/api/e/${model}`, { title: 'while it runs' }).then(({ body }) =>
          ask('DELETE', `/api/e/${model}/${body.data.id}`),
        ),
    }
  },
}

import { expect } from 'vitest'
import { finishedJob } from '../../../make/builders/finished-job.ts'
import type { Operation } from '../enumerate-faults.ts'

/**
 * A configuration whose request has no time: a job checks and applies it. Two tables refer to each other, so one of them
 * is created first and completed afterwards.
 */
export const applyConfiguration: Operation = {
  name: 'apply a configuration in the background',
  environment: { ANSWER_WITHIN_MS: '0' },
  prepare({ service, ask, sweep }, n) {
    const [left, right] = [`left_${n}`, `right_${n}`]
    const table = (name: string, target: string) => ({
      name,
      label: name,
      title_field: 'title',
      table_fields: [
        { name: 'title', type: 'text' },
        { name: 'other_id', type: 'model_list', target_table: target },
      ],
      automations: [
        { kind: 'before_create', name: 'check', script: '$data.title = "x"', is_active: true, position: 1 },
      ],
    })
    const document = {
      tables: [table(left, right), table(right, left)],
      relations: [{ name: `pair_${n}`, l_table: left, r_table: right }],
      templates: [{ name: `hello_${n}`, label: 'Hello', subject: 'Hello', body: 'Hello', translations: {} }],
    }
    return Promise.resolve({
      models: [left, right],
      async act() {
        const first = await ask('PUT', '/api/sys/config', document)
        await sweep()
        return async () => {
          if (first.status === 202) {
            const job = await finishedJob(service, first.body.data.job_id)
            expect(job).toMatchObject({ status: 'done', errors: [] })
          }
          const again = await ask('PUT', '/api/sys/config?dry_run=true', document)
          const answer =
            again.status === 202 ? (await finishedJob(service, again.body.data.job_id)).result : again.body.data
          expect(answer).toEqual({ created: [], changed: [], unchanged: 4, differences: {} })
        }
      },
    })
  },
}

import { expect } from 'vitest'
import { finishedJob } from '../../../make/builders/finished-job.ts'
import { makeTable } from '../../../make/builders/records/tables.ts'
import { upload } from '../../../make/builders/records/uploads.ts'
import { readZip } from '../../../make/services/unzip.ts'
import type { Operation } from '../enumerate-faults.ts'

/** Exports the tenant with a record and its file. */
export const exportTenant: Operation = {
  name: 'export of the tenant',
  among: /job-?runner/i,
  async prepare({ service, ask, sweep }, n) {
    const model = `plans_${n}`
    await makeTable(service, model, [
      { name: 'title', type: 'text' },
      { name: 'photo', type: 'file' },
    ])
    const photo = await upload(service)
    await ask('POST', `/api/e/${model}`, { title: 'A plan', photo })
    return {
      models: [model],
      async act() {
        const { status, body } = await ask('POST', '/api/tenant/export')
        expect(status).toBe(202)
        await sweep()
        return async () => {
          const job = await finishedJob(service, body.data.job_id)
          expect([job.status, job.errors]).toEqual(['done', []])
          const entries = readZip(Buffer.from(await (await fetch(job.result.url)).arrayBuffer()))
          expect(String(entries.get(`records/${model}-0001.ndjson`))).toContain('A plan')
          expect(entries.has(photo)).toBe(true)
          expect(job.result.size).toBeGreaterThan(0)
        }
      },
    }
  },
}

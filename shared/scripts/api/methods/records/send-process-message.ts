import * as z from 'zod'
import { apiMethod } from '../method.ts'

const key = z.union([z.string().min(1), z.number()]).nullish()

export const sendProcessMessage = apiMethod(
  'sendProcessMessage(name, key, variables)',
  [z.string().min(1), key, z.record(z.string(), z.unknown()).nullish()],
  {
    declaration: `/** Sends a message to the processes that wait for its name and key, and answers how many there are. Nobody: it waits an hour for one. Not in before hooks. */
  sendProcessMessage(name: string, key?: string | number | null, variables?: Readonly<Record<string, unknown>> | null): number`,
    writes: true,
    // The same key when the run is repeated after a crash, so that nothing is sent twice.
    run: ({ records, source, next }, name, to, variables) =>
      records.sendProcessMessage(
        name,
        to === null || to === undefined ? undefined : String(to),
        variables ?? {},
        `${source.runId}#${next()}`,
      ),
  },
)

import { appendFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { enumerateFaults, type Operation } from './enumerate-faults.ts'

/**
 * Declares one test per operation. `sample`: the number of cases of each, unless `FAULTS` selects others.
 * `FAULTS_REPORT`: a file that gets a line of counts per operation.
 */
export const testOperations = (operations: readonly Operation[], { sample = 5 } = {}): void =>
  it.each(operations)(
    '$name: nothing is lost, duplicated or left behind when any provider call fails',
    async (operation) => {
      const outcome = await enumerateFaults(operation, sample)
      if (process.env.FAULTS_REPORT)
        appendFileSync(process.env.FAULTS_REPORT, `${JSON.stringify({ operation: operation.name, ...outcome })}\n`)
      expect(outcome.failures).toEqual([])
      expect(outcome.ran).toBeGreaterThan(0)
    },
    3_600_000,
  )

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { advanceProcess, startProcess } from '../../../../../../shared/automation/bpmn/process.ts'
import type { Advance, Command, Wait } from '../../../../../../shared/automation/bpmn/schema.ts'
import type { CompiledProcess } from '../../../../../../shared/automation/bpmn/shapes/compiled-process.ts'
import { compileOnly } from '../../../../../make/builders/processes/engine-documents.ts'
import { anyTangle } from '../../../../../make/builders/processes/process-tangles.ts'
import { runs } from '../../../../../make/depth.ts'
import { hostWith, lawOfEvents, readBack } from './conformance/runner.ts'

/** A command for a wait. `turns`, the number of commands so far, is set as a variable. */
function commandFor({ kind, executionId }: Wait, turns: number): Command {
  if (kind === 'timer') return { kind: 'timer', executionId }
  if (turns % 7 === 6) return { kind: 'error', executionId, code: 'ANY', message: '' }
  return kind === 'failed'
    ? { kind: 'retry', executionId }
    : { kind: 'complete', executionId, variables: { turns, bad: turns % 3 === 0 } }
}

test('in any random graph a step ends, its events are consistent, and storing the state changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(anyTangle, fc.array(fc.nat(1_000), { minLength: 15, maxLength: 15 }), async (content, choices) => {
      const compiled = await compileOnly(content)
      const stored = JSON.stringify(compiled)
      const host = hostWith({ now: 0 })
      const law = lawOfEvents()
      let advance: Advance = await startProcess(compiled, host, { turns: 0 })
      let before: readonly Wait[] = []
      for (const [index, choice] of choices.entries()) {
        expect(advance.status === 'failed').toBe(advance.failure !== undefined)
        if (advance.status === 'failed') return
        law(advance, before)
        if (advance.status === 'completed') return
        before = advance.waits
        expect(before.length).toBeGreaterThan(0)
        const command = commandFor(before[choice % before.length] as Wait, index + 1)
        const { state } = advance
        advance = await advanceProcess(compiled, host, state, [command])
        expect(advance.ignored).toEqual([])
        expect(readBack(advance)).toEqual(
          readBack(await advanceProcess(JSON.parse(stored) as CompiledProcess, host, readBack(state), [command])),
        )
      }
    }),
    { numRuns: runs(200), seed: 20260502 },
  )
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { advanceProcess, startProcess } from '../../../../../../shared/automation/bpmn/process.ts'
import type { Advance, EngineHost, Wait, Work } from '../../../../../../shared/automation/bpmn/schema.ts'
import type { CompiledProcess } from '../../../../../../shared/automation/bpmn/shapes/compiled-process.ts'
import { compileOnly } from '../../../../../make/builders/processes/engine-documents.ts'
import {
  after,
  anyBlockWithCalls,
  begin,
  drawProcess,
  openIn,
  type Block,
} from '../../../../../make/builders/processes/process-blocks.ts'
import { runs } from '../../../../../make/depth.ts'
import { hostWith, lawOfEvents, readBack } from './conformance/runner.ts'

/** Loops count in variables of their name. Work fails as often as its block says, each time it is entered. */
function hostOf(block: Block): EngineHost {
  const fails = new Map(allIn(block).map((each) => [each.id, each.kind === 'work' ? each.fails : 0]))
  const tried = new Map<string, number>()
  const perform = async ({ elementId, executionId, variables }: Work) => {
    const [loop = '', part] = elementId.split('_')
    if (part === 'begin') return { variables: { [loop]: 0 } }
    if (part === 'turn') return { variables: { [loop]: Number(variables[loop]) + 1 } }
    const times = (tried.get(executionId) ?? 0) + 1
    tried.set(executionId, times)
    if (times <= (fails.get(elementId) ?? 0)) throw new Error('not yet')
    return undefined
  }
  return { ...hostWith({ now: 0 }), perform }
}

const allIn = (block: Block): Block[] => [
  block,
  ...('parts' in block ? block.parts : 'body' in block ? [block.body] : []).flatMap(allIn),
]

const elements = (waits: readonly Wait[]): string[] => waits.map((wait) => wait.elementId).sort()

test('any process of blocks waits for the same as an interpreter of blocks, stored and read back at every step', async () => {
  await fc.assert(
    fc.asyncProperty(anyBlockWithCalls, fc.infiniteStream(fc.nat(1_000)), async (block, choices) => {
      const compiled = await compileOnly(drawProcess(block))
      const stored = JSON.stringify(compiled)
      const host = hostOf(block)
      const law = lawOfEvents()
      let rest = begin(block)
      let waits: readonly Wait[] = []
      let advance: Advance = readBack(await startProcess(compiled, host))
      for (;;) {
        law(advance, waits)
        waits = advance.waits
        expect([advance.status, advance.failure, elements(waits)]).toEqual([
          rest === null ? 'completed' : 'running',
          undefined,
          openIn(rest).sort(),
        ])
        if (rest === null) return
        const wait = waits[(choices.next().value as number) % waits.length] as Wait
        const { executionId } = wait
        advance = readBack(
          await advanceProcess(JSON.parse(stored) as CompiledProcess, host, advance.state, [
            wait.kind === 'failed'
              ? { kind: 'retry', executionId }
              : wait.kind === 'call'
                ? { kind: 'called', executionId, variables: {} }
                : { kind: 'complete', executionId },
          ]),
        )
        rest = after(rest, wait.elementId)
      }
    }),
    { numRuns: runs(300), seed: 20260501 },
  )
})

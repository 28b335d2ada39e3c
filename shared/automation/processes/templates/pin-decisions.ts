import type { Decision } from '../../decisions/decision.ts'
import type { CompiledProcess } from '../definition/compiled-process.ts'

/** Notes which versions the pinned decisions of a process mean: those of now. */
export async function pinDecisions(
  process: CompiledProcess,
  decisions: () => Promise<readonly Pick<Decision, 'id' | 'code' | 'version'>[]>,
): Promise<CompiledProcess> {
  const work = Object.entries(process.work)
  if (!work.some(([, one]) => one.kind === 'decision' && one.pinned !== undefined)) return process
  const all = await decisions()
  return {
    ...process,
    work: Object.fromEntries(
      work.map(([elementId, one]) => {
        if (one.kind !== 'decision' || one.pinned === undefined) return [elementId, one]
        const found = all.find(({ code }) => code === one.decision)
        const pinned = found === undefined ? ('unknown' as const) : { decisionId: found.id, version: found.version }
        return [elementId, { ...one, pinned }]
      }),
    ),
  }
}

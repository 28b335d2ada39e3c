import type { CompiledProcess } from '../definition/compiled-process.ts'
import type { Template } from './template.ts'

type Pinnable = Pick<Template, 'id' | 'code' | 'version'>

/**
 * Notes which versions the pinned calls of a process mean: those of now, and of a call of itself the version that is saved.
 * `self`: the template with that version.
 */
export function pinCalls(process: CompiledProcess, self: Pinnable, templates: readonly Pinnable[]): CompiledProcess {
  const { calls } = process
  if (calls === undefined || Object.values(calls).every(({ pinned }) => pinned === undefined)) return process
  const versionOf = (code: string | undefined) => {
    const called = code === self.code ? self : templates.find((one) => one.code === code)
    return called === undefined ? 'unknown' : { templateId: called.id, version: called.version }
  }
  return {
    ...process,
    calls: Object.fromEntries(
      Object.entries(calls).map(([elementId, call]) => [
        elementId,
        call.pinned === undefined ? call : { ...call, pinned: versionOf(call.code) },
      ]),
    ),
  }
}

import { type NamesTables, storedTableInScript } from '../../../kernel/table-names.ts'
import type { CompiledProcess, WorkDefinition } from '../../bpmn/shapes/compiled-process.ts'
import type { CompileProcess } from './check-template.ts'

/**
 * Compiles documents of a tenant: they name tables as people do, or did until lately, and what they are compiled to has the
 * stored names, so that instances that run keep their tables.
 */
export function compileForTenant(compile: CompileProcess, tenant: NamesTables, nowMs: number): CompileProcess {
  if (!tenant.renamedTables) return compile
  const stored = (name: string): string => storedTableInScript(tenant, name, nowMs)
  const work = (one: WorkDefinition): WorkDefinition =>
    one.kind === 'createRecord' ? { ...one, table: stored(one.table) } : one
  return async (xml) => {
    const compiled = await compile(xml)
    if ('findings' in compiled) return compiled
    const { process } = compiled
    const { table } = process.wf
    return {
      ...compiled,
      process: {
        ...process,
        wf: { ...process.wf, ...(table !== undefined && { table: stored(table) }) },
        work: Object.fromEntries(Object.entries(process.work).map(([id, one]) => [id, work(one)])),
      } satisfies CompiledProcess,
    }
  }
}

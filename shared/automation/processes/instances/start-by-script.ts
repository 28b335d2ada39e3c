import { Fault, NotFound } from '../../../kernel/failures/faults.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { isLiving } from '../../../platform/store/rows/record-row.ts'
import type { StartProcess } from '../../../records/records/dependencies.ts'
import type { ProcessDependencies } from '../dependencies.ts'
import { startInstance } from '../steps/start-instance.ts'
import { startsWithOnly } from '../templates/starts-with.ts'
import { readTemplate } from '../templates/template.ts'

/**
 * `$api.startProcess(code, table, id)`: makes the instance, and the change feed has the runner advance it. The script
 * does not wait for the process. Throws Fault for a process that cannot start, NotFound for a record that does not
 * exist.
 */
export function startByScript(processes: Pick<ProcessDependencies, 'store' | 'config' | 'clock'>): StartProcess {
  return async (actor, code, model, id, startName) => {
    const { tenant } = actor
    const template = await processes.config.get(tenant, 'PROCESS', code, readTemplate)
    if (!template) throw new Fault('process_template_not_found', `There is no process ${code}.`)
    if (!template.isActive) throw new Fault('validation_failed', `The process ${code} is not active.`)
    if (template.isTriggered)
      throw new Fault('validation_failed', `${startsWithOnly(template)}, so ${code} cannot be started by a script.`)
    if (template.table !== model)
      throw new Fault('validation_failed', `The process ${code} is one of ${template.table}, not of ${model}.`)
    if (id < 1 || !isLiving(await processes.store.get(tenant, recordKey(tenant, model, id))))
      throw new NotFound('record', { model, id })
    const hops = actor.hops === undefined ? 0 : actor.hops + 1
    return (
      await startInstance(processes, tenant, template, {
        model,
        recordId: id,
        by: actor,
        source: 'script',
        hops,
        startName,
        wakesRunner: true,
      })
    ).id
  }
}

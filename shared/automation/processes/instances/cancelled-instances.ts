import type { Tenant } from '../../../kernel/tenancy.ts'
import { instanceKey } from '../../../platform/store/keys/processes.ts'
import type { ProcessDependencies } from '../dependencies.ts'
import { readInstanceHead } from '../rows/instance-row.ts'
import { templateNames } from '../templates/describe-template.ts'
import { describeTemplateOf } from './describe-relatives.ts'
import type { CancelledProcess, StartableProcess } from './schema.ts'

/** The instances that end with their record, as answers name them; what these have called ends with them and is left out. */
export async function describeCancelled(
  { store, config }: Pick<ProcessDependencies, 'store' | 'config'>,
  tenant: Tenant,
  ids: readonly number[],
): Promise<StartableProcess[]> {
  if (ids.length === 0) return []
  const [items, names] = await Promise.all([
    store.getMany(
      tenant,
      ids.map((id) => instanceKey(tenant, id)),
    ),
    templateNames(config, tenant),
  ])
  return items.flatMap((item) => {
    const instance = item && readInstanceHead(item)
    if (!instance || instance.caller) return []
    const { id, code, recordId, templateId } = instance
    return {
      id,
      record_id: recordId,
      template: describeTemplateOf(instance, names),
      start_again: names.has(templateId)
        ? {
            method: 'POST',
            path: '/api/sys/process-instances',
            body: { template_code: code, record_id: recordId },
          }
        : null,
    }
  })
}

/** The same while the record is gone. */
export const withoutStart = ({ start_again: _, ...process }: StartableProcess): CancelledProcess => process

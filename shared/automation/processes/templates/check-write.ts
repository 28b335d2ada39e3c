import { byName } from '../../../kernel/collections/own-members.ts'
import { type FieldErrors, Invalid } from '../../../kernel/failures/faults.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { codeOfName } from '../../../kernel/text/code-of-name.ts'
import { scanIds } from '../../../platform/listing/scan-ids.ts'
import { instancePartitions } from '../../../platform/store/keys/processes.ts'
import { instanceSlots, slotName } from '../../../platform/store/slots.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Finding } from '../../bpmn/shapes/compiled-process.ts'
import { codePattern } from '../schema.ts'
import { describeFinding } from './describe-template.ts'

/**
 * A document cannot run: `errors` has messages under `bpmn_xml` and per element, `data.findings` lists all findings.
 */
export class TemplateRefused extends Invalid {
  constructor(findings: readonly Finding[]) {
    super(errorsOf(findings), {
      code: 'invalid_process',
      details: { findings: findings.map(describeFinding) },
    })
  }
}

function errorsOf(findings: readonly Finding[]): FieldErrors {
  const errors: FieldErrors = byName()
  const add = (path: string, message: string): void => {
    errors[path] = [...(errors[path] ?? []), message]
  }
  for (const { elementId, message } of findings) {
    add('bpmn_xml', message)
    if (elementId !== null) add(`bpmn_xml.${elementId}`, message)
  }
  return errors
}

/** Keys read at once: most calls end at the first of them. */
const wanted = 1000

/** Whether an instance of the template has not ended. Compares the keys of two indexes, so it reads no instance. */
export async function hasRunningInstances(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  templateId: number,
): Promise<boolean> {
  const running = new Set<number>()
  const open = ['running', 'incident', 'suspended'].flatMap((status) => instancePartitions(tenant, { status }))
  const byStatus = open.map((pk) => ({ pk, index: slotName(instanceSlots.byStatus) }))
  for await (const ids of scanIds(store, tenant, byStatus, { wanted })) for (const id of ids) running.add(id)
  if (running.size === 0) return false
  const own = instancePartitions(tenant, { templateId })
  const ofTemplate = own.map((pk) => ({ pk, index: slotName(instanceSlots.ofTemplate) }))
  for await (const ids of scanIds(store, tenant, ofTemplate, { wanted }))
    if (ids.some((id) => running.has(id))) return true
  return false
}

/** Makes a code of a name: `approve-a-request` of `Approve a request`; undefined when no letter of it can be used. */
export function templateCode(name: string): string | undefined {
  const code = codeOfName(name)
  return code !== undefined && codePattern.test(code) ? code : undefined
}

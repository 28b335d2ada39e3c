import { namesOf } from '../../../accounts/people/user.ts'
import { operationsOfRecord } from '../../../automation/processes/instances/steps-of-record.ts'
import type { RecordOperation } from '../../../automation/processes/rows/operation-row.ts'
import { templateNames } from '../../../automation/processes/templates/describe-template.ts'
import { publicUrl } from '../../../platform/http/routing/envelope.ts'
import type { Config } from '../../../platform/store/config.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { TimelineSource, TimelineSubject } from '../timeline-source.ts'

interface Dependencies {
  readonly store: Pick<Store, 'query' | 'getMany'>
  readonly config: Pick<Config, 'list'>
}

/** What operators did to the processes of a record. The step that ends a cancelled instance tells who cancelled it. */
export function processOperationsOf(
  { store, config }: Dependencies,
  { viewer, model, id }: TimelineSubject,
): TimelineSource<RecordOperation> {
  const { tenant } = viewer
  return {
    name: 'operation',
    kind: 'process',
    position: /^\d{4}-\d\d-\d\dT[\d:.]+Z#\d{12}#\d{1,20}#[\w-]{1,100}$/,
    async read(from, limit) {
      const { operations, ...rest } = await operationsOfRecord(store, tenant, { model, id }, from, limit)
      const shown = operations.filter(({ operation }) => operation.action !== 'cancel')
      return {
        heads: shown.map(({ sort, operation }) => ({ at: operation.at, position: sort, row: operation })),
        ...rest,
      }
    },
    async describe(operations) {
      const [templates, names] = await Promise.all([
        templateNames(config, tenant),
        namesOf(
          store,
          tenant,
          operations.flatMap(({ by }) => [by.userId || [], by.impersonatorId ?? []].flat()),
        ),
      ])
      const person = (userId: number) => ({ id: userId, name: names.get(userId) ?? 'Unknown user' })
      return operations.map((one) => {
        const { id: operationId, instanceId, templateId, code, action, at, by, details } = one
        const name = templates.get(templateId) ?? code
        const user = by.userId > 0 ? person(by.userId) : undefined
        return {
          at,
          id: `operation.${instanceId}.${operationId.replaceAll('#', '.')}`,
          ...(user && { user }),
          summary: `${whatWasDone(one, name)}${user ? ` by ${user.name}` : ''}`,
          data: {
            instance_id: instanceId,
            template: { id: templateId, code, name },
            operation: action,
            details,
            ...(by.impersonatorId !== undefined && { impersonator: person(by.impersonatorId) }),
          },
          href: `${publicUrl()}/api/sys/process-instances/${instanceId}`,
        }
      })
    },
  }
}

/** Names beyond these are counted. */
const namesInSummary = 3

function whatWasDone({ action, details }: RecordOperation, name: string): string {
  const lists = details as Readonly<Record<string, readonly unknown[] | undefined>>
  switch (action) {
    case 'set_variables': {
      const parts = [listed('set', lists.set), listed('removed', lists.removed)].filter((part) => part !== '')
      return `Variables of process ${name} changed (${parts.join(', ')})`
    }
    case 'modify': {
      const moves = ((lists.move ?? []) as { from: string; to: string }[]).map(({ from, to }) => `${from} to ${to}`)
      const parts = [listed('moved from', moves), listed('cancelled at', lists.cancel)].filter((part) => part !== '')
      return `Process ${name} ${parts.join(', ')}`
    }
    case 'migrate':
      return `Process ${name} migrated from version ${Number(details.from_version)} to ${Number(details.to_version)}`
    case 'suspend':
      return `Process ${name} suspended`
    case 'resume':
      return `Process ${name} resumed`
    case 'retry':
      return `Process ${name} retried`
    case 'cancel':
      return `Process ${name} cancelled`
  }
}

function listed(what: string, names: readonly unknown[] = []): string {
  if (names.length === 0) return ''
  const more = names.length - namesInSummary
  return `${what} ${names.slice(0, namesInSummary).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
